import { createStore, type StoreApi } from 'zustand/vanilla';

import {
  buildDraftWrites,
  emptyDraft,
  defaultDraftView,
  mergeDraftRecords,
  getPasteKey,
  readDraft,
  mergeTypedText,
  type Draft,
} from '../../conversation/session/draft.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { ViewStore } from '../sessions/view-store.ts';
import { createUnsavedCounter, type UnsavedCounter } from './unsaved-counter.ts';

type Edit = (draft: Draft) => Draft;

/** The drafts of all open sessions: held in memory, stored on every change, restored after a reload. */
export interface Drafts {
  /** Drafts as shown in this tab: the stored content with all local changes. */
  state: StoreApi<Readonly<Record<SessionId, Draft>>>;
  /** Starts the draft of a new session with this text. No record exists yet, so none is read. */
  startDraft: (sessionId: SessionId, text: string) => void;
  /** Returns the draft, reading it from the database first if necessary. Rejects if that fails. */
  load: (sessionId: SessionId) => Promise<Draft>;
  /**
   * Applies `edit` to the visible draft immediately, and to the stored record once that has been read. Replaces only
   * the fields that `edit` changes. If the record cannot be read, the next change tries again.
   */
  change: (sessionId: SessionId, edit: Edit) => void;
  /**
   * Called when another tab has written these drafts. This tab keeps showing its own drafts and does not overwrite
   * fields changed by the other tab.
   */
  onRemoteChange: (sessionIds: readonly SessionId[]) => void;
  /** Drops a draft from memory unless some of it is not stored yet. */
  drop: (sessionId: SessionId) => void;
}

/** A stored record and the draft parsed from it. */
interface LoadedDraft {
  raw: Readonly<Record<string, unknown>>;
  draft: Draft;
  /** True if another tab has written to the record since it was read. */
  isOutdated: boolean;
}

export function createDrafts(
  records: RecordStore,
  recorder: Recorder,
  unsaved: UnsavedCounter = createUnsavedCounter(),
): Drafts {
  const state = createStore<Readonly<Record<SessionId, Draft>>>(() => ({}));
  const getVisibleDraft = (id: SessionId): Draft => state.getState()[id] ?? emptyDraft;
  const loadedDrafts = new Map<SessionId, LoadedDraft>();
  const pendingReads = new Map<SessionId, Promise<void>>();
  /** Changes made before the record was read. */
  const pendingEdits = new Map<SessionId, { edits: Edit[]; onSaved: () => void }>();

  async function read(sessionId: SessionId): Promise<void> {
    const previous = loadedDrafts.get(sessionId);
    // Flushed first, because the record must include the latest changes from this tab.
    if (previous) await recorder.flush();
    const raw = mergeDraftRecords(
      ...(await Promise.all([
        records.readRecord('drafts', sessionId),
        records.readRecord('drafts', getPasteKey(sessionId)),
      ])),
    );
    const draft = readDraft(raw);
    loadedDrafts.set(sessionId, { raw, draft, isOutdated: false });
    const { edits, onSaved } = pendingEdits.get(sessionId) ?? { edits: [], onSaved: () => undefined };
    pendingEdits.delete(sessionId);
    if (previous) write(sessionId, edits);
    else {
      // Text typed while the record was being read is appended to the stored text.
      const typedDraft = edits.reduce((current, edit) => edit(current), { ...draft, text: '' });
      const mergedDraft = { ...typedDraft, text: mergeTypedText(draft.text, typedDraft.text) };
      state.setState({ [sessionId]: mergedDraft });
      write(sessionId, edits.length === 0 ? [] : [() => mergedDraft]);
    }
    onSaved();
  }

  function readOnce(sessionId: SessionId): Promise<void> {
    const pendingRead =
      pendingReads.get(sessionId) ?? read(sessionId).finally(() => pendingReads.delete(sessionId));
    pendingReads.set(sessionId, pendingRead);
    return pendingRead;
  }

  function write(sessionId: SessionId, edits: readonly Edit[]): void {
    const loaded = loadedDrafts.get(sessionId);
    if (!loaded || edits.length === 0) return;
    const draft = edits.reduce((current, edit) => edit(current), loaded.draft);
    const { raw, writes } = buildDraftWrites(sessionId, loaded.raw, loaded.draft, draft);
    loadedDrafts.set(sessionId, { raw, draft, isOutdated: false });
    for (const draftWrite of writes)
      recorder.put(
        `drafts ${'put' in draftWrite ? draftWrite.put.sessionId : draftWrite.remove}`,
        draftWrite,
      );
  }

  function change(sessionId: SessionId, edit: Edit): void {
    state.setState({ [sessionId]: edit(getVisibleDraft(sessionId)) });
    if (loadedDrafts.get(sessionId)?.isOutdated === false) return write(sessionId, [edit]);
    const pending = pendingEdits.get(sessionId);
    if (pending) pending.edits.push(edit);
    else pendingEdits.set(sessionId, { edits: [edit], onSaved: unsaved.trackWrite() });
    readOnce(sessionId).catch(() => undefined);
    return undefined;
  }

  return {
    state,
    startDraft: (sessionId, text) => {
      loadedDrafts.set(sessionId, { raw: {}, draft: emptyDraft, isOutdated: false });
      change(sessionId, (draft) => ({ ...draft, text }));
    },
    load: async (sessionId) => {
      if (!loadedDrafts.has(sessionId)) await readOnce(sessionId);
      return getVisibleDraft(sessionId);
    },
    change,
    onRemoteChange: (sessionIds) => {
      for (const id of sessionIds) {
        const loaded = loadedDrafts.get(id);
        if (loaded) loadedDrafts.set(id, { ...loaded, isOutdated: true });
      }
    },
    drop: (sessionId) => {
      if (pendingEdits.has(sessionId)) return;
      loadedDrafts.delete(sessionId);
      const { [sessionId]: _, ...others } = state.getState();
      state.setState(others, true);
    },
  };
}

/** Loads the draft of each session that is opened and drops it when the session is closed. */
export function syncDrafts(session: SessionStore, drafts: Drafts): void {
  session.subscribe(({ open }, { open: openBefore }) => {
    if (open === openBefore) return;
    for (const id of Object.keys(open)) if (!openBefore[id]) drafts.load(id).catch(() => undefined);
    for (const id of Object.keys(openBefore)) if (!open[id]) drafts.drop(id);
  });
}

/** Stores the part of the view that belongs to the draft of the open session. */
export function syncDraftView(
  view: ViewStore,
  drafts: Drafts,
  getSessionId: () => SessionId | undefined,
): void {
  view.subscribe(({ notTo, namesHidden, author }, previous) => {
    const sessionId = getSessionId();
    const isSame =
      notTo === previous.notTo && namesHidden === previous.namesHidden && author === previous.author;
    if (sessionId !== undefined && !isSame)
      drafts.change(sessionId, (draft) => ({ ...draft, view: { notTo, namesHidden, author } }));
  });
}

/**
 * Loads the stored view of a session. Resolves with the default view if it cannot be read, since the session is shown
 * anyway.
 */
export function loadDraftView(drafts: Drafts, sessionId: SessionId): Promise<Draft['view']> {
  return drafts.load(sessionId).then(
    ({ view }) => view,
    () => defaultDraftView,
  );
}
