import { describe, expect, it } from 'vitest';

import {
  emptyDraft,
  defaultDraftView,
  withEdit,
  withResult,
  type Draft,
} from '../../conversation/session/draft.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { waitForStoreState } from '../../testing/bench.ts';
import { createRecorder } from '../runs/recorder.ts';
import { createViewStore } from '../sessions/view-store.ts';
import { createDrafts, syncDraftView, loadDraftView } from './drafts.ts';
import { createUnsavedCounter } from './unsaved-counter.ts';

/** Creates the drafts of a page on these records. */
function createTestPage(records: RecordStore = createMemoryRecordStore()) {
  const unsaved = createUnsavedCounter();
  const recorder = createRecorder(records, () => performance.now(), unsaved);
  const waitUntilSaved = () => waitForStoreState(unsaved.state, ({ count }) => count === 0);
  return { records, recorder, unsaved, waitUntilSaved, drafts: createDrafts(records, recorder, unsaved) };
}

const setText = (text: string) => (draft: Draft) => ({ ...draft, text });
const addPasted = (text: string) => (draft: Draft) => ({ ...draft, pasted: [...draft.pasted, text] });
const messageEdit = { text: 'w', name: '', toolCallId: '', toolCalls: '' };

describe('stored drafts', () => {
  it('restores drafts per session on the next visit, and removes empty records', async () => {
    const { drafts, records, recorder } = createTestPage();
    drafts.change('a', setText('half'));
    drafts.change('a', setText('half a thought'));
    drafts.change('a', addPasted('long'));
    drafts.change('b', setText('other'));
    expect(drafts.state.getState()['a']?.text).toBe('half a thought');
    await Promise.all([drafts.load('a'), drafts.load('b')]);
    await recorder.flush();
    const nextVisit = createTestPage(records);
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(nextVisit.drafts.load));
    expect(a).toEqual({ ...emptyDraft, text: 'half a thought', pasted: ['long'] });
    expect([b?.text, c]).toEqual(['other', emptyDraft]);
    nextVisit.drafts.change('a', () => emptyDraft);
    nextVisit.drafts.change('b', setText(''));
    await nextVisit.recorder.flush();
    expect(await records.listKeys('drafts')).toEqual([]);
  });

  it('merges changes made before the record was read into the stored draft', async () => {
    const { drafts, records, recorder } = createTestPage();
    drafts.change('a', (draft) =>
      withResult(withEdit(draft, 'one', messageEdit), 'p', 'key', { text: 'old' }),
    );
    drafts.change('a', setText('stored'));
    drafts.change('a', addPasted('stored'));
    await drafts.load('a');
    await recorder.flush();
    const nextDrafts = createTestPage(records).drafts;
    const loading = nextDrafts.load('a');
    nextDrafts.change('a', setText('t'));
    nextDrafts.change('a', setText('typed'));
    nextDrafts.change('a', addPasted('second'));
    nextDrafts.change('a', addPasted('third'));
    nextDrafts.change('a', (draft) => withEdit(draft, 'two', messageEdit));
    nextDrafts.change('a', (draft) => withResult(draft, 'p', 'other', { text: 'new' }));
    expect(nextDrafts.state.getState()['a']).toMatchObject({ text: 'typed', pasted: ['second', 'third'] });
    expect(await loading).toEqual({
      ...emptyDraft,
      text: 'stored\ntyped',
      pasted: ['stored', 'second', 'third'],
      edits: { one: messageEdit, two: messageEdit },
      results: { p: { key: { text: 'old' }, other: { text: 'new' } } },
    });
  });

  it('keeps an unreadable draft, counts the change as unsaved and stores it later', async () => {
    const { records } = createTestPage();
    await records.write([
      { store: 'drafts', put: { sessionId: 'a', text: 'stored' } },
      { store: 'drafts', put: { sessionId: 'a pasted', pasted: ['one'] } },
    ]);
    let isBroken = true;
    const flakyRecords: RecordStore = {
      ...records,
      readRecord: (...args) => (isBroken ? Promise.reject(new Error('gone')) : records.readRecord(...args)),
    };
    const { drafts, recorder, unsaved } = createTestPage(flakyRecords);
    await expect(drafts.load('a')).rejects.toThrow('gone');
    expect(await loadDraftView(drafts, 'a')).toEqual(defaultDraftView);
    drafts.change('a', addPasted('two'));
    await expect(drafts.load('a')).rejects.toThrow('gone');
    await recorder.flush();
    expect(await records.readRecord('drafts', 'a pasted')).toMatchObject({ pasted: ['one'] });
    drafts.drop('a');
    expect(drafts.state.getState()['a']?.pasted).toEqual(['two']);
    expect(unsaved.state.getState().count).toBe(1);
    isBroken = false;
    drafts.change('a', addPasted('three'));
    expect(await drafts.load('a')).toEqual({
      ...emptyDraft,
      text: 'stored',
      pasted: ['one', 'two', 'three'],
    });
    await recorder.flush();
    expect(unsaved.state.getState().count).toBe(0);
    expect(await records.readRecord('drafts', 'a pasted')).toMatchObject({ pasted: ['one', 'two', 'three'] });
  });

  it('drops a draft when its session is closed and reads it again later', async () => {
    const { drafts, records, recorder } = createTestPage();
    drafts.change('a', setText('stored'));
    await drafts.load('a');
    await recorder.flush();
    drafts.drop('a');
    expect(drafts.state.getState()).toEqual({});
    await records.write([{ store: 'drafts', put: { sessionId: 'a', text: 'newer' } }]);
    expect((await drafts.load('a')).text).toBe('newer');
  });
});

describe('drafts of one session in two tabs', () => {
  it('keeps fields written by the other tab, while each tab shows its own draft', async () => {
    const records = createMemoryRecordStore();
    const [firstTab, secondTab] = [createTestPage(records), createTestPage(records)];
    await Promise.all([firstTab.drafts.load('a'), secondTab.drafts.load('a')]);
    firstTab.drafts.change('a', setText('typed in one'));
    await firstTab.recorder.flush();
    secondTab.drafts.onRemoteChange(['a', 'not open']);
    secondTab.drafts.change('a', addPasted('pasted in the other'));
    secondTab.drafts.change('a', (draft) => withEdit(draft, 'two', messageEdit));
    await secondTab.waitUntilSaved();
    expect(secondTab.drafts.state.getState()['a']?.text).toBe('');
    firstTab.drafts.onRemoteChange(['a']);
    firstTab.drafts.change('a', (draft) => withEdit(draft, 'one', messageEdit));
    await firstTab.waitUntilSaved();
    expect(firstTab.drafts.state.getState()['a']?.pasted).toEqual([]);
    expect(await records.readRecord('drafts', 'a')).toEqual({
      sessionId: 'a',
      text: 'typed in one',
      edits: { one: messageEdit, two: messageEdit },
    });
    expect(await records.readRecord('drafts', 'a pasted')).toMatchObject({ pasted: ['pasted in the other'] });
  });
});

describe('a change by another tab during a pending write', () => {
  it('stores both pending changes of this tab', async () => {
    const { drafts, records, waitUntilSaved } = createTestPage();
    await drafts.load('a');
    drafts.change('a', setText('not stored yet'));
    drafts.onRemoteChange(['a']);
    drafts.change('a', (draft) => withEdit(draft, 'one', messageEdit));
    await waitUntilSaved();
    expect(await records.readRecord('drafts', 'a')).toEqual({
      sessionId: 'a',
      text: 'not stored yet',
      edits: { one: messageEdit },
    });
  });
});

describe('the view of a draft', () => {
  it('restores the view per session, and removes the record once the view is back to the default', async () => {
    const { drafts, records, recorder } = createTestPage();
    const view = createViewStore();
    let sessionId: string | undefined = 'a';
    syncDraftView(view, drafts, () => sessionId);
    view.setState({ notTo: ['lane-2'] });
    view.setState({ namesHidden: true, author: 'Ada' });
    sessionId = undefined;
    view.setState(defaultDraftView);
    await drafts.load('a');
    await recorder.flush();
    const nextVisit = createTestPage(records);
    expect(await loadDraftView(nextVisit.drafts, 'a')).toEqual({
      notTo: ['lane-2'],
      namesHidden: true,
      author: 'Ada',
    });
    expect([await loadDraftView(nextVisit.drafts, 'b'), (await nextVisit.drafts.load('a')).text]).toEqual([
      defaultDraftView,
      '',
    ]);
    nextVisit.drafts.change('a', (draft) => ({ ...draft, view: defaultDraftView }));
    await nextVisit.recorder.flush();
    expect(await records.listKeys('drafts')).toEqual([]);
  });

  it.each([
    ['the excluded lane', { notTo: ['lane-2'] }],
    ['the visibility of names', { namesHidden: true }],
    ['the author', { author: 'Ada' }],
  ])('stores the view after a change to only %s', async (_what, change) => {
    const { drafts, records, recorder } = createTestPage();
    const view = createViewStore();
    syncDraftView(view, drafts, () => 'a');
    view.setState(change);
    await drafts.load('a');
    await recorder.flush();
    expect(await loadDraftView(createTestPage(records).drafts, 'a')).toEqual({
      ...defaultDraftView,
      ...change,
    });
  });
});

it('counts a pending write as saved once, even if its end is reported twice', () => {
  const { state, trackWrite } = createUnsavedCounter();
  const [finishFirst, finishSecond] = [trackWrite(), trackWrite()];
  finishFirst();
  finishFirst();
  expect(state.getState().count).toBe(1);
  finishSecond();
  expect(state.getState().count).toBe(0);
});
