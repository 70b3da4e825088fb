import { describe, expect, it } from 'vitest';

import { memoryRecordStore } from '../../storage/memory-store.ts';
import { createRecorder } from '../runs/recorder.ts';
import { createDrafts, pastedDraftId } from './drafts.ts';
import { changePasted, readPasted } from './pasted-drafts.ts';

function someDrafts(records = memoryRecordStore()) {
  const recorder = createRecorder(records, () => performance.now());
  return { records, recorder, drafts: createDrafts(records, recorder) };
}

describe('long texts that were pasted', () => {
  it('are there again at the next visit, session by session, in their order', async () => {
    const { drafts, records, recorder } = someDrafts();
    await changePasted(drafts, 'a', (texts) => [...texts, 'one']);
    await changePasted(drafts, 'a', (texts) => [...texts, 'two\n"quoted"']);
    await changePasted(drafts, 'b', () => ['other']);
    await recorder.flush();
    const next = someDrafts(records).drafts;
    expect(await readPasted(next, 'a')).toEqual(['one', 'two\n"quoted"']);
    expect(await readPasted(next, 'b')).toEqual(['other']);
    expect(await readPasted(next, 'c')).toEqual([]);
  });

  it('are added to those that are stored, also before anyone has read these', async () => {
    const { drafts, records, recorder } = someDrafts();
    await changePasted(drafts, 'a', () => ['stored']);
    await recorder.flush();
    const next = someDrafts(records).drafts;
    const [one, two] = await Promise.all([
      changePasted(next, 'a', (texts) => [...texts, 'second']),
      changePasted(next, 'a', (texts) => [...texts, 'third']),
    ]);
    expect(one).toEqual(['stored', 'second']);
    expect(two).toEqual(['stored', 'second', 'third']);
  });

  it('leave no record when the last is gone', async () => {
    const { drafts, records, recorder } = someDrafts();
    await changePasted(drafts, 'a', () => ['one']);
    await changePasted(drafts, 'a', () => []);
    await recorder.flush();
    expect(await records.draft(pastedDraftId('a'))).toBeUndefined();
  });

  it('are none where the record cannot be read, and of a strange one those that are texts', async () => {
    const { drafts } = someDrafts();
    drafts.write(pastedDraftId('a'), '["cut');
    drafts.write(pastedDraftId('b'), '["one", 2, null, ["x"], "two"]');
    expect(await readPasted(drafts, 'a')).toEqual([]);
    expect(await readPasted(drafts, 'b')).toEqual(['one', 'two']);
  });
});
