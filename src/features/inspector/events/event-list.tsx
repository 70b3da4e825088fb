import { clsx } from 'clsx';
import { memo, useId, useRef, type ComponentProps } from 'react';

import type { TraceEvent } from '../../../conversation/trace/trace-events.ts';
import type { TraceRow } from '../../../conversation/trace/trace-rows.ts';
import { formatCount, formatDuration, pluralize } from '../../../lib/format.ts';
import { useVirtualRows } from '../../../ui/hooks/use-virtual-rows.ts';
import { ChevronDown } from '../../../ui/icons.tsx';
import { ChevronRight } from '../../../ui/late-icons.tsx';

const rowHeightPx = 32;

interface EventListProps {
  rows: readonly TraceRow[];
  activeRowIndex: number;
  slowMs: number;
  onPick: (row: TraceRow) => void;
  onToggle: (first: number) => void;
}

/** Events of a tape as a table; long tables are virtualised. */
export function EventList({ rows, activeRowIndex, slowMs, onPick, onToggle }: EventListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, {
    count: rows.length,
    rowPx: rowHeightPx,
    active: activeRowIndex,
  });
  return (
    <div
      className={clsx(
        'relative flex min-h-24 flex-[0_1_auto] flex-col outline-none @max-[700px]:max-h-[44vh]',
        // Drawn above the rows, whose backgrounds would cover an outline of the list.
        'focus-visible:after:pointer-events-none focus-visible:after:absolute focus-visible:after:inset-0',
        'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink',
      )}
      role="treegrid"
      tabIndex={0}
      aria-label="Events"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={activeRowIndex >= 0 ? `${id}-${activeRowIndex}` : undefined}
    >
      <TableRow className="h-6 flex-none border-b border-line text-11 text-ink-3" aria-rowindex={1}>
        {['Event', 'Time (s)', 'Gap', 'Kind', 'Text'].map((name) => (
          <span key={name} className="first:pl-5 max-phone:first:pl-3.5" role="columnheader">
            {name}
          </span>
        ))}
      </TableRow>
      <div
        className="min-h-0 flex-[0_1_auto] [scrollbar-width:thin] overflow-y-auto outline-none"
        ref={scroller}
        role="rowgroup"
        tabIndex={-1}
      >
        <div
          className="relative contain-[layout_paint]"
          role="presentation"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index: rowIndex, start }) => {
            const row = rows[rowIndex];
            return (
              row && (
                <div
                  key={rowIndex}
                  className="absolute inset-x-0 top-0 h-8"
                  role="presentation"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row.type === 'group' ? (
                    <GroupRow
                      id={`${id}-${rowIndex}`}
                      index={rowIndex}
                      row={row}
                      isActive={rowIndex === activeRowIndex}
                      onPick={onPick}
                      onToggle={onToggle}
                    />
                  ) : (
                    <EventRow
                      id={`${id}-${rowIndex}`}
                      index={rowIndex}
                      row={row}
                      isActive={rowIndex === activeRowIndex}
                      isSlow={row.event.gapMs >= slowMs && row.event.number > 1}
                      onPick={onPick}
                    />
                  )}
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Row of the table: the headings, an event or a group. */
function TableRow({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      role="row"
      className={clsx(
        'grid grid-cols-[98px_58px_60px_82px_minmax(0,1fr)] items-center max-phone:grid-cols-[84px_50px_62px_74px_minmax(0,1fr)]',
        className,
      )}
      {...rest}
    />
  );
}

interface TraceTableRowProps extends ComponentProps<'div'> {
  isActive: boolean;
}

function TraceTableRow({ isActive, className, ...rest }: TraceTableRowProps) {
  return (
    <TableRow
      className={clsx(
        'h-8 cursor-default border-b border-line font-sans text-12 leading-4.5 whitespace-nowrap [&>*]:truncate [&>*]:last:pr-3',
        isActive
          ? 'bg-needle-wash text-ink shadow-[inset_3px_0_0_var(--needle)]'
          : 'text-ink-2 hover:bg-hover',
        className,
      )}
      aria-selected={isActive}
      {...rest}
    />
  );
}

interface RowProps<Row extends TraceRow> {
  id: string;
  index: number;
  row: Row;
  isActive: boolean;
  onPick: (row: TraceRow) => void;
}

const EventRow = memo(function EventRow({
  id,
  index,
  row,
  isActive,
  isSlow,
  onPick,
}: RowProps<Extract<TraceRow, { type: 'event' }>> & { isSlow: boolean }) {
  const { event } = row;
  return (
    <TraceTableRow
      id={id}
      isActive={isActive}
      aria-rowindex={index + 2}
      aria-level={row.groupNumber === undefined ? 1 : 2}
      onClick={() => onPick(row)}
    >
      <span
        role="gridcell"
        className={clsx(
          isActive ? 'font-600 text-ink' : 'text-ink-3',
          row.groupNumber === undefined ? 'pl-5 max-phone:pl-3.5' : 'pl-7',
        )}
      >
        {formatCount(event.number)}
      </span>
      <span role="gridcell">{formatPreciseSeconds(event.atMs)}</span>
      <span role="gridcell" className={clsx(isSlow && 'font-600 text-warn-ink')}>
        {formatGap(event.gapMs)}
      </span>
      <span role="gridcell">
        <EventKind kind={event.kind} extraKinds={event.extraKinds} />
      </span>
      <code role="gridcell" className="font-mono text-mono-11 whitespace-pre text-ink">
        {toOneLine(event.text)}
      </code>
    </TraceTableRow>
  );
});

const GroupRow = memo(function GroupRow({
  id,
  index,
  row,
  isActive,
  onPick,
  onToggle,
}: RowProps<Extract<TraceRow, { type: 'group' }>> & { onToggle: (first: number) => void }) {
  const Chevron = row.isExpanded ? ChevronDown : ChevronRight;
  return (
    <TraceTableRow
      id={id}
      isActive={isActive}
      className={clsx(!isActive && 'bg-paper')}
      aria-rowindex={index + 2}
      aria-level={1}
      aria-expanded={row.isExpanded}
      onClick={() => {
        onPick(row);
        onToggle(row.firstNumber);
      }}
    >
      <span
        role="gridcell"
        className={clsx(
          'flex items-center gap-0.5 pl-1 max-phone:pl-0',
          isActive ? 'font-600 text-ink' : 'text-ink-3',
        )}
      >
        <Chevron className="icon-14" aria-hidden />
        {formatCount(row.firstNumber)} to {formatCount(row.lastNumber)}
      </span>
      <span role="gridcell">{formatPreciseSeconds(row.atMs)}</span>
      <span role="gridcell" />
      <span role="gridcell">
        <EventKind kind={row.kind} extraKinds={[]} />
      </span>
      <span role="gridcell">
        <span className="mr-1.5 text-11 text-ink-3">
          {pluralize(row.lastNumber - row.firstNumber + 1, 'event')}
        </span>
        <code className="font-mono text-mono-11 whitespace-pre text-ink">{toOneLine(row.text)}</code>
      </span>
    </TraceTableRow>
  );
});

function EventKind({ kind, extraKinds }: Pick<TraceEvent, 'kind' | 'extraKinds'>) {
  return (
    <b
      className={clsx(
        'font-550',
        {
          reasoning: 'text-ink-3',
          content: 'text-lane',
          refusal: 'text-err-ink',
          'tool call': 'text-lane',
          finish: 'text-ink',
          usage: 'text-ink',
          error: 'text-err-ink',
          comment: 'text-ink-3',
          end: 'text-ink',
          role: 'text-ink-2',
          other: 'text-ink-2',
        }[kind],
      )}
    >
      {kind}
      {extraKinds.length > 0 && <span className="sr-only">, {extraKinds.join(', ')}</span>}
    </b>
  );
}

/** Formats seconds with three decimals, because events may be milliseconds apart. */
function formatPreciseSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function formatGap(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

/** Returns the text on one line, with symbols for line breaks and tabs. */
function toOneLine(text: string): string {
  return text.slice(0, 300).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}
