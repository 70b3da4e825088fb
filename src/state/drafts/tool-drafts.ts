/** Results of tool calls as they are typed, before they are sent: one for every lane, and back after a reload. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { WrittenResult, WrittenResults } from '../../conversation/request/tool-results-pending.ts';
import type { PromptId, SessionId } from '../../conversation/session/types.ts';
import { isRecord, ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';

/** By session and prompt: the calls of all lanes that answered one prompt share their results. */
export type WrittenBySession = Readonly<Record<SessionId, Readonly<Record<PromptId, WrittenResults>>>>;

export interface ToolDrafts {
  state: StoreApi<{ written: WrittenBySession }>;
  /** Fetches what an earlier page left; what was typed here meanwhile is newer. */
  load: (sessionId: SessionId) => Promise<void>;
  write: (sessionId: SessionId, promptId: PromptId, key: string, result: WrittenResult) => void;
}

/** Where the record stands among the drafts, to be removed with its session. */
export function toolDraftsId(sessionId: SessionId): string {
  return `${sessionId} results`;
}

export function createToolDrafts(records: RecordStore, recorder: Recorder): ToolDrafts {
  const state = createStore<{ written: WrittenBySession }>(() => ({ written: {} }));
  const loading = new Map<SessionId, Promise<void>>();
  const known = new Set<SessionId>();

  async function load(sessionId: SessionId): Promise<void> {
    const stored = readWritten(stringProperty(await records.draft(toolDraftsId(sessionId)), 'text') ?? '');
    known.add(sessionId);
    const typed = state.getState().written[sessionId] ?? {};
    const prompts = new Set([...Object.keys(stored), ...Object.keys(typed)]);
    const merged = [...prompts].map((id): [PromptId, WrittenResults] => [
      id,
      { ...stored[id], ...typed[id] },
    ]);
    state.setState(({ written }) => ({ written: { ...written, [sessionId]: Object.fromEntries(merged) } }));
    if (Object.keys(typed).length > 0) store(sessionId);
  }

  /** Not before it is known what is stored: nothing of that is replaced. */
  function store(sessionId: SessionId): void {
    if (!known.has(sessionId)) return;
    const text = JSON.stringify(state.getState().written[sessionId]);
    const id = toolDraftsId(sessionId);
    recorder.put(`drafts ${id}`, { store: 'drafts', put: { sessionId: id, text } });
  }

  /** What could not be read is tried again with the next act. */
  function loadOnce(sessionId: SessionId): Promise<void> {
    const under = loading.get(sessionId) ?? load(sessionId);
    loading.set(sessionId, under);
    under.catch(() => loading.delete(sessionId));
    return under;
  }

  return {
    state,
    load: loadOnce,
    write: (sessionId, promptId, key, result) => {
      state.setState(({ written }) => {
        const session = written[sessionId] ?? {};
        const row = { ...session[promptId], [key]: result };
        return { written: { ...written, [sessionId]: { ...session, [promptId]: row } } };
      });
      store(sessionId);
      loadOnce(sessionId).catch(() => undefined);
    },
  };
}

/** A stored record is outside data: what is not a result is left out. */
function readWritten(text: string): Record<PromptId, WrittenResults> {
  const reading = parseJson(text);
  return entriesOf(reading.ok ? reading.value : undefined, (rows) =>
    entriesOf(rows, (entry) => {
      const typed = stringProperty(entry, 'text');
      if (typed === undefined) return undefined;
      return ownProperty(entry, 'isError') === true ? { text: typed, isError: true } : { text: typed };
    }),
  );
}

function entriesOf<T>(value: unknown, read: (value: unknown) => T | undefined): Record<string, T> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([key, inner]): [string, T][] => {
      const found = read(inner);
      return found === undefined ? [] : [[key, found]];
    }),
  );
}
