import { expect, it } from 'vitest';

import { memoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore } from '../storage/record-store.ts';
import { openStorage } from './storage.ts';

it('what is written in the very moment in which the database opens is in it', async () => {
  const database: RecordStore = { ...memoryRecordStore(), mode: 'durable' };
  let open: (store: RecordStore) => void = () => undefined;
  const storage = openStorage(() => new Promise((resolve) => (open = resolve)));
  const draft = (sessionId: string) => ({ store: 'drafts' as const, put: { sessionId, text: sessionId } });
  const writing = [storage.records.write([draft('before')])];
  open(database);
  for (let turn = 0; turn < 12; turn += 1) {
    writing.push(storage.records.write([draft(`turn ${turn}`)]));
    await Promise.resolve();
  }
  await Promise.all([...writing, storage.usable]);
  expect((await database.keys('drafts')).toSorted()).toEqual(
    ['before', ...Array.from({ length: 12 }, (_, turn) => `turn ${turn}`)].toSorted(),
  );
});
