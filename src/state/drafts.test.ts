import { describe, expect, it } from 'vitest';

import { memoryRecordStore } from '../storage/memory-store.ts';
import { createDrafts } from './drafts.ts';
import { createRecorder } from './recorder.ts';

describe('a draft', () => {
  it('is there again at the next visit, session by session, and gone once it was emptied', async () => {
    const records = memoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    const drafts = createDrafts(records, recorder);
    drafts.write('a', 'half');
    drafts.write('a', 'half a thought');
    drafts.write('b', 'other');
    expect(await drafts.read('a')).toBe('half a thought');
    await recorder.flush();
    const next = createDrafts(records, recorder);
    expect([await next.read('a'), await next.read('b'), await next.read('c')]).toEqual([
      'half a thought',
      'other',
      '',
    ]);
    next.write('a', '');
    expect(await next.read('a')).toBe('');
    await recorder.flush();
    expect(await createDrafts(records, recorder).read('a')).toBe('');
  });
});
