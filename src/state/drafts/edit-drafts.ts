/** What was typed into the editors of messages and not yet saved: one record a session, its messages by key. */
import type { SessionId } from '../../conversation/session/types.ts';
import { isRecord, parseJson, stringProperty } from '../../lib/json.ts';
import { editDraftsId, type Drafts } from './drafts.ts';

/** The fields as they are in the editor. `images`: as text of the images' own drafts; empty: as they are stored. */
export type EditDraft = Record<'text' | 'name' | 'toolCallId' | 'toolCalls' | 'images', string>;

export async function readEdit(
  drafts: Drafts,
  sessionId: SessionId,
  key: string,
): Promise<EditDraft | undefined> {
  const edits = editsOf(await drafts.read(editDraftsId(sessionId)));
  return draftOf(Object.hasOwn(edits, key) ? edits[key] : undefined);
}

/** Keeps what is in the editor now; undefined once it was saved or given up. */
export function writeEdit(
  drafts: Drafts,
  sessionId: SessionId,
  key: string,
  draft: EditDraft | undefined,
): Promise<void> {
  return drafts.change(editDraftsId(sessionId), (text) => {
    const { [key]: _, ...others } = editsOf(text);
    const edits = draft ? { ...others, [key]: draft } : others;
    return Object.keys(edits).length === 0 ? '' : JSON.stringify(edits);
  });
}

/** A stored record is outside data. */
function editsOf(text: string): Record<string, unknown> {
  const reading = parseJson(text);
  return reading.ok && isRecord(reading.value) ? reading.value : {};
}

function draftOf(value: unknown): EditDraft | undefined {
  const text = stringProperty(value, 'text');
  if (text === undefined) return undefined;
  return {
    text,
    name: stringProperty(value, 'name') ?? '',
    toolCallId: stringProperty(value, 'toolCallId') ?? '',
    toolCalls: stringProperty(value, 'toolCalls') ?? '',
    images: stringProperty(value, 'images') ?? '',
  };
}
