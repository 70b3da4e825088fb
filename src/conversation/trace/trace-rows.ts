/** The rows of the list of events: runs of the same kind folded, slow events always in sight. */
import type { TraceEvent, TraceKind } from './trace-events.ts';

export type TraceRow =
  | { type: 'event'; event: TraceEvent; /** Inside an expanded group. */ groupNumber?: number }
  /** `firstNumber` and `lastNumber` are events' numbers; `text` is how the run begins. */
  | {
      type: 'group';
      firstNumber: number;
      lastNumber: number;
      atMs: number;
      kind: TraceKind;
      text: string;
      isExpanded: boolean;
    };

interface RowOptions {
  /** Events that waited longer than this stand on their own, ms. */
  slowMs: number;
  /** Numbers of the first events of expanded groups. */
  expandedGroups: ReadonlySet<number>;
  /** Only these kinds, all of them in full; undefined shows everything, folded. */
  kinds?: ReadonlySet<TraceKind> | undefined;
}

/** Fewer than this are shown as they are. */
const minCollapsedEvents = 4;
const maxPreviewChars = 200;

export function buildTraceRows(
  events: readonly TraceEvent[],
  { slowMs, expandedGroups, kinds }: RowOptions,
): TraceRow[] {
  if (kinds && kinds.size > 0) {
    const hasRequestedKind = (event: TraceEvent) =>
      kinds.has(event.kind) || event.extraKinds.some((kind) => kinds.has(kind));
    return events.filter(hasRequestedKind).map((event) => ({ type: 'event', event }));
  }
  const rows: TraceRow[] = [];
  const addRange = (startIndex: number, endIndex: number) => {
    const firstEvent = events[startIndex];
    if (!firstEvent) return;
    if (endIndex - startIndex < minCollapsedEvents) {
      for (let index = startIndex; index < endIndex; index += 1) addEvent(rows, events[index]);
      return;
    }
    const isExpanded = expandedGroups.has(firstEvent.number);
    const text = getRangePreview(events, startIndex, endIndex);
    rows.push({
      type: 'group',
      firstNumber: firstEvent.number,
      lastNumber: endIndex,
      atMs: firstEvent.atMs,
      kind: firstEvent.kind,
      text,
      isExpanded,
    });
    if (isExpanded)
      for (let index = startIndex; index < endIndex; index += 1)
        addEvent(rows, events[index], firstEvent.number);
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
  return event !== undefined && event.extraKinds.length === 0;
}

function canJoinGroup(
  previous: TraceEvent | undefined,
  next: TraceEvent | undefined,
  slowMs: number,
): boolean {
  if (!previous || !next) return false;
  return next.kind === previous.kind && hasSingleKind(next) && next.gapMs < slowMs;
}

function getRangePreview(events: readonly TraceEvent[], startIndex: number, endIndex: number): string {
  let text = '';
  for (let index = startIndex; index < endIndex && text.length < maxPreviewChars; index += 1)
    text += events[index]?.text ?? '';
  return text.slice(0, maxPreviewChars);
}

/** The group that hides this event, as the number of its first one; undefined where it is in sight. */
export function findCollapsedGroup(rows: readonly TraceRow[], eventNumber: number): number | undefined {
  const group = rows.find(
    (row) =>
      row.type === 'group' &&
      !row.isExpanded &&
      row.firstNumber <= eventNumber &&
      eventNumber <= row.lastNumber,
  );
  return group?.type === 'group' ? group.firstNumber : undefined;
}

/** Where the row of this event stands, or -1. */
export function findEventRowIndex(rows: readonly TraceRow[], eventNumber: number): number {
  return rows.findIndex((row) => row.type === 'event' && row.event.number === eventNumber);
}
