import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

import type { CellSummary, AnswerGroup } from './format-cell.ts';
import type { RowLines } from './grid-layout.ts';

const emptyLabels: Partial<Record<CellSummary['status'], string>> = {
  waiting: '',
  stopped: 'not run',
  absent: 'no copied answer',
  'not loaded yet': '…',
};

interface CaseCellProps {
  id: string;
  label: string;
  summary: CellSummary;
  lines: RowLines;
  isCurrent: boolean;
  /** True if the cell is open in the panel beside the grid. */
  isOpen: boolean;
  gridColumn: number;
  columnId: string;
}

/** Cell of the grid: its answers, with equal ones grouped, and the time or the number of passed answers. */
export function CaseCell({
  id,
  label,
  summary,
  lines,
  isCurrent,
  isOpen,
  gridColumn,
  columnId,
}: CaseCellProps) {
  const { answerGroups, note, status } = summary;
  const hasManyAnswers = answerGroups.some(({ count }) => count > 1) || answerGroups.length > 1;
  return (
    <>
      <div
        id={id}
        role="gridcell"
        aria-label={label}
        aria-colindex={gridColumn}
        aria-selected={isCurrent}
        data-column={columnId}
        style={{ gridColumn }}
        className={`${isOpen ? 'shadow-[inset_0_0_0_2px_var(--ink)]' : ''} min-w-0 cursor-default content-center border-b border-l border-line px-3.5 pr-16 text-13 whitespace-nowrap group-focus-visible/cases:aria-selected:shadow-[inset_0_0_0_2px_var(--ink)]`}
      >
        {answerGroups.length === 0 && (
          <CellLine
            status={status}
            className={status === 'running' ? 'font-550 text-needle-ink' : 'text-ink-3'}
          >
            {emptyLabels[status] ?? status}
          </CellLine>
        )}
        {answerGroups
          .slice(0, 2)
          .map((group, index) =>
            hasManyAnswers ? (
              <GroupedAnswer
                key={index}
                group={group}
                isFirst={index === 0}
                moreCount={answerGroups.length - 2}
              />
            ) : (
              <SingleAnswer key={index} group={group} hasSecondLine={lines > 1} />
            ),
          )}
      </div>
      {/* Outside the cell, because the cell's accessible name must not include the note. */}
      <span
        aria-hidden
        style={{ gridColumn: `${gridColumn} / ${gridColumn + 1}` }}
        className="pointer-events-none absolute inset-y-0 right-3 w-13 content-center text-right text-11 font-[450] whitespace-nowrap text-ink-3"
      >
        {note}
      </span>
    </>
  );
}

/** A line of a cell with its mark. */
function CellLine({ status, className, ...rest }: ComponentProps<'span'> & { status: string }) {
  return (
    <span
      data-mark={status}
      className={clsx('block truncate before:mr-1.5 before:inline-block before:align-[-2px]', className)}
      {...rest}
    />
  );
}

// There are few nested boxes, because scrolling lays out dozens of cells per frame. `attr()` is avoided: it creates new styles
// and a new box whenever an attribute of the cell changes.
function SingleAnswer({
  group: { status, text, suffix },
  hasSecondLine,
}: {
  group: AnswerGroup;
  hasSecondLine: boolean;
}) {
  if (suffix === '' || hasSecondLine)
    return (
      <>
        <CellLine status={status} className={valueClasses[status] ?? 'font-450'}>
          {text}
        </CellLine>
        {suffix !== '' && <span className="block truncate pl-[19px] text-12 text-ink-3">{suffix}</span>}
      </>
    );
  return (
    <CellLine status={status}>
      <AnswerValue status={status}>{text}</AnswerValue>{' '}
      <span className="ml-0.5 text-12 text-ink-3">{suffix}</span>
    </CellLine>
  );
}

const valueClasses: Partial<Record<AnswerGroup['status'], string>> = {
  failed: 'font-550 text-err-ink',
  'no answer': 'font-550 text-warn-ink',
  passed: 'font-550',
};

/** The answer where something follows it on the line. */
function AnswerValue({ status, children }: { status: AnswerGroup['status']; children: string }) {
  return (
    <b className={clsx('inline-block max-w-[70%] truncate align-bottom', valueClasses[status] ?? 'font-450')}>
      {children}
    </b>
  );
}

/** Grey text is generated content, because the cell's accessible name has a different order. */
function GroupedAnswer({
  group,
  isFirst,
  moreCount,
}: {
  group: AnswerGroup;
  isFirst: boolean;
  moreCount: number;
}) {
  const { status, text, count, suffix } = group;
  return (
    <CellLine
      status={status}
      data-suffix={[
        ...(isFirst ? [] : [text]),
        `×${count}`,
        suffix,
        !isFirst && moreCount > 0 ? `and ${moreCount} more` : '',
      ].join(' ')}
      className={clsx(
        'text-12 after:content-[attr(data-suffix)]',
        isFirst
          ? 'after:ml-1.5 after:text-ink-3'
          : status === 'failed'
            ? 'after:text-err-ink'
            : 'after:text-ink',
      )}
    >
      {isFirst && <AnswerValue status={status}>{text}</AnswerValue>}
    </CellLine>
  );
}
