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
import { createUnsaved, type Unsaved } from './unsaved.ts';

type Edit = (draft: Draft) => Draft;

/** The drafts of all open sessions: held in memory, stored on every change, restored after a reload. */
export interface Drafts {
  /** Drafts as this tab shows them: what was read plus all changes made here. */
  state: StoreApi<Readonly<Record<SessionId, Draft>>>;
  /** Starts the draft of a new session with this text in the composer. Nothing is stored for it yet, so nothing is read. */
  begin: (sessionId: SessionId, text: string) => void;
  /** Returns the draft, reading it from the database first if needed. Rejects if that fails. */
  load: (sessionId: SessionId) => Promise<Draft>;
  /**
   * Applies `edit` to what is shown right away, and to the stored record once that has been read. Only the fields that
   * `edit` changes are replaced. If the record cannot be read, the next change tries again.
   */
  change: (sessionId: SessionId, edit: Edit) => void;
  /** Another tab wrote these drafts. This tab goes on showing its own, and does not overwrite the other's fields. */
  heard: (sessionIds: readonly SessionId[]) => void;
  /** Drops a draft from memory, unless some of it is not stored yet. */
  forget: (sessionId: SessionId) => void;
}

/** What is stored and the draft read from it. */
interface Known {
  raw: Readonly<Record<string, unknown>>;
  draft: Draft;
  /** Another tab has written some of it since. */
  isOld: boolean;
}

export function createDrafts(
  records: RecordStore,
  recorder: Recorder,
  unsaved: Unsaved = createUnsaved(),
): Drafts {
  const state = createStore<Readonly<Record<SessionId, Draft>>>(() => ({}));
  const shown = (id: SessionId): Draft => state.getState()[id] ?? emptyDraft;
  const known = new Map<SessionId, Known>();
  const reading = new Map<SessionId, Promise<void>>();
  /** Changes made before the record was read. */
  const waiting = new Map<SessionId, { edits: Edit[]; isSaved: () => void }>();

  async function read(sessionId: SessionId): Promise<void> {
    const before = known.get(sessionId);
    // The record to read must include what this tab wrote last.
    if (before) await recorder.flush();
    const raw = mergeDraftRecords(
      ...(await Promise.all([
        records.record('drafts', sessionId),
        records.record('drafts', getPasteKey(sessionId)),
      ])),
    );
    const draft = readDraft(raw);
    known.set(sessionId, { raw, draft, isOld: false });
    const { edits, isSaved } = waiting.get(sessionId) ?? { edits: [], isSaved: () => undefined };
    waiting.delete(sessionId);
    if (before) write(sessionId, edits);
    else {
      // Text typed while the record was being read goes below the stored text.
      const own = edits.reduce((now, edit) => edit(now), { ...draft, text: '' });
      const both = { ...own, text: mergeTypedText(draft.text, own.text) };
      state.setState({ [sessionId]: both });
      write(sessionId, edits.length === 0 ? [] : [() => both]);
    }
    isSaved();
  }

  function readOnce(sessionId: SessionId): Promise<void> {
    const under = reading.get(sessionId) ?? read(sessionId).finally(() => reading.delete(sessionId));
    reading.set(sessionId, under);
    return under;
  }

  function write(sessionId: SessionId, edits: readonly Edit[]): void {
    const found = known.get(sessionId);
    if (!found || edits.length === 0) return;
    const draft = edits.reduce((now, edit) => edit(now), found.draft);
    const { raw, writes } = buildDraftWrites(sessionId, found.raw, found.draft, draft);
    known.set(sessionId, { raw, draft, isOld: false });
    for (const each of writes)
      recorder.put(`drafts ${'put' in each ? each.put.sessionId : each.remove}`, each);
  }

  function change(sessionId: SessionId, edit: Edit): void {
    state.setState({ [sessionId]: edit(shown(sessionId)) });
    if (known.get(sessionId)?.isOld === false) return write(sessionId, [edit]);
    const already = waiting.get(sessionId);
    if (already) already.edits.push(edit);
    else waiting.set(sessionId, { edits: [edit], isSaved: unsaved.begin() });
    readOnce(sessionId).catch(() => undefined);
    return undefined;
  }

  return {
    state,
    begin: (sessionId, text) => {
      known.set(sessionId, { raw: {}, draft: emptyDraft, isOld: false });
      change(sessionId, (draft) => ({ ...draft, text }));
    },
    load: async (sessionId) => {
      if (!known.has(sessionId)) await readOnce(sessionId);
      return shown(sessionId);
    },
    change,
    heard: (sessionIds) => {
      for (const id of sessionIds) {
        const found = known.get(id);
        if (found) known.set(id, { ...found, isOld: true });
      }
    },
    forget: (sessionId) => {
      if (waiting.has(sessionId)) return;
      known.delete(sessionId);
      const { [sessionId]: _, ...others } = state.getState();
      state.setState(others, true);
    },
  };
}

/** Loads the draft of each session that is opened and drops it when the session is closed. */
export function keepDrafts(session: SessionStore, drafts: Drafts): void {
  session.subscribe(({ open }, { open: before }) => {
    if (open === before) return;
    for (const id of Object.keys(open)) if (!before[id]) drafts.load(id).catch(() => undefined);
    for (const id of Object.keys(before)) if (!open[id]) drafts.forget(id);
  });
}

/** Stores the part of the view that belongs to the draft of the session on screen. */
export function keepView(view: ViewStore, drafts: Drafts, shown: () => SessionId | undefined): void {
  view.subscribe(({ notTo, namesHidden, author }, before) => {
    const sessionId = shown();
    const isSame = notTo === before.notTo && namesHidden === before.namesHidden && author === before.author;
    if (sessionId !== undefined && !isSame)
      drafts.change(sessionId, (draft) => ({ ...draft, view: { notTo, namesHidden, author } }));
  });
}

/** The stored view of a session; the default one if it cannot be read, since the session is shown anyway. */
export function viewOf(drafts: Drafts, sessionId: SessionId): Promise<Draft['view']> {
  return drafts.load(sessionId).then(
    ({ view }) => view,
    () => defaultDraftView,
  );
}
