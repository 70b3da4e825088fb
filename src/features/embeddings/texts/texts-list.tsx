import { useMemo, useRef, useState, useLayoutEffect, type KeyboardEvent, type MouseEvent } from 'react';

import { estimateTokens } from '../../../conversation/request/request.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { EmbeddingJob, ItemState } from '../../../state/embedding/embedding-job-types.ts';
import { getJobTexts, getTextRow, getShownSet, type LabText } from '../../../state/lab/lab-state.ts';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { useVirtualRows } from '../../../ui/hooks/use-virtual-rows.ts';
import { CheckIcon, ChevronDown } from '../../../ui/icons.tsx';
import { ChevronRight, Columns3 } from '../../../ui/late-icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { describeItemFailure } from '../describe-finding.ts';
import { GroupIcon } from '../group-icon.tsx';
import { useJobState, useLab, useLabState } from '../hooks/use-lab.ts';
import { useSameVector } from '../hooks/use-same-vector.ts';
import { useNearest } from '../nearest/use-nearest.ts';
import { formatCosine } from '../views/lab-number-format.ts';
import {
  buildGroupedRows,
  sortTextsByGroup,
  sortTextsByScore,
  buildPlainRows,
  getRowText,
  type ListRow,
} from './list-order.ts';

/** Height of two lines and their padding, in px. */
const rowPx = 48;
/** Maximum number of rows that are all mounted; longer lists are virtualised. */
const maxMountedRows = 200;
/** Number of marked rows, the same as in the other views. */
const markedCount = 5;

const noRows: ReadonlySet<number> = new Set();

const columns = ['tokens', 'norm'] as const;
type Column = (typeof columns)[number];
const columnLabels: Record<Column, string> = { tokens: 'Tokens', norm: 'Norm' };

/**
 * List of all texts with rank, state and score: an accessible alternative to the maps and matrices that can be
 * navigated by keyboard.
 */
export function TextsList() {
  const job = useLabState((state) => state.jobs[state.activeSlot ?? 'A']);
  const count = useLabState((state) => getJobTexts(state).texts.length);
  return job && count > 0 ? <Rows job={job} /> : null;
}

function Rows({ job }: { job: EmbeddingJob }) {
  const { select, selectMany } = useLab();
  const hasPendingTexts = useLabState((state) => state.pendingTexts !== undefined);
  const texts = useLabState((state) => getJobTexts(state).texts);
  const groups = useLabState((state) => getJobTexts(state).groups);
  const loadedSet = useLabState(getShownSet);
  const set = hasPendingTexts ? undefined : loadedSet;
  const { current, chosen } = useLabState((state) => state.selection);
  // Re-renders when the counts change, since the job states of single texts change with them.
  useJobState(job, (state) => state.counts);
  const hasState = useJobState(job, ({ counts }) => counts.waiting + counts.failed > 0);
  const [extraColumns, setExtraColumns] = useState<readonly Column[]>([]);
  const [openState, setOpenState] = useState<{ texts: unknown; rows: ReadonlySet<number> }>({
    texts,
    rows: noRows,
  });
  // Row indices are valid only while the texts are unchanged.
  const openRows = openState.texts === texts ? openState.rows : noRows;
  const { nearest: latestNearest } = useNearest();
  const findSameVector = useSameVector();
  const nearest = hasPendingTexts ? undefined : latestNearest;
  const isByScore = nearest?.source.kind === 'query' && nearest.allScores !== undefined;
  const getScore = (text: number) => {
    const row = set && getTextRow(set, text);
    return row === undefined ? undefined : nearest?.getScore(row);
  };
  const rows = useMemo(() => {
    if (!isByScore || !set) return buildPlainRows(sortTextsByGroup(texts));
    const getNearestScore = (text: number) => {
      const row = getTextRow(set, text);
      return row === undefined ? undefined : nearest.allScores?.[row];
    };
    return buildGroupedRows(sortTextsByScore(texts, getNearestScore), texts, (text) => openRows.has(text));
  }, [texts, isByScore, set, nearest?.allScores, openRows]);

  const scroller = useRef<HTMLDivElement>(null);
  const currentIndex = current === undefined ? -1 : rows.findIndex(({ text }) => text === current);
  const virtualizer = useVirtualRows(scroller, {
    count: rows.length,
    rowPx,
    active: currentIndex,
    ...(rows.length <= maxMountedRows && { overscan: maxMountedRows }),
  });
  const selected = useMemo(() => new Set(chosen), [chosen]);
  const bestTexts = new Set(nearest?.results.slice(0, markedCount).map(({ text }) => text));

  const { registerButton, requestFocus } = useRowFocus(current);
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 480) / rowPx) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const ends: Record<string, number> = { Home: 0, End: rows.length - 1 };
    const step = steps[event.key];
    const next = step === undefined ? ends[event.key] : Math.max(0, currentIndex) + step;
    if (next === undefined || hasPendingTexts) return;
    event.preventDefault();
    const text = rows[Math.max(0, Math.min(rows.length - 1, next))]?.text;
    if (text === undefined) return;
    if (text !== current) requestFocus();
    if (event.shiftKey && current !== undefined) selectMany([...chosen, text], text);
    else select(text);
  };
  const onPick = (event: MouseEvent, text: number) => {
    if (hasPendingTexts) return;
    if (event.ctrlKey || event.metaKey)
      selectMany(
        selected.has(text) ? chosen.filter((selectedText) => selectedText !== text) : [...chosen, text],
      );
    else if (event.shiftKey && currentIndex >= 0) {
      const clickedIndex = rows.findIndex((row) => row.text === text);
      selectMany(
        rows
          .slice(Math.min(currentIndex, clickedIndex), Math.max(currentIndex, clickedIndex) + 1)
          .map((row) => row.text),
      );
    } else select(text);
  };
  const toggle = (text: number) => {
    const next = new Set(openRows);
    if (!next.delete(text)) next.add(text);
    setOpenState({ texts, rows: next });
  };

  return (
    <div className="flex min-h-30 flex-[1_1_0] flex-col">
      <ListHead
        title={`${pluralize(texts.length, 'text')}, ${isByScore ? 'best match first' : groups.length > 0 ? 'by group' : 'as entered'}`}
        extraColumns={extraColumns}
        lastColumn={hasState ? 'State' : 'Score'}
        onChange={setExtraColumns}
      />
      <div ref={scroller} className="min-h-0 flex-1 [scrollbar-width:thin] overflow-y-auto">
        <ul
          aria-label={isByScore ? 'Texts by score' : 'Embedded texts'}
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index }) => {
            const row = rows[index];
            return (
              row && (
                <Row
                  key={row.text}
                  row={row}
                  index={index}
                  count={rows.length}
                  text={getRowText(row, texts)}
                  labText={texts[row.text]}
                  group={groups[texts[row.text]?.group ?? -1]}
                  job={job}
                  sameVectorRemark={hasPendingTexts ? undefined : findSameVector(row.text)?.remark}
                  hasState={hasState}
                  score={
                    nearest?.source.kind === 'text' && nearest.source.text === row.text
                      ? undefined
                      : getScore(row.text)
                  }
                  norm={extraColumns.includes('norm') ? formatNorm(set, row.text) : undefined}
                  tokens={extraColumns.includes('tokens') ? formatTextTokens(texts[row.text]) : undefined}
                  isBest={bestTexts.has(row.text)}
                  isCurrent={row.text === current && !hasPendingTexts}
                  isTabStop={index === Math.max(0, currentIndex)}
                  isSelected={chosen.length > 1 && selected.has(row.text)}
                  isOpen={openRows.has(row.text)}
                  onKeyDown={onKeyDown}
                  onButtonRef={registerButton}
                  onPick={onPick}
                  onToggle={toggle}
                />
              )
            );
          })}
        </ul>
      </div>
    </div>
  );
}

interface ListHeadProps {
  title: string;
  extraColumns: readonly Column[];
  lastColumn: string;
  onChange: (extra: readonly Column[]) => void;
}

function ListHead({ title, extraColumns, lastColumn, onChange }: ListHeadProps) {
  return (
    <div className="flex h-[34px] flex-none items-center border-b border-line pr-2.5 pl-4 text-11 text-ink-3">
      {title}
      <span className="grow" />
      {columns.map(
        (column) =>
          extraColumns.includes(column) && (
            <span key={column} className="w-12 text-right">
              {columnLabels[column]}
            </span>
          ),
      )}
      <span className="w-14 pr-1 text-right">{lastColumn}</span>
      <Menu
        label="Columns"
        items={columns.map((column) => ({
          label: `${extraColumns.includes(column) ? 'Hide' : 'Show'} ${columnLabels[column].toLowerCase()}`,
          hint: column === 'norm' ? 'vector length as received' : 'estimated for text input',
          onPick: () =>
            onChange(
              extraColumns.includes(column)
                ? extraColumns.filter((visibleColumn) => visibleColumn !== column)
                : [...extraColumns, column],
            ),
        }))}
      >
        <Columns3 className="icon-14" aria-hidden />
      </Menu>
    </div>
  );
}

interface RowProps {
  row: ListRow;
  index: number;
  count: number;
  text: string;
  labText: LabText | undefined;
  group: string | undefined;
  job: EmbeddingJob;
  /** Remark that another text has the same vector. */
  sameVectorRemark: string | undefined;
  hasState: boolean;
  score: number | undefined;
  norm: string | undefined;
  tokens: string | undefined;
  isBest: boolean;
  isCurrent: boolean;
  /** True for the only row in the tab order. */
  isTabStop: boolean;
  isSelected: boolean;
  isOpen: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Called when the row's button mounts or unmounts. */
  onButtonRef: (text: number, button: HTMLButtonElement | null) => void;
  onPick: (event: MouseEvent, text: number) => void;
  onToggle: (text: number) => void;
}

function Row(props: RowProps) {
  const { row, index, count, text, labText, job, hasState, score, isBest, isCurrent, isOpen } = props;
  const failure = job.getFailure(row.text);
  const tint = isBest ? 'bg-needle-wash' : isCurrent || props.isSelected ? 'bg-hover' : 'hover:bg-hover';
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      className={`absolute inset-x-0 top-0 grid h-12 grid-cols-[34px_20px_minmax(0,1fr)_auto] items-center border-b border-line pr-4 max-phone:pr-2 ${tint} ${isCurrent ? 'shadow-[inset_3px_0_var(--needle)]' : ''}`}
      style={{ transform: `translateY(${index * rowPx}px)` }}
    >
      <span
        className={`pr-2.5 text-right text-12 ${isBest ? 'font-semibold text-needle-ink' : 'text-ink-3'} ${count >= 10_000 ? 'text-[10px]' : ''}`}
      >
        {row.rank}
      </span>
      <GroupIcon group={labText?.group} name={props.group} />
      <span className={`flex min-w-0 items-center gap-1 ${row.nearEqualTo === undefined ? '' : 'pl-3'}`}>
        <ButtonElement
          type="button"
          ref={(button) => props.onButtonRef(row.text, button)}
          onKeyDown={props.onKeyDown}
          tabIndex={props.isTabStop ? 0 : -1}
          aria-current={isCurrent || undefined}
          aria-pressed={props.isSelected || undefined}
          title={failure ? `${labText?.text ?? ''}\n${describeItemFailure(failure)}` : labText?.text}
          className={`min-w-0 flex-1 text-start text-13 leading-[18px] text-ink outline-offset-1 ${isBest ? 'font-medium' : ''}`}
          onClick={(event) => props.onPick(event, row.text)}
        >
          <span dir="auto" className="line-clamp-2 wrap-anywhere">
            {text}
          </span>
        </ButtonElement>
        <span className="flex flex-none flex-col items-end">
          {props.sameVectorRemark !== undefined && (
            <span className="px-1 text-11 whitespace-nowrap text-ink-3" title={props.sameVectorRemark}>
              same vector
              <span className="sr-only">{props.sameVectorRemark.slice('same vector'.length)}</span>
            </span>
          )}
          {row.nearEqualCount > 0 && (
            <ButtonElement
              type="button"
              tabIndex={props.isTabStop ? 0 : -1}
              aria-expanded={isOpen}
              aria-label={`${formatCount(row.nearEqualCount)} alike (near-${row.nearEqualCount === 1 ? 'duplicate' : 'duplicates'})`}
              className="inline-flex h-6 flex-none items-center gap-0.5 rounded-2 px-1 text-11 whitespace-nowrap text-ink-3 hover:bg-hover hover:text-ink"
              onClick={() => props.onToggle(row.text)}
            >
              {isOpen ? (
                <ChevronDown className="icon-14" aria-hidden />
              ) : (
                <ChevronRight className="icon-14" aria-hidden />
              )}
              {formatCount(row.nearEqualCount)} alike
            </ButtonElement>
          )}
        </span>
      </span>
      <span className="flex items-center pl-2 text-12 text-ink-2">
        {props.tokens !== undefined && <span className="w-12 text-right">{props.tokens}</span>}
        {props.norm !== undefined && <span className="w-12 text-right">{props.norm}</span>}
        {hasState ? (
          <StateLabel state={job.getItemState(row.text)} reason={failure && describeItemFailure(failure)} />
        ) : (
          <Score score={score} isBest={isBest} />
        )}
      </span>
    </li>
  );
}

/** Score as a number and a bar. */
function Score({ score, isBest }: { score: number | undefined; isBest: boolean }) {
  return (
    <span className="w-14 text-right">
      {score !== undefined && (
        <>
          <b className={`text-13 font-[550] ${isBest ? 'text-needle-ink' : 'text-ink'}`}>
            {formatCosine(score, 2)}
          </b>
          <span
            aria-hidden
            className="mt-px ml-auto block h-[3px] w-11 rounded-[2px] bg-line"
            style={{ '--share': Math.max(0, score) }}
          >
            <span
              className={`block h-full w-[calc(var(--share)*100%)] rounded-[2px] ${isBest ? 'bg-needle' : 'bg-ink-3'}`}
            />
          </span>
        </>
      )}
    </span>
  );
}

/** Label of each text state. */
const stateLabels: Record<ItemState, string> = {
  waiting: 'waiting',
  known: 'stored',
  embedded: 'embedded',
  failed: 'failed',
};

function StateLabel({ state, reason }: { state: ItemState; reason: string | undefined }) {
  const hasVector = state === 'known' || state === 'embedded';
  return (
    <span className={`w-14 text-right ${state === 'failed' ? 'text-err-ink' : 'text-ink-3'}`}>
      {hasVector ? (
        <>
          <CheckIcon className="ml-auto icon-14 text-ok-ink" aria-hidden />
          <span className="sr-only">{stateLabels[state]}</span>
        </>
      ) : (
        stateLabels[state]
      )}
      {reason !== undefined && <span className="sr-only">: {reason}</span>}
    </span>
  );
}

function formatNorm(set: ReturnType<typeof getShownSet>, text: number): string {
  const row = set && getTextRow(set, text);
  return row === undefined ? '' : (set?.norms[row]?.toFixed(2) ?? '');
}

/**
 * Formats the token count of a text: exact for token inputs, otherwise estimated, because responses report only the sum
 * of a request.
 */
function formatTextTokens(text: LabText | undefined): string {
  if (!text) return '';
  return text.tokens ? formatCount(text.tokens.length) : `~${formatCount(estimateTokens(text.text))}`;
}

/** Moves the focus to the new current row after a key press. The same render mounts the row. */
function useRowFocus(current: number | undefined) {
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const isFocusPending = useRef(false);
  useLayoutEffect(() => {
    if (!isFocusPending.current || current === undefined) return;
    isFocusPending.current = false;
    buttons.current.get(current)?.focus({ preventScroll: true });
  }, [current]);
  return {
    /** Called when a row's button mounts or unmounts. */
    registerButton: (text: number, button: HTMLButtonElement | null) => {
      if (button) buttons.current.set(text, button);
      else buttons.current.delete(text);
    },
    /** Requests focus for the next current row, which receives it when the row changes. */
    requestFocus: () => {
      isFocusPending.current = true;
    },
  };
}
