import { expect, it } from 'vitest';

import type { Hit } from '../../conversation/find/hits.ts';
import { closeFind, createFind, openFind, openFindAt, showHit, showTurn } from './find-store.ts';

const hit: Hit = {
  promptId: 'p',
  turn: 1,
  message: 'p 0',
  kind: 'prompt',
  author: 'user',
  records: ['p'],
  occurrence: 0,
};

it('keeps its words in a session while that is on screen, and begins without any in another', () => {
  const find = createFind();
  openFind(find, 'one');
  find.setState({ query: 'river', among: 'answers' });
  showHit(find, hit);
  const before = find.getState();
  openFind(find, 'one');
  expect(find.getState()).toEqual(before);
  openFind(find, 'two');
  expect(find.getState()).toMatchObject({
    sessionId: 'two',
    query: '',
    among: 'all',
    isOfHistory: false,
    record: undefined,
    here: undefined,
  });
});

it('opens at the record where words of the history were found, until a hit is gone to', () => {
  const find = createFind();
  openFind(find, 'one');
  find.setState({ among: 'prompts' });
  showHit(find, hit);
  openFindAt(find, { sessionId: 'two', query: 'river', record: 'r', isOfHistory: true });
  expect(find.getState()).toMatchObject({
    sessionId: 'two',
    query: 'river',
    among: 'all',
    record: 'r',
    isOfHistory: true,
    here: undefined,
    goal: undefined,
  });
  showHit(find, hit, /river/);
  expect(find.getState()).toMatchObject({
    here: hit,
    record: undefined,
    goal: { promptId: 'p', hit, pattern: /river/ },
  });
  showTurn(find, 'q');
  expect(find.getState()).toMatchObject({ here: hit, goal: { promptId: 'q' } });
  openFindAt(find, { sessionId: 'two', query: 'sea', isOfHistory: false });
  expect(find.getState().record).toBeUndefined();
});

it('is closed without a hit, and remembers the words for the next time', () => {
  const find = createFind();
  openFindAt(find, { sessionId: 'one', query: 'river', record: 'r', isOfHistory: true });
  find.setState({ isWriting: true, here: hit });
  closeFind(find);
  expect(find.getState()).toMatchObject({
    sessionId: undefined,
    query: 'river',
    isWriting: false,
    here: undefined,
    record: undefined,
    isOfHistory: false,
  });
});
