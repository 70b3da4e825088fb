import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useId, useRef } from 'react';

import type { TraceEvent, TraceKind } from '../../../conversation/trace/trace-events.ts';
import type { TraceRow } from '../../../conversation/trace/trace-rows.ts';
import { formatCount, formatDuration, plural } from '../../../lib/format.ts';
import { useRowWindow } from '../../../ui/hooks/use-row-window.ts';

const rowHeight = 32;

interface EventListProps {
  rows: readonly TraceRow[];
  activeRow: number;
  slowMs: number;
  onPick: (row: TraceRow) => void;
  onFold: (first: number) => void;
}

/** The events of a tape as a table; of a long one only the rows in sight are mounted. */
export function EventList({ rows, activeRow, slowMs, onPick, onFold }: EventListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(scroller, { count: rows.length, rowPx: rowHeight, active: activeRow });
  return (
    <div
      className="evs"
      role="treegrid"
      tabIndex={0}
      aria-label="Events"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={activeRow >= from && activeRow < to ? `${id}-${activeRow}` : undefined}
    >
      <div className="evs-h" role="row" aria-rowindex={1}>
        {['Event', 'At', 'Gap', 'Kind', 'Text'].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="evs-s" ref={scroller} role="rowgroup" tabIndex={-1}>
        <div className="evs-all" role="presentation" style={{ height: rows.length * rowHeight }}>
          {rows.slice(from, to).map((row, index) => {
            const at = from + index;
            return (
              <div key={at} role="presentation" style={{ transform: `translateY(${at * rowHeight}px)` }}>
                {row.type === 'fold' ? (
                  <FoldRow
                    id={`${id}-${at}`}
                    index={at}
                    row={row}
                    active={at === activeRow}
                    onPick={onPick}
                    onFold={onFold}
                  />
                ) : (
                  <EventRow
                    id={`${id}-${at}`}
                    index={at}
                    row={row}
                    active={at === activeRow}
                    isSlow={row.event.gapMs >= slowMs && row.event.number > 1}
                    onPick={onPick}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps<Row extends TraceRow> {
  id: string;
  index: number;
  row: Row;
  active: boolean;
  onPick: (row: TraceRow) => void;
}

const EventRow = memo(function EventRow({
  id,
  index,
  row,
  active,
  isSlow,
  onPick,
}: RowProps<Extract<TraceRow, { type: 'event' }>> & { isSlow: boolean }) {
  const { event } = row;
  return (
    <div
      id={id}
      className={`ev ${row.inFold === undefined ? '' : 'in'}`}
      role="row"
      aria-rowindex={index + 2}
      aria-level={row.inFold === undefined ? 1 : 2}
      aria-selected={active}
      onClick={() => onPick(row)}
    >
      <span role="gridcell">{formatCount(event.number)}</span>
      <span role="gridcell">{seconds(event.atMs)}</span>
      <span role="gridcell" className={isSlow ? 'slow' : ''}>
        {gapWords(event.gapMs)}
      </span>
      <span role="gridcell">
        <Kind event={event} />
      </span>
      <code role="gridcell">{oneLine(event.text)}</code>
    </div>
  );
});

const FoldRow = memo(function FoldRow({
  id,
  index,
  row,
  active,
  onPick,
  onFold,
}: RowProps<Extract<TraceRow, { type: 'fold' }>> & { onFold: (first: number) => void }) {
  const Chevron = row.open ? ChevronDown : ChevronRight;
  return (
    <div
      id={id}
      className="ev fold-row"
      role="row"
      aria-rowindex={index + 2}
      aria-level={1}
      aria-selected={active}
      aria-expanded={row.open}
      onClick={() => {
        onPick(row);
        onFold(row.first);
      }}
    >
      <span role="gridcell">
        <Chevron className="i s" aria-hidden />
        {formatCount(row.first)} to {formatCount(row.last)}
      </span>
      <span role="gridcell">{seconds(row.atMs)}</span>
      <span role="gridcell" />
      <span role="gridcell">
        <b className={`kd ${kindClass(row.kind)}`}>{row.kind}</b>
      </span>
      <span role="gridcell" className="starts">
        <span className="cnt">{plural(row.last - row.first + 1, 'event')}</span>
        <code>{oneLine(row.text)}</code>
      </span>
    </div>
  );
});

function Kind({ event }: { event: TraceEvent }) {
  return (
    <b className={`kd ${kindClass(event.kind)}`}>
      {event.kind}
      {event.also.length > 0 && <span className="vh">, {event.also.join(', ')}</span>}
    </b>
  );
}

function kindClass(kind: TraceKind): string {
  return kind.replace(' ', '-');
}

/** Seconds with the milliseconds that tell events apart. */
function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function gapWords(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

/** Line breaks and tabs are part of what came, and must not break the row. */
function oneLine(text: string): string {
  return text.slice(0, 300).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}
