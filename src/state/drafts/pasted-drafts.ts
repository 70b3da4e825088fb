/** The long texts that were pasted into a session's composer and wait beside its field: one record a session. */
import type { SessionId } from '../../conversation/session/types.ts';
import { parseJson } from '../../lib/json.ts';
import { pastedDraftId, type Drafts } from './drafts.ts';

export type ChangePasted = (texts: readonly string[]) => readonly string[];

export async function readPasted(drafts: Drafts, sessionId: SessionId): Promise<readonly string[]> {
  return textsOf(await drafts.read(pastedDraftId(sessionId)));
}

/** Changes what is stored in one step, and answers with what is stored then. */
export async function changePasted(
  drafts: Drafts,
  sessionId: SessionId,
  change: ChangePasted,
): Promise<readonly string[]> {
  let texts: readonly string[] = [];
  await drafts.change(pastedDraftId(sessionId), (stored) => {
    texts = change(textsOf(stored));
    return texts.length === 0 ? '' : JSON.stringify(texts);
  });
  return texts;
}

/** A stored record is outside data. */
function textsOf(stored: string): string[] {
  const reading = parseJson(stored);
  return reading.ok && Array.isArray(reading.value)
    ? reading.value.filter((text) => typeof text === 'string')
    : [];
}
