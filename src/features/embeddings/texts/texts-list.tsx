import { useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';

import { estimateTokens } from '../../../conversation/request/request.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import type { EmbeddingJob, ItemState } from '../../../state/embedding/embedding-job-types.ts';
import { jobTexts, rowOf, shownSet, type LabText } from '../../../state/lab/lab-state.ts';
import { useRowWindow } from '../../../ui/hooks/use-row-window.ts';
import { Check, ChevronDown, ChevronRight, Columns3 } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { failureInWords } from '../describe-finding.ts';
import { GroupMark } from '../group-icon.tsx';
import { useJobState, useLab, useLabState } from '../hooks/use-lab.ts';
import { useSameVector } from '../hooks/use-same-vector.ts';
import { useNearest } from '../nearest/use-nearest.ts';
import { cosineWords } from '../views/format-dimensions.ts';
import {
  groupedRows,
  orderByGroup,
  orderByScore,
  plainRows,
  wordsOfRow,
  type ListRow,
} from './list-order.ts';
import { useRowFocus } from './use-row-focus.ts';

/** Two lines and the room around them. */
const rowPx = 48;
/** A list of so few rows is in the page as a whole. */
const mostMounted = 200;
/** As many as the views mark. */
const marked = 5;

const none: ReadonlySet<number> = new Set();

const columns = ['tokens', 'norm'] as const;
type Column = (typeof columns)[number];
const columnWords: Record<Column, string> = { tokens: 'Tokens', norm: 'Norm' };

/** Every text with its rank, state and score: what the maps and matrices show, as rows that keys and readers reach. */
export function TextsList() {
  const job = useLabState((state) => state.jobs[state.active ?? 'A']);
  const count = useLabState((state) => jobTexts(state).texts.length);
  return job && count > 0 ? <Rows job={job} /> : null;
}

function Rows({ job }: { job: EmbeddingJob }) {
  const { select, selectMany } = useLab();
  const isComing = useLabState((state) => state.coming !== undefined);
  const texts = useLabState((state) => jobTexts(state).texts);
  const groups = useLabState((state) => jobTexts(state).groups);
  const shown = useLabState(shownSet);
  const set = isComing ? undefined : shown;
  const { current, chosen } = useLabState((state) => state.selection);
  // What the job says of each text changes with its counts.
  useJobState(job, (state) => state.counts);
  const hasState = useJobState(job, ({ counts }) => counts.waiting + counts.failed > 0);
  const [extra, setExtra] = useState<readonly Column[]>([]);
  const [opened, setOpened] = useState<{ of: unknown; rows: ReadonlySet<number> }>({ of: texts, rows: none });
  // Places of other texts mean nothing here.
  const open = opened.of === texts ? opened.rows : none;
  const { nearest: found } = useNearest();
  const sameVector = useSameVector();
  const nearest = isComing ? undefined : found;
  const isByScore = nearest?.source.of === 'query' && nearest.all !== undefined;
  const scoreOf = (text: number) => {
    const row = set && rowOf(set, text);
    return row === undefined ? undefined : nearest?.scoreOf(row);
  };
  const rows = useMemo(() => {
    if (!isByScore || !set) return plainRows(orderByGroup(texts));
    const scored = (text: number) => {
      const row = rowOf(set, text);
      return row === undefined ? undefined : nearest.all?.[row];
    };
    return groupedRows(orderByScore(texts, scored), texts, (text) => open.has(text));
  }, [texts, isByScore, set, nearest?.all, open]);

  const scroller = useRef<HTMLDivElement>(null);
  const at = current === undefined ? -1 : rows.findIndex(({ text }) => text === current);
  const view = useRowWindow(scroller, { count: rows.length, rowPx, active: at });
  const { from, to } = rows.length <= mostMounted ? { from: 0, to: rows.length } : view;
  const selected = useMemo(() => new Set(chosen), [chosen]);
  const best = new Set(nearest?.ranked.slice(0, marked).map(({ text }) => text));

  const { keep, follow } = useRowFocus(current);
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 480) / rowPx) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const ends: Record<string, number> = { Home: 0, End: rows.length - 1 };
    const step = steps[event.key];
    const next = step === undefined ? ends[event.key] : Math.max(0, at) + step;
    if (next === undefined || isComing) return;
    event.preventDefault();
    const text = rows[Math.max(0, Math.min(rows.length - 1, next))]?.text;
    if (text === undefined) return;
    if (text !== current) follow();
    if (event.shiftKey && current !== undefined) selectMany([...chosen, text], text);
    else select(text);
  };
  const onPick = (event: MouseEvent, text: number) => {
    if (isComing) return;
    if (event.ctrlKey || event.metaKey)
      selectMany(selected.has(text) ? chosen.filter((other) => other !== text) : [...chosen, text]);
    else if (event.shiftKey && at >= 0) {
      const other = rows.findIndex((row) => row.text === text);
      selectMany(rows.slice(Math.min(at, other), Math.max(at, other) + 1).map((row) => row.text));
    } else select(text);
  };
  const toggle = (text: number) => {
    const next = new Set(open);
    if (!next.delete(text)) next.add(text);
    setOpened({ of: texts, rows: next });
  };

  const mounted = rows.slice(from, to).map((row, index) => ({ row, place: from + index }));
  const own = rows[at];
  // What has the focus must not go with the scrolling.
  if (own && (at < from || at >= to)) mounted.push({ row: own, place: at });
  return (
    <div className="flex min-h-30 flex-[1_1_0] flex-col">
      <ListHead
        words={`${pluralize(texts.length, 'text')}, ${isByScore ? 'best match first' : groups.length > 0 ? 'by group' : 'as entered'}`}
        extra={extra}
        last={hasState ? 'State' : 'Score'}
        onChange={setExtra}
      />
      <div ref={scroller} className="min-h-0 flex-1 [scrollbar-width:thin] overflow-y-auto">
        <ul
          aria-label={isByScore ? 'Texts by score' : 'Embedded texts'}
          className="relative h-(--height)"
          style={{ '--height': `${rows.length * rowPx}px` }}
        >
          {mounted.map(({ row, place }) => (
            <Row
              key={row.text}
              row={row}
              place={place}
              count={rows.length}
              words={wordsOfRow(row, texts)}
              found={texts[row.text]}
              group={groups[texts[row.text]?.group ?? -1]}
              job={job}
              same={isComing ? undefined : sameVector(row.text)?.remark}
              hasState={hasState}
              score={
                nearest?.source.of === 'text' && nearest.source.text === row.text
                  ? undefined
                  : scoreOf(row.text)
              }
              norm={extra.includes('norm') ? normOf(set, row.text) : undefined}
              tokens={extra.includes('tokens') ? tokensOf(texts[row.text]) : undefined}
              isBest={best.has(row.text)}
              isCurrent={row.text === current && !isComing}
              isStop={place === Math.max(0, at)}
              isChosen={chosen.length > 1 && selected.has(row.text)}
              isOpen={open.has(row.text)}
              onKeyDown={onKeyDown}
              onButton={keep}
              onPick={onPick}
              onToggle={toggle}
            />
          ))}
        </ul>
      </div>
    </div>
  );
}

interface ListHeadProps {
  words: string;
  extra: readonly Column[];
  last: string;
  onChange: (extra: readonly Column[]) => void;
}

function ListHead({ words, extra, last, onChange }: ListHeadProps) {
  return (
    <div className="flex h-[34px] flex-none items-center border-b border-line pr-2.5 pl-4 text-11 text-ink-3">
      {words}
      <span className="grow" />
      {columns.map(
        (column) =>
          extra.includes(column) && (
            <span key={column} className="w-12 text-right">
              {columnWords[column]}
            </span>
          ),
      )}
      <span className="w-14 pr-1 text-right">{last}</span>
      <Menu
        label="Columns"
        items={columns.map((column) => ({
          label: `${extra.includes(column) ? 'Hide' : 'Show'} ${columnWords[column].toLowerCase()}`,
          hint: column === 'norm' ? 'length of the vector as received' : 'about, where texts are sent',
          onPick: () =>
            onChange(extra.includes(column) ? extra.filter((other) => other !== column) : [...extra, column]),
        }))}
      >
        <Columns3 className="icon-14" aria-hidden />
      </Menu>
    </div>
  );
}

interface RowProps {
  row: ListRow;
  place: number;
  count: number;
  words: string;
  found: LabText | undefined;
  group: string | undefined;
  job: EmbeddingJob;
  /** The remark on a vector that another text has as well. */
  same: string | undefined;
  hasState: boolean;
  score: number | undefined;
  norm: string | undefined;
  tokens: string | undefined;
  isBest: boolean;
  isCurrent: boolean;
  /** The one row that Tab goes to. */
  isStop: boolean;
  isChosen: boolean;
  isOpen: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Its button comes or goes. */
  onButton: (text: number, button: HTMLButtonElement | null) => void;
  onPick: (event: MouseEvent, text: number) => void;
  onToggle: (text: number) => void;
}

function Row(props: RowProps) {
  const { row, place, count, words, found, job, hasState, score, isBest, isCurrent, isOpen } = props;
  const failure = job.failure(row.text);
  const tint = isBest ? 'bg-needle-wash' : isCurrent || props.isChosen ? 'bg-hover' : 'hover:bg-hover';
  return (
    <li
      aria-setsize={count}
      aria-posinset={place + 1}
      className={`absolute inset-x-0 top-0 grid h-12 grid-cols-[34px_20px_minmax(0,1fr)_auto] items-center border-b border-line pr-4 max-phone:pr-2 ${tint} ${isCurrent ? 'shadow-[inset_3px_0_var(--needle)]' : ''}`}
      style={{ transform: `translateY(${place * rowPx}px)` }}
    >
      <span
        className={`pr-2.5 text-right text-12 ${isBest ? 'font-semibold text-needle-ink' : 'text-ink-3'} ${count >= 10_000 ? 'text-[10px]' : ''}`}
      >
        {row.rank}
      </span>
      <GroupMark group={found?.group} name={props.group} />
      <span className={`flex min-w-0 items-center gap-1 ${row.like === undefined ? '' : 'pl-3'}`}>
        <button
          type="button"
          ref={(button) => props.onButton(row.text, button)}
          onKeyDown={props.onKeyDown}
          tabIndex={props.isStop ? 0 : -1}
          aria-current={isCurrent || undefined}
          aria-pressed={props.isChosen || undefined}
          title={failure ? `${found?.text ?? ''}\n${failureInWords(failure)}` : found?.text}
          className={`min-w-0 flex-1 text-start text-13 leading-[18px] text-ink outline-offset-1 ${isBest ? 'font-medium' : ''}`}
          onClick={(event) => props.onPick(event, row.text)}
        >
          <span dir="auto" className="line-clamp-2 wrap-anywhere">
            {words}
          </span>
        </button>
        <span className="flex flex-none flex-col items-end">
          {props.same !== undefined && (
            <span className="px-1 text-11 whitespace-nowrap text-ink-3" title={props.same}>
              same vector
              <span className="sr-only">{props.same.slice('same vector'.length)}</span>
            </span>
          )}
          {row.others > 0 && (
            <button
              type="button"
              tabIndex={props.isStop ? 0 : -1}
              aria-expanded={isOpen}
              aria-label={`${formatCount(row.others)} near-equal ${row.others === 1 ? 'text' : 'texts'}`}
              className="inline-flex h-6 flex-none items-center gap-0.5 rounded-2 px-1 text-11 whitespace-nowrap text-ink-3 hover:bg-hover hover:text-ink"
              onClick={() => props.onToggle(row.text)}
            >
              {isOpen ? (
                <ChevronDown className="icon-14" aria-hidden />
              ) : (
                <ChevronRight className="icon-14" aria-hidden />
              )}
              {formatCount(row.others)} alike
            </button>
          )}
        </span>
      </span>
      <span className="flex items-center pl-2 text-12 text-ink-2">
        {props.tokens !== undefined && <span className="w-12 text-right">{props.tokens}</span>}
        {props.norm !== undefined && <span className="w-12 text-right">{props.norm}</span>}
        {hasState ? (
          <StateWords state={job.itemState(row.text)} why={failure && failureInWords(failure)} />
        ) : (
          <Score score={score} isBest={isBest} />
        )}
      </span>
    </li>
  );
}

/** A score as a number and as a bar. */
function Score({ score, isBest }: { score: number | undefined; isBest: boolean }) {
  return (
    <span className="w-14 text-right">
      {score !== undefined && (
        <>
          <b className={`text-13 font-[550] ${isBest ? 'text-needle-ink' : 'text-ink'}`}>
            {cosineWords(score, 2)}
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

/** The state of a text, as its row says it. */
const stateWords: Record<ItemState, string> = {
  waiting: 'waiting',
  known: 'stored',
  embedded: 'embedded',
  failed: 'failed',
};

function StateWords({ state, why }: { state: ItemState; why: string | undefined }) {
  const isThere = state === 'known' || state === 'embedded';
  return (
    <span className={`w-14 text-right ${state === 'failed' ? 'text-err-ink' : 'text-ink-3'}`}>
      {isThere ? (
        <>
          <Check className="ml-auto icon-14 text-ok-ink" aria-hidden />
          <span className="sr-only">{stateWords[state]}</span>
        </>
      ) : (
        stateWords[state]
      )}
      {why !== undefined && <span className="sr-only">: {why}</span>}
    </span>
  );
}

function normOf(set: ReturnType<typeof shownSet>, text: number): string {
  const row = set && rowOf(set, text);
  return row === undefined ? '' : (set?.norms[row]?.toFixed(2) ?? '');
}

/** Exact for token inputs; counted here otherwise, since answers report only the sum of a request. */
function tokensOf(text: LabText | undefined): string {
  if (!text) return '';
  return text.tokens ? formatCount(text.tokens.length) : `~${formatCount(estimateTokens(text.text))}`;
}
