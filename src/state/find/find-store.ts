/** What is looked for in the session on screen, and which hit one is at. Nobody's data: it is gone with the page. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { FindScope, Hit } from '../../conversation/find/hits.ts';
import type { PromptId, SessionId } from '../../conversation/session/types.ts';

export interface Find {
  /** The session in which it is open. */
  sessionId?: SessionId | undefined;
  /** The focus is in its field. */
  isInputFocused: boolean;
  query: string;
  scope: FindScope;
  /** It came from a search of the history, which looks for words in any order. */
  isFromHistory: boolean;
  /** The stored record in which the first hit to show is. */
  recordId?: string | undefined;
  currentHit?: Hit | undefined;
  /** Where the conversation is to be scrolled to; each going there is an object of its own. */
  scrollTarget?: { promptId: PromptId; hit?: Hit; pattern?: RegExp | undefined } | undefined;
}

export type FindStore = StoreApi<Find>;

export function createFindStore(): FindStore {
  return createStore<Find>(() => ({ isInputFocused: false, query: '', scope: 'all', isFromHistory: false }));
}

/** Opens the search of this session, with the words that were last looked for in it. */
export function openFind(find: FindStore, sessionId: SessionId): void {
  find.setState((state) =>
    state.sessionId === sessionId
      ? {}
      : {
          sessionId,
          query: '',
          scope: 'all',
          isFromHistory: false,
          recordId: undefined,
          currentHit: undefined,
        },
  );
}

/** Opens a session's search at the record in which these words were found. */
export function openFindAt(
  find: FindStore,
  target: { sessionId: SessionId; query: string; recordId?: string | undefined; isFromHistory: boolean },
): void {
  find.setState({
    scope: 'all',
    currentHit: undefined,
    scrollTarget: undefined,
    recordId: undefined,
    ...target,
  });
}

export function closeFind(find: FindStore): void {
  find.setState({
    sessionId: undefined,
    isInputFocused: false,
    currentHit: undefined,
    recordId: undefined,
    isFromHistory: false,
  });
}

/** Goes to this hit. */
export function goToHit(find: FindStore, hit: Hit, pattern?: RegExp): void {
  find.setState({
    currentHit: hit,
    recordId: undefined,
    scrollTarget: { promptId: hit.promptId, hit, pattern },
  });
}

/** Goes to the turn of this prompt. */
export function goToTurn(find: FindStore, promptId: PromptId): void {
  find.setState({ scrollTarget: { promptId } });
}
