import { createStore, type StoreApi } from 'zustand/vanilla';

import { setRun } from '../../conversation/session/edit-session.ts';
import type { ReadSessionResult } from '../../conversation/session/read-session.ts';
import type { Run, RunId, SessionData, SessionId } from '../../conversation/session/types.ts';

export interface SessionState {
  /** ID of the current session. Other sessions stay in `open` while they have a live run. */
  currentId: SessionId | undefined;
  open: Readonly<Record<SessionId, SessionData>>;
  /** ID in the URL of a session that is not stored here. */
  missingId?: SessionId | undefined;
  /** Reason why the requested session could not be read, although it may be stored. */
  loadError?: string | undefined;
  unreadable: ReadSessionResult['unreadable'];
  /** Last action that can still be undone. */
  undo?: UndoOffer | undefined;
}

export interface UndoOffer extends UndoScope {
  id: string;
  text: string;
  restore: () => void;
  expire: () => void;
}

export interface UndoScope {
  /** Session that stays open for the undo, if any. */
  sessionId?: SessionId;
  /** True for edits of setups: the sidebar offers Undo, and the next edit replaces the offer. */
  isSetup?: true;
}

/** Offers Undo with this message. */
export type OfferUndo = (text: string, restore: () => void, expire: () => void, scope?: UndoScope) => void;

export type SessionStore = StoreApi<SessionState>;

export function createSessionStore(): SessionStore {
  return createStore<SessionState>(() => ({ currentId: undefined, open: {}, unreadable: [] }));
}

/** Returns the current session, or undefined while it is being opened. */
export function getCurrentSession(state: SessionState): SessionData | undefined {
  return state.currentId === undefined ? undefined : state.open[state.currentId];
}

/** Changes the current session, if there is one. */
export function updateCurrentSession(store: SessionStore, change: (data: SessionData) => SessionData): void {
  const id = store.getState().currentId;
  if (id !== undefined) updateSession(store, id, change);
}

/** Applies a pure edit to an open session; does nothing if it has been closed. */
export function updateSession(
  store: SessionStore,
  sessionId: SessionId,
  change: (data: SessionData) => SessionData,
): void {
  store.setState((state) => {
    const data = state.open[sessionId];
    if (!data) return state;
    const next = change(data);
    return next === data ? state : { open: { ...state.open, [sessionId]: next } };
  });
}

/** Changes these runs of any open sessions with one store update. */
export function updateRuns(store: SessionStore, runIds: Iterable<RunId>, change: (run: Run) => Run): void {
  store.setState((state) => {
    const changedSessions = new Map<SessionId, SessionData>();
    for (const runId of runIds) {
      const openData = findSessionByRun(state, runId);
      const data = openData && (changedSessions.get(openData.session.id) ?? openData);
      const run = data?.runs[runId];
      if (data && run) changedSessions.set(data.session.id, setRun(data, change(run)));
    }
    return changedSessions.size === 0
      ? state
      : { open: { ...state.open, ...Object.fromEntries(changedSessions) } };
  });
}

/** Returns the open session that contains this run. */
export function findSessionByRun(state: SessionState, runId: RunId): SessionData | undefined {
  return Object.values(state.open).find((data) => data.runs[runId]);
}
