import type { Session } from '../../conversation/types.ts';

/** Sessions that hold every word in their title or their models, in the given order. */
export function searchSessions(sessions: readonly Session[], query: string): readonly Session[] {
  const words = foldedWords(query);
  if (words.length === 0) return sessions;
  return sessions.filter((session) => {
    const text = folded([session.title, ...(session.summary?.models ?? [])].join('\n'));
    return words.every((word) => text.includes(word));
  });
}

function foldedWords(query: string): string[] {
  return folded(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Without case and accents: nobody types them into a search. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
