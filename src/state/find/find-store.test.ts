import { expect, it } from 'vitest';

import type { Hit } from '../../conversation/find/hits.ts';
import { closeFind, createFindStore, openFind, openFindAt, goToHit, goToTurn } from './find-store.ts';

const hit: Hit = {
  promptId: 'p',
  turnNumber: 1,
  messageKey: 'p 0',
  kind: 'prompt',
  author: 'user',
  recordIds: ['p'],
  occurrence: 0,
};

it('keeps the query while a session is open, and starts empty in another session', () => {
  const find = createFindStore();
  openFind(find, 'one');
  find.setState({ query: 'river', scope: 'answers' });
  goToHit(find, hit);
  const before = find.getState();
  openFind(find, 'one');
  expect(find.getState()).toEqual(before);
  openFind(find, 'two');
  expect(find.getState()).toMatchObject({
    sessionId: 'two',
    query: '',
    scope: 'all',
    isFromHistory: false,
    recordId: undefined,
    currentHit: undefined,
  });
});

it('opens at the record found in the history until a match is selected', () => {
  const find = createFindStore();
  openFind(find, 'one');
  find.setState({ scope: 'prompts' });
  goToHit(find, hit);
  openFindAt(find, { sessionId: 'two', query: 'river', recordId: 'r', isFromHistory: true });
  expect(find.getState()).toMatchObject({
    sessionId: 'two',
    query: 'river',
    scope: 'all',
    recordId: 'r',
    isFromHistory: true,
    currentHit: undefined,
    scrollTarget: undefined,
  });
  goToHit(find, hit, /river/);
  expect(find.getState()).toMatchObject({
    currentHit: hit,
    recordId: undefined,
    scrollTarget: { promptId: 'p', hit, pattern: /river/ },
  });
  goToTurn(find, 'q');
  expect(find.getState()).toMatchObject({ currentHit: hit, scrollTarget: { promptId: 'q' } });
  openFindAt(find, { sessionId: 'two', query: 'sea', isFromHistory: false });
  expect(find.getState().recordId).toBeUndefined();
});

it('closes without a match and remembers the query', () => {
  const find = createFindStore();
  openFindAt(find, { sessionId: 'one', query: 'river', recordId: 'r', isFromHistory: true });
  find.setState({ isInputFocused: true, currentHit: hit });
  closeFind(find);
  expect(find.getState()).toMatchObject({
    sessionId: undefined,
    query: 'river',
    isInputFocused: false,
    currentHit: undefined,
    recordId: undefined,
    isFromHistory: false,
  });
});
