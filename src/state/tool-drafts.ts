/** Results of tool calls as they are typed, before they are sent: one for every lane, and back after a reload. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { WrittenResult, WrittenResults } from '../conversation/tool-results-pending.ts';
import type { PromptId, SessionId } from '../conversation/types.ts';
import { isRecord, ownProperty, parseJson, stringProperty } from '../lib/json.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Recorder } from './recorder.ts';

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
  const loaded = new Set<SessionId>();

  return {
    state,
    load: async (sessionId) => {
      if (loaded.has(sessionId)) return;
      loaded.add(sessionId);
      const stored = readWritten(stringProperty(await records.draft(toolDraftsId(sessionId)), 'text') ?? '');
      state.setState(({ written }) => {
        const typed = written[sessionId] ?? {};
        const prompts = new Set([...Object.keys(stored), ...Object.keys(typed)]);
        const merged = [...prompts].map((id): [PromptId, WrittenResults] => [
          id,
          { ...stored[id], ...typed[id] },
        ]);
        return { written: { ...written, [sessionId]: Object.fromEntries(merged) } };
      });
    },
    write: (sessionId, promptId, key, result) => {
      state.setState(({ written }) => {
        const session = written[sessionId] ?? {};
        const row = { ...session[promptId], [key]: result };
        return { written: { ...written, [sessionId]: { ...session, [promptId]: row } } };
      });
      const text = JSON.stringify(state.getState().written[sessionId]);
      const id = toolDraftsId(sessionId);
      recorder.put(`drafts ${id}`, { store: 'drafts', put: { sessionId: id, text } });
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
