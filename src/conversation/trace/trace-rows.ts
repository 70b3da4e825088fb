/** The rows of the list of events: runs of the same kind folded, slow events always in sight. */
import type { TraceEvent, TraceKind } from './trace-events.ts';

export type TraceRow =
  | { type: 'event'; event: TraceEvent; /** Inside a fold that is open. */ inFold?: number }
  /** `first` and `last` are events' numbers; `text` is how the run begins. */
  | { type: 'fold'; first: number; last: number; atMs: number; kind: TraceKind; text: string; open: boolean };

interface RowChoices {
  /** Events that waited longer than this stand on their own, ms. */
  slowMs: number;
  /** Numbers of the first events of folds that are open. */
  open: ReadonlySet<number>;
  /** Only these kinds, all of them in full; undefined shows everything, folded. */
  kinds?: ReadonlySet<TraceKind> | undefined;
}

/** Fewer than this are shown as they are. */
const fewestToFold = 4;
const longestStart = 200;

export function traceRowsOf(events: readonly TraceEvent[], { slowMs, open, kinds }: RowChoices): TraceRow[] {
  if (kinds && kinds.size > 0) {
    const isAsked = (event: TraceEvent) =>
      kinds.has(event.kind) || event.also.some((kind) => kinds.has(kind));
    return events.filter(isAsked).map((event) => ({ type: 'event', event }));
  }
  const rows: TraceRow[] = [];
  const addRange = (from: number, to: number) => {
    const first = events[from];
    if (!first) return;
    if (to - from < fewestToFold) {
      for (let at = from; at < to; at += 1) addEvent(rows, events[at]);
      return;
    }
    const isOpen = open.has(first.number);
    const text = startOf(events, from, to);
    rows.push({
      type: 'fold',
      first: first.number,
      last: to,
      atMs: first.atMs,
      kind: first.kind,
      text,
      open: isOpen,
    });
    if (isOpen) for (let at = from; at < to; at += 1) addEvent(rows, events[at], first.number);
  };
  for (let at = 0; at < events.length;) {
    addEvent(rows, events[at]);
    const from = at + 1;
    at = from;
    if (!isPlain(events[from - 1])) continue;
    while (at < events.length && continues(events[from - 1], events[at], slowMs)) at += 1;
    addRange(from, at);
  }
  return rows;
}

function addEvent(rows: TraceRow[], event: TraceEvent | undefined, inFold?: number): void {
  if (event) rows.push(inFold === undefined ? { type: 'event', event } : { type: 'event', event, inFold });
}

function isPlain(event: TraceEvent | undefined): boolean {
  return event !== undefined && event.also.length === 0;
}

function continues(before: TraceEvent | undefined, next: TraceEvent | undefined, slowMs: number): boolean {
  if (!before || !next) return false;
  return next.kind === before.kind && isPlain(next) && next.gapMs < slowMs;
}

function startOf(events: readonly TraceEvent[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to && text.length < longestStart; at += 1) text += events[at]?.text ?? '';
  return text.slice(0, longestStart);
}

/** The fold that hides this event, as the number of its first one; undefined where it is in sight. */
export function foldOf(rows: readonly TraceRow[], number: number): number | undefined {
  const fold = rows.find(
    (row) => row.type === 'fold' && !row.open && row.first <= number && number <= row.last,
  );
  return fold?.type === 'fold' ? fold.first : undefined;
}

/** Where the row of this event stands, or -1. */
export function rowOfEvent(rows: readonly TraceRow[], number: number): number {
  return rows.findIndex((row) => row.type === 'event' && row.event.number === number);
}
