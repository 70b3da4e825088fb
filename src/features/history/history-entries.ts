/** Filters, sorts and groups sessions, trials and embedding sets for the history. */
import { groupBy } from 'es-toolkit';

import type { Session } from '../../conversation/session/types.ts';
import { formatCount, formatList, pluralize } from '../../lib/format.ts';
import type { HistoryColumn, HistoryMark, HistoryView } from '../../state/find/history-view.ts';
import type { SavedSet } from '../../state/lab/saved-sets.ts';
import type { TrialSummary } from '../../state/trials/trials-store.ts';

/** Row of the history. */
export type HistoryEntry = Session | TrialEntry | SetEntry;

/** Trial with the fields by which sessions are sorted and filtered. */
export interface TrialEntry extends Pick<Session, 'id' | 'title' | 'updatedAt' | 'summary'> {
  trial: TrialSummary;
}

/** Saved set of embedded texts. */
export interface SetEntry extends Pick<Session, 'id' | 'title' | 'updatedAt' | 'summary'> {
  set: SavedSet;
}

export function toSetEntry(set: SavedSet): SetEntry {
  const { id, title, updatedAt, models, texts } = set;
  return { id, title, updatedAt, summary: { models: [...models], prompts: texts }, set };
}

export function toTrialEntry(trial: TrialSummary): TrialEntry {
  const { id, title, updatedAt, models, cases } = trial;
  return { id, title, updatedAt, summary: { models, prompts: cases }, trial };
}

export function isTrialEntry(entry: HistoryEntry): entry is TrialEntry {
  return 'trial' in entry;
}

export function isSetEntry(entry: HistoryEntry): entry is SetEntry {
  return 'set' in entry;
}

export type EntryKind = 'Session' | 'Trial' | 'Embedding set';
const entryKinds: readonly EntryKind[] = ['Session', 'Trial', 'Embedding set'];

export function getEntryKind(entry: HistoryEntry): EntryKind {
  if (isTrialEntry(entry)) return 'Trial';
  return isSetEntry(entry) ? 'Embedding set' : 'Session';
}

/** Describes the matching entries of all entries by kind, such as "3 sessions, 1 of 2 trials and 1 embedding set". */
export function describeKindCounts(
  matches: readonly HistoryEntry[],
  entries: readonly HistoryEntry[] = matches,
): string {
  return formatList(
    entryKinds.flatMap((kind) => {
      const [matchCount = 0, total = 0] = [matches, entries].map(
        (list) => list.filter((entry) => getEntryKind(entry) === kind).length,
      );
      if (total === 0) return [];
      const totalText = pluralize(total, kind.toLowerCase());
      return [matchCount === total ? totalText : `${formatCount(matchCount)} of ${totalText}`];
    }),
  );
}

/** Group of entries under a heading; no heading unless the entries are in date order. */
export interface EntryGroup {
  heading: string | undefined;
  entries: readonly HistoryEntry[];
}

/** Returns the matching entries in the requested order. */
export function filterEntries(
  entries: readonly HistoryEntry[],
  { model, mark, sort }: Pick<HistoryView, 'model' | 'mark' | 'sort'>,
  matchingIds: { has: (id: string) => boolean } | undefined,
): HistoryEntry[] {
  const direction = sort.descending ? -1 : 1;
  return entries
    .filter(
      (entry) =>
        (!matchingIds || matchingIds.has(entry.id)) &&
        (model === undefined || entry.summary?.models.includes(model) === true) &&
        hasMark(entry, mark),
    )
    .toSorted((a, b) => direction * compareEntries(a, b, sort.by) || b.updatedAt - a.updatedAt);
}

function hasMark({ summary }: HistoryEntry, mark: HistoryMark | undefined): boolean {
  if (mark === undefined) return true;
  const marks = summary?.marks ?? [];
  return mark === 'any' ? marks.length > 0 : marks.includes(mark);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compareEntries(a: HistoryEntry, b: HistoryEntry, by: HistoryColumn): number {
  switch (by) {
    case 'title':
      return collator.compare(a.title, b.title);
    case 'turns':
      return getPromptCount(a) - getPromptCount(b);
    case 'models':
      return collator.compare(a.summary?.models.join() ?? '', b.summary?.models.join() ?? '');
    case 'tokens':
      return (a.summary?.tokens ?? 0) - (b.summary?.tokens ?? 0);
    case 'when':
      return a.updatedAt - b.updatedAt;
  }
}

function getPromptCount({ summary }: HistoryEntry): number {
  return summary?.prompts ?? 0;
}

/** Lists every model that has answers in sessions, a column in trials, or vectors in sets. */
export function listEntryModels(entries: readonly HistoryEntry[]): string[] {
  return [...new Set(entries.flatMap(({ summary }) => summary?.models ?? []))]
    .filter((model) => model !== '')
    .toSorted(collator.compare);
}

/** Groups entries by the day of their last use if they are sorted by it. */
export function groupByDay(
  entries: readonly HistoryEntry[],
  { by }: HistoryView['sort'],
  nowMs: number,
): EntryGroup[] {
  if (by !== 'when') return [{ heading: undefined, entries }];
  const groups = groupBy(entries, ({ updatedAt }) => formatDayHeading(updatedAt, nowMs));
  return Object.entries(groups).map(([heading, dayEntries]) => ({ heading, entries: dayEntries }));
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });
const daysPerWeek = 7;
const daysPerMonth = 30;

/** Formats the heading of a day: "Today", "Yesterday", "Previous 7 days", "Previous 30 days", or the month. */
export function formatDayHeading(atMs: number, nowMs: number): string {
  const today = new Date(nowMs);
  const getMidnight = (daysAgo: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime();
  if (atMs >= getMidnight(0)) return 'Today';
  if (atMs >= getMidnight(1)) return 'Yesterday';
  if (atMs >= getMidnight(daysPerWeek)) return 'Previous 7 days';
  if (atMs >= getMidnight(daysPerMonth)) return 'Previous 30 days';
  return monthFormat.format(atMs);
}

/**
 * Describes the size: "14 messages" or, with several lanes, "14 messages, 2 lanes"; "60 cases × 2 columns" for a trial;
 * "40 texts" for a set.
 */
export function describeExtent(entry: HistoryEntry): string {
  if (isTrialEntry(entry))
    return `${pluralize(entry.trial.cases, 'case')} × ${pluralize(entry.trial.columns, 'column')}`;
  if (isSetEntry(entry)) return pluralize(entry.set.texts, 'text');
  const { summary, laneIds } = entry;
  const prompts = summary?.prompts ?? 0;
  const messages = `${prompts.toLocaleString('en')} ${prompts === 1 ? 'message' : 'messages'}`;
  return laneIds.length > 1 ? `${messages}, ${laneIds.length} lanes` : messages;
}

/** Formats the tokens of all answers: "1,240", or "~1,240" if some are estimated; "–" if they are not counted. */
export function formatTokenCount({ summary }: HistoryEntry): string {
  if (summary?.tokens === undefined) return '–';
  return `${summary.tokensEstimated ? '~' : ''}${summary.tokens.toLocaleString('en')}`;
}
