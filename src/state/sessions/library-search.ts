/** Full-text search in the titles, models and texts of all stored sessions, in slices that never block the page. */
import { chunk } from 'es-toolkit';
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

/** A text with the most matching terms, and the record that contains it. */
export interface TextMatch extends Snippet {
  recordId: string;
}

export interface SessionMatches {
  /** First matching texts, three at most. */
  texts: readonly TextMatch[];
  /** Number of other texts with the same number of matching terms. */
  moreCount: number;
}

/** Sessions that contain every search term, with the texts that match the most terms, if any. */
export type SearchResults = ReadonlyMap<SessionId, SessionMatches | undefined>;

const maxTexts = 3;

/** Small enough to keep typing responsive, large enough to read many sessions at a time. */
const sliceSize = 20;

const textReaders = {
  prompts: createTextReader(promptSchema, getPromptTexts),
  turns: createTextReader(turnSchema, getTurnTexts),
  runs: createTextReader(runSchema, getRunTexts),
};

function createTextReader<T>(schema: v.GenericSchema<unknown, T>, getTexts: (record: T) => SearchText[]) {
  return (raw: unknown): SearchText[] => {
    const parsed = v.safeParse(schema, raw);
    return parsed.success ? getTexts(parsed.output) : [];
  };
}

interface MatchProgress {
  matchedTerms: Set<string>;
  best?: { texts: { text: SearchText; recordId: string }[]; matchedCount: number; count: number };
}

/**
 * Searches these sessions. Reports the results after each slice with new matches and at the end. Rejects with the
 * signal's reason.
 */
export async function searchLibrary(
  records: RecordStore,
  sessions: readonly Session[],
  query: string,
  signal: AbortSignal,
  onResults: (results: SearchResults) => void,
): Promise<void> {
  const terms = parseQueryTerms(query);
  const progressBySession = new Map<SessionId, MatchProgress>(
    sessions.map((session) => {
      const titleAndModels = [session.title, ...(session.summary?.models ?? [])].join('\n');
      return [session.id, { matchedTerms: new Set(findMatchingTerms(titleAndModels, terms)) }];
    }),
  );
  const publish = () => onResults(collectResults(progressBySession, terms));
  publish();
  for (const store of ['prompts', 'turns', 'runs'] as const) {
    // Reads each session separately, because trials have far more answers than all sessions together.
    for (const slice of chunk(sessions, sliceSize)) {
      signal.throwIfAborted();
      const sliceRecords = await Promise.all(slice.map(({ id }) => records.listBySession(store, id)));
      signal.throwIfAborted();
      const changeFlags = sliceRecords
        .flat()
        .map((raw) => updateMatchProgress(progressBySession, raw, store, terms));
      if (changeFlags.includes(true)) publish();
    }
  }
  publish();
}

/** Updates the progress with a record; returns true if it added anything. */
function updateMatchProgress(
  progressBySession: Map<SessionId, MatchProgress>,
  raw: unknown,
  store: keyof typeof textReaders,
  terms: readonly string[],
): boolean {
  const progress = progressBySession.get(getStringProperty(raw, 'sessionId') ?? '');
  if (!progress) return false;
  let hasChanged = false;
  for (const text of textReaders[store](raw)) {
    const matched = findMatchingTerms(text.text, terms);
    if (matched.length === 0) continue;
    const recordId = getStringProperty(raw, 'id') ?? '';
    const isBetter = matched.length > (progress.best?.matchedCount ?? 0);
    if (isBetter) progress.best = { texts: [], matchedCount: matched.length, count: 0 };
    if (progress.best?.matchedCount === matched.length) {
      if (progress.best.texts.length < maxTexts) progress.best.texts.push({ text, recordId });
      progress.best.count += 1;
    }
    hasChanged ||= isBetter || matched.some((term) => !progress.matchedTerms.has(term));
    for (const term of matched) progress.matchedTerms.add(term);
  }
  return hasChanged;
}

function collectResults(
  progressBySession: ReadonlyMap<SessionId, MatchProgress>,
  terms: readonly string[],
): SearchResults {
  const matches = new Map<SessionId, SessionMatches | undefined>();
  for (const [id, progress] of progressBySession) {
    if (progress.matchedTerms.size < terms.length) continue;
    matches.set(id, progress.best && buildSessionMatches(progress.best, terms));
  }
  return matches;
}

function buildSessionMatches(
  { texts, count }: NonNullable<MatchProgress['best']>,
  terms: readonly string[],
): SessionMatches {
  return {
    texts: texts.map(({ text, recordId }) => ({ ...buildSnippet(text, terms), recordId })),
    moreCount: count - texts.length,
  };
}
