/** State of Find in session with its current match. Not persisted. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { FindScope, Hit } from '../../conversation/find/hits.ts';
import type { PromptId, SessionId } from '../../conversation/session/types.ts';

export interface Find {
  /** Session in which the search is open. */
  sessionId?: SessionId | undefined;
  /** True if the search field has focus. */
  isInputFocused: boolean;
  query: string;
  scope: FindScope;
  /** True if opened from a history search, which matches words in any order. */
  isFromHistory: boolean;
  /** Stored record that contains the first match to show. */
  recordId?: string | undefined;
  currentHit?: Hit | undefined;
  /** Scroll target in the conversation. Each navigation creates a new object. */
  scrollTarget?: { promptId: PromptId; hit?: Hit; pattern?: RegExp | undefined } | undefined;
}

export type FindStore = StoreApi<Find>;

export function createFindStore(): FindStore {
  return createStore<Find>(() => ({ isInputFocused: false, query: '', scope: 'all', isFromHistory: false }));
}

/** Opens the search of this session with its previous query. */
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

/** Opens a session's search at the record that matched the query. */
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

export function goToHit(find: FindStore, hit: Hit, pattern?: RegExp): void {
  find.setState({
    currentHit: hit,
    recordId: undefined,
    scrollTarget: { promptId: hit.promptId, hit, pattern },
  });
}

export function goToTurn(find: FindStore, promptId: PromptId): void {
  find.setState({ scrollTarget: { promptId } });
}
