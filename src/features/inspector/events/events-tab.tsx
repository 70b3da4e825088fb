import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';

import type { Run } from '../../../conversation/session/types.ts';
import { traceKinds, type TraceEvent, type TraceKind } from '../../../conversation/trace/trace-events.ts';
import { computeGapStats } from '../../../conversation/trace/trace-gaps.ts';
import { findCollapsedGroup, buildTraceRows, type TraceRow } from '../../../conversation/trace/trace-rows.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { useRunServices } from '../../../state/contexts.tsx';
import type { TapeFeed } from '../../../state/runs/tape-feed.ts';
import { Tag } from '../../../ui/display/tag.tsx';
import { HeadersList } from '../headers-list.tsx';
import { PanelColumn, PanelHeader, PanelNote, TwoColumns } from '../panel-layout.tsx';
import { EventDetail } from './event-detail.tsx';
import { EventList } from './event-list.tsx';
import { GapHistogram } from './gap-histogram.tsx';

interface EventsTabProps {
  run: Run;
  feed: TapeFeed;
  /** Selected event; undefined if none has arrived. */
  event: TraceEvent | undefined;
}

const noStallMs = Number.POSITIVE_INFINITY;

/** All events of the answer, with the selected one in full. */
export function EventsTab({ run, feed, event }: EventsTabProps) {
  const { inspector } = useRunServices();
  const [expandedGroups, setExpandedGroups] = useState<ReadonlySet<number>>(new Set());
  const [kinds, setKinds] = useState<ReadonlySet<TraceKind>>(new Set());
  /** Index of the focused group, if the group itself is selected and not one of its events. */
  const [activeGroup, setActiveGroup] = useState<number>();
  const { count } = feed.state.getState();
  const list = feed.getTraceList();
  // The list grows in place, so its length is the dependency.
  const stats = useMemo(() => (count > 0 ? computeGapStats(list.events) : undefined), [list, count]);
  const slowMs = stats?.stallThresholdMs ?? noStallMs;
  const rows = useMemo(
    () => (count > 0 ? buildTraceRows(list.events, { slowMs, expandedGroups, kinds }) : []),
    [list, count, slowMs, expandedGroups, kinds],
  );
  // An event selected on a trace is shown even if its group is collapsed.
  const groupToExpand =
    event && activeGroup === undefined ? findCollapsedGroup(rows, event.number) : undefined;
  if (groupToExpand !== undefined) setExpandedGroups(new Set([...expandedGroups, groupToExpand]));

  const activeRowIndex = rows.findIndex((row) =>
    row.type === 'group'
      ? row.firstNumber === activeGroup
      : activeGroup === undefined && row.event.number === event?.number,
  );
  const pick = useCallback(
    (row: TraceRow | undefined) => {
      if (!row) return;
      setActiveGroup(row.type === 'group' ? row.firstNumber : undefined);
      inspector.setState({
        selectedEvent: { number: row.type === 'group' ? row.firstNumber : row.event.number },
      });
    },
    [inspector],
  );
  const toggleGroup = useCallback((first: number, open?: boolean) => {
    setExpandedGroups((current) => {
      const next = new Set(current);
      if (open ?? !current.has(first)) next.add(first);
      else next.delete(first);
      return next;
    });
  }, []);

  const onKeyDown = (keyEvent: KeyboardEvent) => {
    if (
      keyEvent.altKey ||
      keyEvent.ctrlKey ||
      keyEvent.metaKey ||
      keyEvent.target instanceof HTMLButtonElement
    )
      return;
    const row = rows[activeRowIndex];
    if (keyEvent.key === 'ArrowRight' && row?.type === 'group') toggleGroup(row.firstNumber, true);
    else if (keyEvent.key === 'ArrowLeft' && row) collapseGroup(row);
    else if ((keyEvent.key === 'Enter' || keyEvent.key === ' ') && row?.type === 'group')
      toggleGroup(row.firstNumber);
    else {
      const next = getRowAfterKey(keyEvent.key, activeRowIndex, rows.length);
      if (next === undefined) return;
      pick(rows[next]);
    }
    keyEvent.preventDefault();
  };
  const collapseGroup = (row: TraceRow) => {
    if (row.type === 'group') return toggleGroup(row.firstNumber, false);
    if (row.groupNumber === undefined) return;
    toggleGroup(row.groupNumber, false);
    setActiveGroup(row.groupNumber);
    inspector.setState({ selectedEvent: { number: row.groupNumber } });
  };

  const entry = event && feed.entries[event.entryIndex];
  const responseEntry = feed.entries.find((tapeEntry) => 'status' in tapeEntry);
  return (
    <TwoColumns onKeyDown={onKeyDown}>
      <section className="flex min-h-0 min-w-0 flex-col @max-[700px]:flex-none" aria-label="All events">
        <PanelHeader className="pr-3.5 pl-5 max-phone:pl-3.5" title={pluralize(list.events.length, 'event')}>
          <KindFilters events={list.events} count={count} kinds={kinds} onChange={setKinds} />
        </PanelHeader>
        <EventList
          rows={rows}
          activeRowIndex={activeRowIndex}
          slowMs={slowMs}
          onPick={pick}
          onToggle={toggleGroup}
        />
        {stats && <GapHistogram stats={stats} />}
      </section>
      <PanelColumn side="right" label="Event detail">
        {event && entry ? (
          <EventDetail event={event} entry={entry} isSlow={event.gapMs >= slowMs && event.number > 1} />
        ) : (
          <PanelNote>No events yet.</PanelNote>
        )}
        {responseEntry && 'status' in responseEntry && (
          <HeadersList response={responseEntry} sentRequestId={run.requestId} />
        )}
      </PanelColumn>
    </TwoColumns>
  );
}

interface KindFiltersProps {
  events: readonly TraceEvent[];
  count: number;
  kinds: ReadonlySet<TraceKind>;
  onChange: (kinds: ReadonlySet<TraceKind>) => void;
}

function KindFilters({ events, count, kinds, onChange }: KindFiltersProps) {
  const counts = useMemo(() => countKinds(events, count), [events, count]);
  return (
    <span className="flex flex-wrap justify-end gap-1 py-1.5" role="group" aria-label="Filter">
      {traceKinds.map((kind) => {
        const kindCount = counts.get(kind) ?? 0;
        if (kindCount === 0) return null;
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
            {kindCount > 1 && ` ${formatCount(kindCount)}`}
          </Tag>
        );
      })}
    </span>
  );
}

function countKinds(events: readonly TraceEvent[], limit: number): Map<TraceKind, number> {
  const counts = new Map<TraceKind, number>();
  for (const { kind, extraKinds } of events.slice(0, limit)) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const extraKind of extraKinds) counts.set(extraKind, (counts.get(extraKind) ?? 0) + 1);
  }
  return counts;
}

const pageRows = 10;

/**
 * Returns the index of the row that a key moves to; `undefined` for other keys. Without a current row, arrows start at
 * the first.
 */
function getRowAfterKey(key: string, rowIndex: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const clamp = (next: number) => Math.max(0, Math.min(count - 1, next));
  switch (key) {
    case 'ArrowDown':
      return clamp(rowIndex + 1);
    case 'ArrowUp':
      return clamp(rowIndex - 1);
    case 'PageDown':
      return clamp(rowIndex + pageRows);
    case 'PageUp':
      return clamp(rowIndex - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
