/** The rows of the list of events: runs of the same kind folded, slow events always in sight. */
import type { TraceEvent, TraceKind } from './trace-events.ts';

export type TraceRow =
  | { type: 'event'; event: TraceEvent; /** Inside a fold that is open. */ groupNumber?: number }
  /** `first` and `last` are events' numbers; `text` is how the run begins. */
  | {
      type: 'fold';
      first: number;
      last: number;
      atMs: number;
      kind: TraceKind;
      text: string;
      isOpen: boolean;
    };

interface RowOptions {
  /** Events that waited longer than this stand on their own, ms. */
  slowMs: number;
  /** Numbers of the first events of folds that are open. */
  openGroups: ReadonlySet<number>;
  /** Only these kinds, all of them in full; undefined shows everything, folded. */
  kinds?: ReadonlySet<TraceKind> | undefined;
}

/** Fewer than this are shown as they are. */
const minCollapsedEvents = 4;
const maxPreviewChars = 200;

export function buildTraceRows(
  events: readonly TraceEvent[],
  { slowMs, openGroups, kinds }: RowOptions,
): TraceRow[] {
  if (kinds && kinds.size > 0) {
    const hasRequestedKind = (event: TraceEvent) =>
      kinds.has(event.kind) || event.alsoKinds.some((kind) => kinds.has(kind));
    return events.filter(hasRequestedKind).map((event) => ({ type: 'event', event }));
  }
  const rows: TraceRow[] = [];
  const addRange = (from: number, to: number) => {
    const first = events[from];
    if (!first) return;
    if (to - from < minCollapsedEvents) {
      for (let index = from; index < to; index += 1) addEvent(rows, events[index]);
      return;
    }
    const isOpen = openGroups.has(first.number);
    const text = getRangePreview(events, from, to);
    rows.push({
      type: 'fold',
      first: first.number,
      last: to,
      atMs: first.atMs,
      kind: first.kind,
      text,
      isOpen,
    });
    if (isOpen) for (let index = from; index < to; index += 1) addEvent(rows, events[index], first.number);
  };
  for (let index = 0; index < events.length;) {
    addEvent(rows, events[index]);
    const start = index + 1;
    index = start;
    if (!hasSingleKind(events[start - 1])) continue;
    while (index < events.length && canJoinGroup(events[start - 1], events[index], slowMs)) index += 1;
    addRange(start, index);
  }
  return rows;
}

function addEvent(rows: TraceRow[], event: TraceEvent | undefined, groupNumber?: number): void {
  if (event)
    rows.push(groupNumber === undefined ? { type: 'event', event } : { type: 'event', event, groupNumber });
}

function hasSingleKind(event: TraceEvent | undefined): boolean {
  return event !== undefined && event.alsoKinds.length === 0;
}

function canJoinGroup(
  previous: TraceEvent | undefined,
  next: TraceEvent | undefined,
  slowMs: number,
): boolean {
  if (!previous || !next) return false;
  return next.kind === previous.kind && hasSingleKind(next) && next.gapMs < slowMs;
}

function getRangePreview(events: readonly TraceEvent[], from: number, to: number): string {
  let text = '';
  for (let index = from; index < to && text.length < maxPreviewChars; index += 1)
    text += events[index]?.text ?? '';
  return text.slice(0, maxPreviewChars);
}

/** The fold that hides this event, as the number of its first one; undefined where it is in sight. */
export function findCollapsedRow(rows: readonly TraceRow[], number: number): number | undefined {
  const group = rows.find(
    (row) => row.type === 'fold' && !row.isOpen && row.first <= number && number <= row.last,
  );
  return group?.type === 'fold' ? group.first : undefined;
}

/** Where the row of this event stands, or -1. */
export function findEventRow(rows: readonly TraceRow[], number: number): number {
  return rows.findIndex((row) => row.type === 'event' && row.event.number === number);
}
