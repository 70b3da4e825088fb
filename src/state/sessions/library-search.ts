/** Words in the titles, models and texts of all stored sessions, read in slices so that nothing waits for it. */
import * as v from 'valibot';

import {
  buildSnippet,
  getPromptTexts,
  getRunTexts,
  getTurnTexts,
  findMatchingTerms,
  parseQueryTerms,
  type SearchText,
  type Snippet,
} from '../../conversation/files/text-search.ts';
import { promptSchema, runSchema, turnSchema } from '../../conversation/session/session-schemas.ts';
import type { Session, SessionId } from '../../conversation/session/types.ts';
import { getStringProperty } from '../../lib/json.ts';
import type { RecordStore } from '../../storage/record-store.ts';

/** A text that holds the most of the words, and the record that it is in. */
export interface FoundText extends Snippet {
  record: string;
}

export interface FoundTexts {
  /** The first few. */
  texts: readonly FoundText[];
  /** So many others hold as many of the words. */
  more: number;
}

/** Sessions that hold every word of the query somewhere, each with the texts that hold most of them, if one does. */
export type Found = ReadonlyMap<SessionId, FoundTexts | undefined>;

const mostTexts = 3;

/** Small enough that typing is never held up, large enough that many are read at a time. */
const sliceSize = 20;

const texts = {
  prompts: textsIn(promptSchema, getPromptTexts),
  turns: textsIn(turnSchema, getTurnTexts),
  runs: textsIn(runSchema, getRunTexts),
};

function textsIn<T>(schema: v.GenericSchema<unknown, T>, textsOf: (record: T) => SearchText[]) {
  return (raw: unknown): SearchText[] => {
    const read = v.safeParse(schema, raw);
    return read.success ? textsOf(read.output) : [];
  };
}

interface Sighting {
  words: Set<string>;
  best?: { texts: { text: SearchText; record: string }[]; words: number; count: number };
}

/**
 * Tells what is found so far after each slice that found more, and at the end. Rejects with the signal's reason.
 * `sessions` are those that can be found.
 */
export async function searchLibrary(
  records: RecordStore,
  sessions: readonly Session[],
  query: string,
  signal: AbortSignal,
  onFound: (found: Found) => void,
): Promise<void> {
  const words = parseQueryTerms(query);
  const sightings = new Map<SessionId, Sighting>(
    sessions.map((session) => {
      const listed = [session.title, ...(session.summary?.models ?? [])].join('\n');
      return [session.id, { words: new Set(findMatchingTerms(listed, words)) }];
    }),
  );
  const tell = () => onFound(foundIn(sightings, words));
  tell();
  for (const store of ['prompts', 'turns', 'runs'] as const) {
    // Session by session: the answers of a trial are many more than those of all sessions.
    for (let at = 0; at < sessions.length; at += sliceSize) {
      signal.throwIfAborted();
      const slice = sessions.slice(at, at + sliceSize);
      const found = await Promise.all(slice.map(({ id }) => records.ofSession(store, id)));
      signal.throwIfAborted();
      const isNews = found.flat().map((raw) => sight(sightings, raw, store, words));
      if (isNews.includes(true)) tell();
    }
  }
  tell();
}

/** True where the record told something new. */
function sight(
  sightings: Map<SessionId, Sighting>,
  raw: unknown,
  store: keyof typeof texts,
  words: readonly string[],
): boolean {
  const sighting = sightings.get(getStringProperty(raw, 'sessionId') ?? '');
  if (!sighting) return false;
  let isNews = false;
  for (const text of texts[store](raw)) {
    const inside = findMatchingTerms(text.text, words);
    if (inside.length === 0) continue;
    const record = getStringProperty(raw, 'id') ?? '';
    const isBetter = inside.length > (sighting.best?.words ?? 0);
    if (isBetter) sighting.best = { texts: [], words: inside.length, count: 0 };
    if (sighting.best?.words === inside.length) {
      if (sighting.best.texts.length < mostTexts) sighting.best.texts.push({ text, record });
      sighting.best.count += 1;
    }
    isNews ||= isBetter || inside.some((word) => !sighting.words.has(word));
    for (const word of inside) sighting.words.add(word);
  }
  return isNews;
}

function foundIn(sightings: ReadonlyMap<SessionId, Sighting>, words: readonly string[]): Found {
  const found = new Map<SessionId, FoundTexts | undefined>();
  for (const [id, sighting] of sightings) {
    if (sighting.words.size < words.length) continue;
    found.set(id, sighting.best && foundTexts(sighting.best, words));
  }
  return found;
}

function foundTexts({ texts, count }: NonNullable<Sighting['best']>, words: readonly string[]): FoundTexts {
  return {
    texts: texts.map(({ text, record }) => ({ ...buildSnippet(text, words), record })),
    more: count - texts.length,
  };
}
