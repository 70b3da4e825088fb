import { describe, expect, it } from 'vitest';

import { memoryRecordStore } from '../../storage/memory-store.ts';
import { createRecorder } from '../runs/recorder.ts';
import { createViewStore, firstView } from '../sessions/view-store.ts';
import { createDrafts, keepView, viewDraftId, withTyped } from './drafts.ts';

describe('a draft', () => {
  it.each([
    ['what is stored, where nothing was typed', 'stored', undefined, 'stored'],
    ['both, where one typed before it came', 'stored', 'typed', 'stored\ntyped'],
    ['what was typed, where nothing is stored', '', 'typed', 'typed'],
    ['what is stored, where what was typed has been sent meanwhile', 'stored', '', 'stored'],
    ['one of them, where they are the same', 'same', 'same', 'same'],
  ])('that is read late is %s', (_, stored, typed, both) => {
    expect(withTyped(stored, typed)).toBe(both);
  });

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

describe('how the draft would be sent', () => {
  it('is there again at the next visit, session by session, and is forgotten once it is as at first', async () => {
    const records = memoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    const drafts = createDrafts(records, recorder);
    const view = createViewStore();
    let shown: string | undefined = 'a';
    keepView(view, drafts, () => shown);
    view.setState({ notTo: ['lane-2'] });
    view.setState({ namesHidden: true, author: 'Ada' });
    shown = undefined;
    view.setState(firstView);
    await recorder.flush();
    const next = createDrafts(records, recorder);
    expect(await next.readView('a')).toEqual({ notTo: ['lane-2'], namesHidden: true, author: 'Ada' });
    expect([await next.readView('b'), await next.read('a')]).toEqual([firstView, '']);
    next.writeView('a', firstView);
    await recorder.flush();
    expect(await records.draft(viewDraftId('a'))).toBeUndefined();
  });

  it.each([
    ['a lane that is left out', { notTo: ['lane-2'] }],
    ['hidden names', { namesHidden: true }],
    ['an author', { author: 'Ada' }],
  ])('is kept where only %s changes', async (_what, change) => {
    const records = memoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    const view = createViewStore();
    keepView(view, createDrafts(records, recorder), () => 'a');
    view.setState(change);
    await recorder.flush();
    expect(await createDrafts(records, recorder).readView('a')).toEqual({ ...firstView, ...change });
  });

  it('is as at first where what is stored cannot be read', async () => {
    const records = memoryRecordStore();
    const recorder = createRecorder(records, () => performance.now());
    for (const text of ['{', '[]', '{"notTo":"lane","namesHidden":1,"author":7}']) {
      await records.write([{ store: 'drafts', put: { sessionId: viewDraftId('a'), text } }]);
      expect(await createDrafts(records, recorder).readView('a'), text).toEqual(firstView);
    }
  });
});
