import type { SessionId } from '../../conversation/session/types.ts';
import { ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';
import { firstView, type KeptView, type ViewStore } from '../sessions/view-store.ts';
import { createUnsaved, type Unsaved } from './unsaved.ts';

/** What was typed in a session's composer and not yet sent, and where it would go; it survives a reload. */
export interface Drafts {
  read: (sessionId: SessionId) => Promise<string>;
  write: (sessionId: SessionId, text: string) => void;
  /** Reads, edits and writes as one step: of several changes none takes back another. */
  change: (sessionId: SessionId, edit: (text: string) => string) => Promise<void>;
  readView: (sessionId: SessionId) => Promise<KeptView>;
  writeView: (sessionId: SessionId, view: KeptView) => void;
}

/** What a composer shows whose stored text arrived after one had begun to type (undefined: had not): both. */
export function withTyped(stored: string, typed: string | undefined): string {
  if (typed === undefined || stored === typed) return stored;
  return [stored, typed].filter((text) => text !== '').join('\n');
}

/** Where the images that wait in a session's composer stand among the drafts, to be removed with it. */
export function imageDraftId(sessionId: SessionId): string {
  return `${sessionId} images`;
}

/** The same for what was typed into its messages (edit-drafts.ts). */
export function editDraftsId(sessionId: SessionId): string {
  return `${sessionId} edits`;
}

/** The same for the long texts that were pasted and wait beside its field (pasted-drafts.ts). */
export function pastedDraftId(sessionId: SessionId): string {
  return `${sessionId} pasted`;
}

/** The same for where the draft goes. */
export function viewDraftId(sessionId: SessionId): string {
  return `${sessionId} view`;
}

export function createDrafts(
  records: RecordStore,
  recorder: Recorder,
  unsaved: Unsaved = createUnsaved(),
): Drafts {
  // Newer than the disk while a write is under way, or when the database is gone.
  const known = new Map<string, string>();
  const read = async (id: string) => known.get(id) ?? stringProperty(await records.draft(id), 'text') ?? '';
  const write = (id: string, text: string) => {
    known.set(id, text);
    recorder.put(
      `drafts ${id}`,
      text === '' ? { store: 'drafts', remove: id } : { store: 'drafts', put: { sessionId: id, text } },
    );
  };
  let changing: Promise<void> = Promise.resolve();
  return {
    read,
    write,
    change: (id, edit) => {
      const isSaved = unsaved.begin();
      const changed = changing.then(async () => write(id, edit(await read(id)))).finally(isSaved);
      changing = changed.catch(() => undefined);
      return changed;
    },
    // A session is shown also where the disk cannot say how it was looked at.
    readView: (sessionId) => read(viewDraftId(sessionId)).then(readKept, () => firstView),
    writeView: (sessionId, { notTo, namesHidden, author }) => {
      const isFirst = notTo.length === 0 && !namesHidden && author === '';
      write(viewDraftId(sessionId), isFirst ? '' : JSON.stringify({ notTo, namesHidden, author }));
    },
  };
}

/** A stored record is outside data: what cannot be read is as it is at first. */
function readKept(text: string): KeptView {
  const reading = parseJson(text);
  const stored: unknown = reading.ok ? reading.value : undefined;
  const notTo: unknown = ownProperty(stored, 'notTo');
  return {
    notTo: Array.isArray(notTo) ? notTo.filter((id) => typeof id === 'string') : [],
    namesHidden: ownProperty(stored, 'namesHidden') === true,
    author: stringProperty(stored, 'author') ?? '',
  };
}

/** Keeps what belongs to the draft of the session on screen whenever it changes. */
export function keepView(view: ViewStore, drafts: Drafts, shown: () => SessionId | undefined): void {
  view.subscribe((now, before) => {
    const sessionId = shown();
    const isSame =
      now.notTo === before.notTo && now.namesHidden === before.namesHidden && now.author === before.author;
    if (sessionId !== undefined && !isSame) drafts.writeView(sessionId, now);
  });
}
