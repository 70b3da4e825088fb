import { describe, expect, it } from 'vitest';

import {
  emptyDraft,
  defaultDraftView,
  withEdit,
  withResult,
  type Draft,
} from '../../conversation/session/draft.ts';
import { memoryRecordStore } from '../../storage/memory-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { whenTrue } from '../../testing/bench.ts';
import { createRecorder } from '../runs/recorder.ts';
import { createViewStore } from '../sessions/view-store.ts';
import { createDrafts, keepView, viewOf } from './drafts.ts';
import { createUnsaved } from './unsaved.ts';

/** A page over these records. */
function aPage(records: RecordStore = memoryRecordStore()) {
  const unsaved = createUnsaved();
  const recorder = createRecorder(records, () => performance.now(), unsaved);
  const saved = () => whenTrue(unsaved.state, ({ count }) => count === 0);
  return { records, recorder, unsaved, saved, drafts: createDrafts(records, recorder, unsaved) };
}

const typed = (text: string) => (draft: Draft) => ({ ...draft, text });
const pasted = (text: string) => (draft: Draft) => ({ ...draft, pasted: [...draft.pasted, text] });
const words = { text: 'w', name: '', toolCallId: '', toolCalls: '' };

describe('what waits in a session', () => {
  it('is there again at the next visit, session by session, and leaves no record when it is gone', async () => {
    const { drafts, records, recorder } = aPage();
    drafts.change('a', typed('half'));
    drafts.change('a', typed('half a thought'));
    drafts.change('a', pasted('long'));
    drafts.change('b', typed('other'));
    expect(drafts.state.getState()['a']?.text).toBe('half a thought');
    await Promise.all([drafts.load('a'), drafts.load('b')]);
    await recorder.flush();
    const next = aPage(records);
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(next.drafts.load));
    expect(a).toEqual({ ...emptyDraft, text: 'half a thought', pasted: ['long'] });
    expect([b?.text, c]).toEqual(['other', emptyDraft]);
    next.drafts.change('a', () => emptyDraft);
    next.drafts.change('b', typed(''));
    await next.recorder.flush();
    expect(await records.keys('drafts')).toEqual([]);
  });

  it('and was changed before the disk answered is added to what is stored', async () => {
    const { drafts, records, recorder } = aPage();
    drafts.change('a', (draft) => withResult(withEdit(draft, 'one', words), 'p', 'key', { text: 'old' }));
    drafts.change('a', typed('stored'));
    drafts.change('a', pasted('stored'));
    await drafts.load('a');
    await recorder.flush();
    const next = aPage(records).drafts;
    const loading = next.load('a');
    next.change('a', typed('t'));
    next.change('a', typed('typed'));
    next.change('a', pasted('second'));
    next.change('a', pasted('third'));
    next.change('a', (draft) => withEdit(draft, 'two', words));
    next.change('a', (draft) => withResult(draft, 'p', 'other', { text: 'new' }));
    expect(next.state.getState()['a']).toMatchObject({ text: 'typed', pasted: ['second', 'third'] });
    expect(await loading).toEqual({
      ...emptyDraft,
      text: 'stored\ntyped',
      pasted: ['stored', 'second', 'third'],
      edits: { one: words, two: words },
      results: { p: { key: { text: 'old' }, other: { text: 'new' } } },
    });
  });

  it('replaces nothing that could not be read, counts as unsaved until it can be, and is stored then', async () => {
    const { records } = aPage();
    await records.write([
      { store: 'drafts', put: { sessionId: 'a', text: 'stored' } },
      { store: 'drafts', put: { sessionId: 'a pasted', pasted: ['one'] } },
    ]);
    let isBroken = true;
    const flaky: RecordStore = {
      ...records,
      record: (...where) => (isBroken ? Promise.reject(new Error('gone')) : records.record(...where)),
    };
    const { drafts, recorder, unsaved } = aPage(flaky);
    await expect(drafts.load('a')).rejects.toThrow('gone');
    expect(await viewOf(drafts, 'a')).toEqual(defaultDraftView);
    drafts.change('a', pasted('two'));
    await expect(drafts.load('a')).rejects.toThrow('gone');
    await recorder.flush();
    expect(await records.record('drafts', 'a pasted')).toMatchObject({ pasted: ['one'] });
    drafts.forget('a');
    expect(drafts.state.getState()['a']?.pasted).toEqual(['two']);
    expect(unsaved.state.getState().count).toBe(1);
    isBroken = false;
    drafts.change('a', pasted('three'));
    expect(await drafts.load('a')).toEqual({
      ...emptyDraft,
      text: 'stored',
      pasted: ['one', 'two', 'three'],
    });
    await recorder.flush();
    expect(unsaved.state.getState().count).toBe(0);
    expect(await records.record('drafts', 'a pasted')).toMatchObject({ pasted: ['one', 'two', 'three'] });
  });

  it('is forgotten with its session, and read again with it', async () => {
    const { drafts, records, recorder } = aPage();
    drafts.change('a', typed('stored'));
    await drafts.load('a');
    await recorder.flush();
    drafts.forget('a');
    expect(drafts.state.getState()).toEqual({});
    await records.write([{ store: 'drafts', put: { sessionId: 'a', text: 'newer' } }]);
    expect((await drafts.load('a')).text).toBe('newer');
  });
});

describe('two tabs with one session', () => {
  it('keep what the other wrote in fields that they do not write, and show what was typed in them', async () => {
    const records = memoryRecordStore();
    const [one, other] = [aPage(records), aPage(records)];
    await Promise.all([one.drafts.load('a'), other.drafts.load('a')]);
    one.drafts.change('a', typed('typed in one'));
    await one.recorder.flush();
    other.drafts.heard(['a', 'not open']);
    other.drafts.change('a', pasted('pasted in the other'));
    other.drafts.change('a', (draft) => withEdit(draft, 'two', words));
    await other.saved();
    expect(other.drafts.state.getState()['a']?.text).toBe('');
    one.drafts.heard(['a']);
    one.drafts.change('a', (draft) => withEdit(draft, 'one', words));
    await one.saved();
    expect(one.drafts.state.getState()['a']?.pasted).toEqual([]);
    expect(await records.record('drafts', 'a')).toEqual({
      sessionId: 'a',
      text: 'typed in one',
      edits: { one: words, two: words },
    });
    expect(await records.record('drafts', 'a pasted')).toMatchObject({ pasted: ['pasted in the other'] });
  });
});

describe('a tab that hears of another while its own change is not stored yet', () => {
  it('stores both of its changes', async () => {
    const { drafts, records, saved } = aPage();
    await drafts.load('a');
    drafts.change('a', typed('not stored yet'));
    drafts.heard(['a']);
    drafts.change('a', (draft) => withEdit(draft, 'one', words));
    await saved();
    expect(await records.record('drafts', 'a')).toEqual({
      sessionId: 'a',
      text: 'not stored yet',
      edits: { one: words },
    });
  });
});

describe('how the draft would be sent', () => {
  it('is there again at the next visit, session by session, and is forgotten once it is as at first', async () => {
    const { drafts, records, recorder } = aPage();
    const view = createViewStore();
    let shown: string | undefined = 'a';
    keepView(view, drafts, () => shown);
    view.setState({ notTo: ['lane-2'] });
    view.setState({ namesHidden: true, author: 'Ada' });
    shown = undefined;
    view.setState(defaultDraftView);
    await drafts.load('a');
    await recorder.flush();
    const next = aPage(records);
    expect(await viewOf(next.drafts, 'a')).toEqual({ notTo: ['lane-2'], namesHidden: true, author: 'Ada' });
    expect([await viewOf(next.drafts, 'b'), (await next.drafts.load('a')).text]).toEqual([
      defaultDraftView,
      '',
    ]);
    next.drafts.change('a', (draft) => ({ ...draft, view: defaultDraftView }));
    await next.recorder.flush();
    expect(await records.keys('drafts')).toEqual([]);
  });

  it.each([
    ['a lane that is left out', { notTo: ['lane-2'] }],
    ['hidden names', { namesHidden: true }],
    ['an author', { author: 'Ada' }],
  ])('is kept where only %s changes', async (_what, change) => {
    const { drafts, records, recorder } = aPage();
    const view = createViewStore();
    keepView(view, drafts, () => 'a');
    view.setState(change);
    await drafts.load('a');
    await recorder.flush();
    expect(await viewOf(aPage(records).drafts, 'a')).toEqual({ ...defaultDraftView, ...change });
  });
});

it('what is stored is counted once, however often that is said', () => {
  const { state, begin } = createUnsaved();
  const [one, other] = [begin(), begin()];
  one();
  one();
  expect(state.getState().count).toBe(1);
  other();
  expect(state.getState().count).toBe(0);
});
