import type { SessionId } from '../conversation/types.ts';
import { stringProperty } from '../lib/json.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Recorder } from './recorder.ts';

/** What was typed in a session's composer and not yet sent; it survives a reload. */
export interface Drafts {
  read: (sessionId: SessionId) => Promise<string>;
  write: (sessionId: SessionId, text: string) => void;
}

/** Where the images that wait in a session's composer stand among the drafts, to be removed with it. */
export function imageDraftId(sessionId: SessionId): string {
  return `${sessionId} images`;
}

/** The same for what was typed into its messages (edit-drafts.ts). */
export function editDraftsId(sessionId: SessionId): string {
  return `${sessionId} edits`;
}

export function createDrafts(records: RecordStore, recorder: Recorder): Drafts {
  // Newer than the disk while a write is under way, or when the database is gone.
  const known = new Map<SessionId, string>();
  return {
    read: async (sessionId) =>
      known.get(sessionId) ?? stringProperty(await records.draft(sessionId), 'text') ?? '',
    write: (sessionId, text) => {
      known.set(sessionId, text);
      recorder.put(
        `drafts ${sessionId}`,
        text === '' ? { store: 'drafts', remove: sessionId } : { store: 'drafts', put: { sessionId, text } },
      );
    },
  };
}
