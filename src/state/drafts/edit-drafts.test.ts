import { describe, expect, it } from 'vitest';

import { memoryRecordStore } from '../../storage/memory-store.ts';
import { createRecorder } from '../runs/recorder.ts';
import { createDrafts, editDraftsId } from './drafts.ts';
import { readEdit, writeEdit } from './edit-drafts.ts';

const typed = (text: string) => ({ text, name: '', toolCallId: '', toolCalls: '', images: '' });

describe('what is in the editor of a message', () => {
  it('is there again at the next visit, message by message, and gone once it was saved', async () => {
    const records = memoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    const drafts = createDrafts(records, recorder);
    await Promise.all([
      writeEdit(drafts, 's', 'one', typed('h')),
      writeEdit(drafts, 's', 'one', typed('half')),
    ]);
    await writeEdit(drafts, 's', 'two', typed('other'));
    const whole = { text: 'all', name: 'ada', toolCallId: 'c1', toolCalls: '[]', images: '["x"]' };
    await writeEdit(drafts, 's', 'three', whole);
    await recorder.flush();
    const next = createDrafts(records, recorder);
    expect(await readEdit(next, 's', 'one')).toEqual(typed('half'));
    expect(await readEdit(next, 's', 'two')).toEqual(typed('other'));
    expect(await readEdit(next, 's', 'three')).toEqual(whole);
    expect(await readEdit(next, 'elsewhere', 'one')).toBeUndefined();
    await writeEdit(next, 's', 'three', undefined);
    await writeEdit(next, 's', 'one', undefined);
    expect(await readEdit(next, 's', 'one')).toBeUndefined();
    await writeEdit(next, 's', 'two', undefined);
    await recorder.flush();
    expect(await records.draft(editDraftsId('s'))).toBeUndefined();
  });

  it('is kept of two messages that are typed into at once', async () => {
    const records = memoryRecordStore();
    const drafts = createDrafts(
      records,
      createRecorder(records, () => performance.now()),
    );
    await Promise.all([
      writeEdit(drafts, 's', 'one', typed('first')),
      writeEdit(drafts, 's', 'two', typed('second')),
    ]);
    expect(await readEdit(drafts, 's', 'one')).toEqual(typed('first'));
    expect(await readEdit(drafts, 's', 'two')).toEqual(typed('second'));
  });

  it('is none where the record cannot be read', async () => {
    const records = memoryRecordStore();
    const drafts = createDrafts(
      records,
      createRecorder(records, () => performance.now()),
    );
    drafts.write(editDraftsId('s'), '{"one": {"text": 1}, "two": ');
    expect(await readEdit(drafts, 's', 'one')).toBeUndefined();
  });
});
