import { createStore, type StoreApi } from 'zustand/vanilla';

import { setRun } from '../../conversation/session/edit-session.ts';
import type { ReadSessionResult } from '../../conversation/session/read-session.ts';
import type { Run, RunId, SessionData, SessionId } from '../../conversation/session/types.ts';

export interface SessionState {
  /** The session on screen. Others stay in `open` while a run of theirs is live. */
  currentId: SessionId | undefined;
  open: Readonly<Record<SessionId, SessionData>>;
  /** The address names a session that is not stored here. */
  missingId?: SessionId | undefined;
  /** Why that session could not be read, where it may well be stored. */
  loadError?: string | undefined;
  unreadable: ReadSessionResult['unreadable'];
  /** What was done last and can still be taken back. */
  undo?: UndoOffer | undefined;
}

export interface UndoOffer extends UndoScope {
  id: string;
  text: string;
  restore: () => void;
  expire: () => void;
}

export interface UndoScope {
  /** The session that it is in, if any, stays open for it. */
  sessionId?: SessionId;
  /** An edit of setups: the sidebar shows the offer, and the next edit ends it. */
  isSetup?: true;
}

/** Offers in this sentence to take back what was done. */
export type OfferUndo = (text: string, restore: () => void, expire: () => void, scope?: UndoScope) => void;

export type SessionStore = StoreApi<SessionState>;

export function createSessionStore(): SessionStore {
  return createStore<SessionState>(() => ({ currentId: undefined, open: {}, unreadable: [] }));
}

/** The session on screen, or undefined while it is being opened. */
export function getCurrentSession(state: SessionState): SessionData | undefined {
  return state.currentId === undefined ? undefined : state.open[state.currentId];
}

/** Changes the session on screen; nothing where there is none. */
export function updateCurrentSession(store: SessionStore, change: (data: SessionData) => SessionData): void {
  const id = store.getState().currentId;
  if (id !== undefined) updateSession(store, id, change);
}

/** Changes one open session by a pure edit; nothing happens where it is no longer open. */
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

/** Changes these runs in one write, whatever sessions they are in; nothing happens where none is open. */
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

/** The open session that holds this run. */
export function findSessionByRun(state: SessionState, runId: RunId): SessionData | undefined {
  return Object.values(state.open).find((data) => data.runs[runId]);
}
