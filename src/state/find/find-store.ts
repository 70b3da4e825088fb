/** What is looked for in the session on screen, and which hit one is at. Nobody's data: it is gone with the page. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { FindScope, Hit } from '../../conversation/find/hits.ts';
import type { PromptId, SessionId } from '../../conversation/session/types.ts';

export interface Find {
  /** The session in which it is open. */
  sessionId?: SessionId | undefined;
  /** The focus is in its field. */
  isWriting: boolean;
  query: string;
  among: FindScope;
  /** It came from a search of the history, which looks for words in any order. */
  isOfHistory: boolean;
  /** The stored record in which the first hit to show is. */
  record?: string | undefined;
  here?: Hit | undefined;
  /** Where the conversation is to be scrolled to; each going there is an object of its own. */
  goal?: { promptId: PromptId; hit?: Hit; pattern?: RegExp | undefined } | undefined;
}

export type FindStore = StoreApi<Find>;

export function createFind(): FindStore {
  return createStore<Find>(() => ({ isWriting: false, query: '', among: 'all', isOfHistory: false }));
}

/** Opens the search of this session, with the words that were last looked for in it. */
export function openFind(find: FindStore, sessionId: SessionId): void {
  find.setState((state) =>
    state.sessionId === sessionId
      ? {}
      : { sessionId, query: '', among: 'all', isOfHistory: false, record: undefined, here: undefined },
  );
}

/** Opens a session's search at the record in which these words were found. */
export function openFindAt(
  find: FindStore,
  at: { sessionId: SessionId; query: string; record?: string | undefined; isOfHistory: boolean },
): void {
  find.setState({ among: 'all', here: undefined, goal: undefined, record: undefined, ...at });
}

export function closeFind(find: FindStore): void {
  find.setState({
    sessionId: undefined,
    isWriting: false,
    here: undefined,
    record: undefined,
    isOfHistory: false,
  });
}

/** Goes to this hit. */
export function showHit(find: FindStore, hit: Hit, pattern?: RegExp): void {
  find.setState({ here: hit, record: undefined, goal: { promptId: hit.promptId, hit, pattern } });
}

/** Goes to the turn of this prompt. */
export function showTurn(find: FindStore, promptId: PromptId): void {
  find.setState({ goal: { promptId } });
}
