/** The list of sessions as a person looks at it: which ones, in what order, under which days. */
import type { Session } from '../../conversation/session/types.ts';
import type { HistoryColumn, HistoryMark, HistoryView } from '../../state/find/history-view.ts';
import type { Found } from '../../state/sessions/library-search.ts';

/** Sessions with a heading above them; without one where they are not in the order of their days. */
export interface SessionGroup {
  heading: string | undefined;
  sessions: readonly Session[];
}

/** Those that are asked for, in the order that is asked for. */
export function listedSessions(
  sessions: readonly Session[],
  { model, mark, sort }: Pick<HistoryView, 'model' | 'mark' | 'sort'>,
  found: Found | undefined,
): Session[] {
  const direction = sort.descending ? -1 : 1;
  return sessions
    .filter(
      (session) =>
        (!found || found.has(session.id)) &&
        (model === undefined || session.summary?.models.includes(model) === true) &&
        hasMark(session, mark),
    )
    .toSorted((one, other) => direction * compared(one, other, sort.by) || other.updatedAt - one.updatedAt);
}

function hasMark({ summary }: Session, mark: HistoryMark | undefined): boolean {
  if (mark === undefined) return true;
  const marks = summary?.marks ?? [];
  return mark === 'any' ? marks.length > 0 : marks.includes(mark);
}

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compared(one: Session, other: Session, by: HistoryColumn): number {
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

function promptsOf({ summary }: Session): number {
  return summary?.prompts ?? 0;
}

/** Every model that the sessions have answers of. */
export function modelsIn(sessions: readonly Session[]): string[] {
  return [...new Set(sessions.flatMap(({ summary }) => summary?.models ?? []))]
    .filter((model) => model !== '')
    .toSorted(words.compare);
}

/** By the days of their last use, where that is their order. */
export function groupedByDay(
  sessions: readonly Session[],
  { by }: HistoryView['sort'],
  now: number,
): SessionGroup[] {
  if (by !== 'when') return [{ heading: undefined, sessions }];
  const groups = new Map<string, Session[]>();
  for (const session of sessions) {
    const heading = dayHeading(session.updatedAt, now);
    groups.set(heading, [...(groups.get(heading) ?? []), session]);
  }
  return [...groups].map(([heading, inside]) => ({ heading, sessions: inside }));
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

/** What is in a session: "14 messages", with several lanes "14 messages, 2 lanes". */
export function extentWords({ summary, laneIds }: Session): string {
  const prompts = summary?.prompts ?? 0;
  const messages = `${prompts.toLocaleString('en')} ${prompts === 1 ? 'message' : 'messages'}`;
  return laneIds.length > 1 ? `${messages}, ${laneIds.length} lanes` : messages;
}

/** The tokens of all its answers: "1,240", "about 1,240" where some are counted here. */
export function tokenWords({ summary }: Session): string {
  if (summary?.tokens === undefined) return 'not counted';
  return `${summary.tokensEstimated ? '~' : ''}${summary.tokens.toLocaleString('en')}`;
}
