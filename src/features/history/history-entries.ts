/** The list of sessions, trials and embedding sets as a person looks at it: which ones, in what order, under which days. */
import type { Session } from '../../conversation/session/types.ts';
import { pluralize } from '../../lib/format.ts';
import type { HistoryColumn, HistoryMark, HistoryView } from '../../state/find/history-view.ts';
import type { SavedSet } from '../../state/lab/saved-sets.ts';
import type { TrialSummary } from '../../state/trials/trials-store.ts';

/** A row of the history. */
export type HistoryEntry = Session | TrialEntry | SetEntry;

/** A trial, with what it is sorted and filtered by where a session has it. */
export interface TrialEntry extends Pick<Session, 'id' | 'title' | 'updatedAt' | 'summary'> {
  trial: TrialSummary;
}

/** A set of texts that was embedded. */
export interface SetEntry extends Pick<Session, 'id' | 'title' | 'updatedAt' | 'summary'> {
  set: SavedSet;
}

export function setEntry(set: SavedSet): SetEntry {
  const { id, title, updatedAt, models, texts } = set;
  return { id, title, updatedAt, summary: { models: [...models], prompts: texts }, set };
}

export function trialEntry(trial: TrialSummary): TrialEntry {
  const { id, title, updatedAt, models, cases } = trial;
  return { id, title, updatedAt, summary: { models, prompts: cases }, trial };
}

export function isTrialEntry(entry: HistoryEntry): entry is TrialEntry {
  return 'trial' in entry;
}

export function isSetEntry(entry: HistoryEntry): entry is SetEntry {
  return 'set' in entry;
}

export function isSessionEntry(entry: HistoryEntry): entry is Session {
  return !isTrialEntry(entry) && !isSetEntry(entry);
}

/** Entries with a heading above them; without one where they are not in the order of their days. */
export interface EntryGroup {
  heading: string | undefined;
  entries: readonly HistoryEntry[];
}

/** Those that are asked for, in the order that is asked for. */
export function listedEntries(
  all: readonly HistoryEntry[],
  { model, mark, sort }: Pick<HistoryView, 'model' | 'mark' | 'sort'>,
  found: { has: (id: string) => boolean } | undefined,
): HistoryEntry[] {
  const direction = sort.descending ? -1 : 1;
  return all
    .filter(
      (entry) =>
        (!found || found.has(entry.id)) &&
        (model === undefined || entry.summary?.models.includes(model) === true) &&
        hasMark(entry, mark),
    )
    .toSorted((one, other) => direction * compared(one, other, sort.by) || other.updatedAt - one.updatedAt);
}

function hasMark({ summary }: HistoryEntry, mark: HistoryMark | undefined): boolean {
  if (mark === undefined) return true;
  const marks = summary?.marks ?? [];
  return mark === 'any' ? marks.length > 0 : marks.includes(mark);
}

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compared(one: HistoryEntry, other: HistoryEntry, by: HistoryColumn): number {
  switch (by) {
    case 'title':
      return words.compare(one.title, other.title);
    case 'turns':
      return promptsOf(one) - promptsOf(other);
    case 'models':
      return words.compare(one.summary?.models.join() ?? '', other.summary?.models.join() ?? '');
    case 'tokens':
      return (one.summary?.tokens ?? 0) - (other.summary?.tokens ?? 0);
    case 'when':
      return one.updatedAt - other.updatedAt;
  }
}

function promptsOf({ summary }: HistoryEntry): number {
  return summary?.prompts ?? 0;
}

/** Every model that sessions have answers of, trials a column, or sets vectors. */
export function modelsIn(all: readonly HistoryEntry[]): string[] {
  return [...new Set(all.flatMap(({ summary }) => summary?.models ?? []))]
    .filter((model) => model !== '')
    .toSorted(words.compare);
}

/** By the days of their last use, where that is their order. */
export function groupedByDay(
  entries: readonly HistoryEntry[],
  { by }: HistoryView['sort'],
  now: number,
): EntryGroup[] {
  if (by !== 'when') return [{ heading: undefined, entries }];
  const groups = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const heading = dayHeading(entry.updatedAt, now);
    groups.set(heading, [...(groups.get(heading) ?? []), entry]);
  }
  return [...groups].map(([heading, inside]) => ({ heading, entries: inside }));
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });
const daysAWeek = 7;
const daysAMonth = 30;

/** "Today", "Yesterday", "Previous 7 days", "Previous 30 days", then the month. */
export function dayHeading(at: number, now: number): string {
  const today = new Date(now);
  const midnight = (daysAgo: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime();
  if (at >= midnight(0)) return 'Today';
  if (at >= midnight(1)) return 'Yesterday';
  if (at >= midnight(daysAWeek)) return 'Previous 7 days';
  if (at >= midnight(daysAMonth)) return 'Previous 30 days';
  return month.format(at);
}

/** What is in it: "14 messages", with several lanes "14 messages, 2 lanes"; of a trial "60 cases × 2 columns"; of a set "40 texts". */
export function extentWords(entry: HistoryEntry): string {
  if (isTrialEntry(entry))
    return `${pluralize(entry.trial.cases, 'case')} × ${pluralize(entry.trial.columns, 'column')}`;
  if (isSetEntry(entry)) return pluralize(entry.set.texts, 'text');
  const { summary, laneIds } = entry;
  const prompts = summary?.prompts ?? 0;
  const messages = `${prompts.toLocaleString('en')} ${prompts === 1 ? 'message' : 'messages'}`;
  return laneIds.length > 1 ? `${messages}, ${laneIds.length} lanes` : messages;
}

/** The tokens of all its answers: "1,240", "about 1,240" where some are counted here. */
export function tokenWords({ summary }: Session): string {
  if (summary?.tokens === undefined) return 'not counted';
  return `${summary.tokensEstimated ? '~' : ''}${summary.tokens.toLocaleString('en')}`;
}
