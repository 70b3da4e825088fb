import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';

import type { Run } from '../../../conversation/session/types.ts';
import { traceKinds, type TraceEvent, type TraceKind } from '../../../conversation/trace/trace-events.ts';
import { computeGapStats } from '../../../conversation/trace/trace-gaps.ts';
import { findCollapsedRow, buildTraceRows, type TraceRow } from '../../../conversation/trace/trace-rows.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { TapeFeed } from '../../../state/runs/tape-feed.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import { Tag } from '../../../ui/display/tag.tsx';
import { HeadersList } from '../inspector/headers-list.tsx';
import { columnLooks, PanelHead, PanelNote, TwoColumns } from '../inspector/panel-layout.tsx';
import { EventDetail } from './event-detail.tsx';
import { EventList } from './event-list.tsx';
import { GapHistogram } from './gap-histogram.tsx';

interface EventsTabProps {
  run: Run;
  feed: TapeFeed;
  /** The event looked at; undefined where none has come. */
  event: TraceEvent | undefined;
}

const noStall = Number.POSITIVE_INFINITY;

/** Every event of the answer, with one of them in full. */
export function EventsTab({ run, feed, event }: EventsTabProps) {
  const { inspector } = usePlayground();
  const [openFolds, setOpenFolds] = useState<ReadonlySet<number>>(new Set());
  const [kinds, setKinds] = useState<ReadonlySet<TraceKind>>(new Set());
  /** The fold that has the focus, where not its events but it itself was chosen. */
  const [activeFold, setActiveFold] = useState<number>();
  const { count } = feed.state.getState();
  const list = feed.getList();
  // The list grows in place: its length tells that there is more.
  const stats = useMemo(() => (count > 0 ? computeGapStats(list.events) : undefined), [list, count]);
  const slowMs = stats?.stallMs ?? noStall;
  const folded = useMemo(
    () => (count > 0 ? buildTraceRows(list.events, { slowMs, openGroups: openFolds, kinds }) : []),
    [list, count, slowMs, openFolds, kinds],
  );
  // An event that was pointed at on a trace is shown, whatever fold it is in.
  const hidden = event && activeFold === undefined ? findCollapsedRow(folded, event.number) : undefined;
  if (hidden !== undefined) setOpenFolds(new Set([...openFolds, hidden]));

  const activeRow = folded.findIndex((row) =>
    row.type === 'fold'
      ? row.first === activeFold
      : activeFold === undefined && row.event.number === event?.number,
  );
  const pick = useCallback(
    (row: TraceRow | undefined) => {
      if (!row) return;
      setActiveFold(row.type === 'fold' ? row.first : undefined);
      inspector.setState({ selectedEvent: { number: row.type === 'fold' ? row.first : row.event.number } });
    },
    [inspector],
  );
  const fold = useCallback((first: number, open?: boolean) => {
    setOpenFolds((known) => {
      const next = new Set(known);
      if (open ?? !known.has(first)) next.add(first);
      else next.delete(first);
      return next;
    });
  }, []);

  const onKeyDown = (key: KeyboardEvent) => {
    if (key.altKey || key.ctrlKey || key.metaKey || key.target instanceof HTMLButtonElement) return;
    const row = folded[activeRow];
    if (key.key === 'ArrowRight' && row?.type === 'fold') fold(row.first, true);
    else if (key.key === 'ArrowLeft' && row) closeFold(row);
    else if ((key.key === 'Enter' || key.key === ' ') && row?.type === 'fold') fold(row.first);
    else {
      const next = rowAfterKey(key.key, activeRow, folded.length);
      if (next === undefined) return;
      pick(folded[next]);
    }
    key.preventDefault();
  };
  const closeFold = (row: TraceRow) => {
    if (row.type === 'fold') return fold(row.first, false);
    if (row.groupNumber === undefined) return;
    fold(row.groupNumber, false);
    setActiveFold(row.groupNumber);
    inspector.setState({ selectedEvent: { number: row.groupNumber } });
  };

  const entry = event && feed.entries[event.entryIndex];
  const answer = feed.entries.find((each) => 'status' in each);
  return (
    <TwoColumns onKeyDown={onKeyDown}>
      <section className={columnLooks.list} aria-label="All events">
        <PanelHead className="pr-3.5 pl-5 max-phone:pl-3.5" title={pluralize(list.events.length, 'event')}>
          <Filters events={list.events} count={count} kinds={kinds} onChange={setKinds} />
        </PanelHead>
        <EventList rows={folded} activeRow={activeRow} slowMs={slowMs} onPick={pick} onFold={fold} />
        {stats && <GapHistogram stats={stats} />}
      </section>
      <div className={columnLooks.right} role="group" aria-label="Event detail" tabIndex={0}>
        {event && entry ? (
          <EventDetail event={event} entry={entry} isSlow={event.gapMs >= slowMs && event.number > 1} />
        ) : (
          <PanelNote>No events yet.</PanelNote>
        )}
        {answer && 'status' in answer && <HeadersList answer={answer} sentId={run.requestId} />}
      </div>
    </TwoColumns>
  );
}

interface FiltersProps {
  events: readonly TraceEvent[];
  count: number;
  kinds: ReadonlySet<TraceKind>;
  onChange: (kinds: ReadonlySet<TraceKind>) => void;
}

function Filters({ events, count, kinds, onChange }: FiltersProps) {
  const counts = useMemo(() => countsOf(events, count), [events, count]);
  return (
    <span className="flex flex-wrap justify-end gap-1 py-1.5" role="group" aria-label="Filter">
      {traceKinds.map((kind) => {
        const found = counts.get(kind) ?? 0;
        if (found === 0) return null;
        return (
          <Tag
            key={kind}
            size="small"
            pressed={kinds.has(kind)}
            onPress={() => {
              const next = new Set(kinds);
              if (!next.delete(kind)) next.add(kind);
              onChange(next);
            }}
          >
            {kind}
            {found > 1 && ` ${formatCount(found)}`}
          </Tag>
        );
      })}
    </span>
  );
}

function countsOf(events: readonly TraceEvent[], upTo: number): Map<TraceKind, number> {
  const counts = new Map<TraceKind, number>();
  for (const { kind, alsoKinds } of events.slice(0, upTo)) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const other of alsoKinds) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return counts;
}

const page = 10;

/** The row that a key moves to, or undefined for a key that moves nowhere. Without a row, arrows start at the first. */
function rowAfterKey(key: string, row: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const clamp = (next: number) => Math.max(0, Math.min(count - 1, next));
  switch (key) {
    case 'ArrowDown':
      return clamp(row + 1);
    case 'ArrowUp':
      return clamp(row - 1);
    case 'PageDown':
      return clamp(row + page);
    case 'PageUp':
      return clamp(row - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
