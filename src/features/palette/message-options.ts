import { findMessages } from '../../conversation/find/hits.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { openFindAt, type FindStore } from '../../state/find/find-store.ts';
import type { PaletteOption } from './palette-option.ts';

const fewestLetters = 3;
const mostMessages = 6;

/** Messages of the session on screen that hold these words: each opens Find there. */
export function messageOptions(data: SessionData, query: string, find: FindStore): PaletteOption[] {
  if (query.length < fewestLetters) return [];
  return findMessages(data, query, mostMessages).map(({ text, location, recordId }, index) => ({
    id: `message ${index} ${recordId}`,
    group: 'Messages',
    icon: 'message',
    words: text,
    note: location,
    run: () =>
      openFindAt(find, { sessionId: data.session.id, query, record: recordId, isFromHistory: false }),
  }));
}
