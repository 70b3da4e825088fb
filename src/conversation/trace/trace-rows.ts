/**
 * Builds the rows of the event list. Runs of events of the same kind are collapsed, but slow events always stay
 * visible.
 */
import type { TraceEvent, TraceKind } from './trace-events.ts';

export type TraceRow =
  | {
      type: 'event';
      event: TraceEvent;
      /** First event number of the expanded group that contains this event. */ groupNumber?: number;
    }
  /** Collapsed group. `firstNumber` and `lastNumber` are event numbers, `text` is the start of the content. */
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
  /** Minimum gap in ms above which an event gets a separate row. */
  slowMs: number;
  /** First event numbers of expanded groups. */
  expandedGroups: ReadonlySet<number>;
  /** Kinds to show, without collapsing; `undefined` shows all kinds, with collapsing. */
  kinds?: ReadonlySet<TraceKind> | undefined;
}

/** Minimum number of events in a collapsed group. */
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

/**
 * Returns the first event number of the collapsed group that contains this event, `undefined` if the event is visible.
 */
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

/** Returns the index of the row with this event, or -1. */
export function findEventRowIndex(rows: readonly TraceRow[], eventNumber: number): number {
  return rows.findIndex((row) => row.type === 'event' && row.event.number === eventNumber);
}
