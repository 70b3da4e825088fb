import { findMessages } from '../../conversation/find/hits.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { openFindAt, type FindStore } from '../../state/find/find-store.ts';
import type { PaletteOption } from './palette-option.ts';

const minQueryChars = 3;
const maxMessages = 6;

/** Finds messages of the current session that contain the query. Each option opens Find in session at its message. */
export function buildMessageOptions(data: SessionData, query: string, find: FindStore): PaletteOption[] {
  if (query.length < minQueryChars) return [];
  return findMessages(data, query, maxMessages).map(({ text, location, recordId }, index) => ({
    id: `message ${index} ${recordId}`,
    group: 'Messages',
    icon: 'message',
    label: text,
    note: location,
    run: () => openFindAt(find, { sessionId: data.session.id, query, recordId, isFromHistory: false }),
  }));
}
