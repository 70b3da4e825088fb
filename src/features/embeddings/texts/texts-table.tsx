import { useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { estimateTokens } from '../../../conversation/request/request.ts';
import { formatCount } from '../../../lib/format.ts';
import type { EmbeddingJob, ItemState } from '../../../state/embedding/embedding-job-types.ts';
import { rowOf, shownSet, type LabText } from '../../../state/lab/lab-state.ts';
import { useRowWindow } from '../../../ui/hooks/use-row-window.ts';
import { failureInWords } from '../finding-words.ts';
import { GroupMark } from '../group-mark.tsx';
import { useJobState, useLab, useLabState } from '../hooks/use-lab.ts';
import { useNearest } from '../nearest/use-nearest.ts';
import { cosineWords } from '../views/dimension-words.ts';

const rowPx = 26;

/** Every text with its state, tokens and norm: what the maps and matrices show, as rows that keys and readers reach. */
export function TextsTable() {
  const job = useLabState((state) => state.jobs[state.active ?? 'A']);
  const count = useLabState((state) => state.texts.length);
  return job && count > 0 ? <Table job={job} /> : null;
}

function Table({ job }: { job: EmbeddingJob }) {
  const { select, selectMany } = useLab();
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const set = useLabState(shownSet);
  const { current, chosen } = useLabState((state) => state.selection);
  // What the job says of each text changes with its counts.
  useJobState(job, (state) => state.counts);
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(scroller, {
    count: texts.length,
    rowPx,
    active: current,
    headPx: rowPx,
  });
  const selected = useMemo(() => new Set(chosen), [chosen]);
  const { nearest } = useNearest();
  const best = useMemo(() => new Set(nearest?.ranked.map(({ text }) => text)), [nearest]);
  // A column that says the same of every text says nothing.
  const hasState = useJobState(job, ({ counts }) => counts.waiting + counts.failed > 0);

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 260) / rowPx) - 2);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const ends: Record<string, number> = { Home: 0, End: texts.length - 1 };
    const step = steps[event.key];
    const to = step === undefined ? ends[event.key] : (current ?? (step > 0 ? -1 : texts.length)) + step;
    if (to === undefined) return;
    event.preventDefault();
    const text = Math.max(0, Math.min(texts.length - 1, to));
    if (event.shiftKey && current !== undefined) {
      selectMany([...chosen, text], text);
    } else select(text);
  };
  const onClick = (event: MouseEvent, text: number) => {
    if (event.ctrlKey || event.metaKey)
      selectMany(selected.has(text) ? chosen.filter((other) => other !== text) : [...chosen, text]);
    else if (event.shiftKey && current !== undefined) {
      const [low, high] = [Math.min(current, text), Math.max(current, text)];
      selectMany(Array.from({ length: high - low + 1 }, (_, index) => low + index));
    } else select(text);
  };

  return (
    <div
      ref={scroller}
      className="texts-table"
      role="grid"
      aria-label="Embedded texts"
      aria-multiselectable
      aria-rowcount={texts.length + 1}
      aria-colcount={4}
      tabIndex={0}
      aria-activedescendant={
        current !== undefined && current >= from && current < to ? `lab-text-${current}` : undefined
      }
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className="head">
        <span role="columnheader">Text</span>
        <span role="columnheader" className="n">
          Tokens
        </span>
        <span role="columnheader" className="n">
          Norm
        </span>
        <span role="columnheader" className="n">
          {hasState ? 'State' : 'Score'}
        </span>
      </div>
      <div role="rowgroup" className="rows" style={{ height: texts.length * rowPx }}>
        {texts.slice(from, to).map((text, index) => {
          const at = from + index;
          const row = set && rowOf(set, at);
          const norm = row === undefined ? undefined : set?.norms[row];
          const state = job.itemState(at);
          const failure = job.failure(at);
          const score = row === undefined ? undefined : nearest?.scoreOf(row);
          return (
            <div
              key={at}
              id={`lab-text-${at}`}
              role="row"
              aria-rowindex={at + 2}
              aria-selected={selected.has(at)}
              className={`row${at === current ? ' current' : ''}${best.has(at) ? ' near' : ''}`}
              style={{ top: at * rowPx }}
              title={failure ? `${text.text}\n${failureInWords(failure)}` : text.text}
              onClick={(event) => onClick(event, at)}
            >
              <span role="gridcell" className="t">
                <GroupMark
                  group={text.group}
                  name={text.group === undefined ? undefined : groups[text.group]}
                />
                <span dir="auto">{text.text}</span>
              </span>
              <span role="gridcell" className="n">
                {tokensOf(text)}
              </span>
              <span role="gridcell" className="n">
                {norm === undefined ? '' : norm.toFixed(2)}
              </span>
              {hasState ? (
                <span role="gridcell" className={`n ${state}`}>
                  {stateWords[state]}
                  {failure && <span className="vh">: {failureInWords(failure)}</span>}
                </span>
              ) : (
                <span role="gridcell" className="n score">
                  {score === undefined || (nearest?.source.of === 'text' && nearest.source.text === at)
                    ? ''
                    : cosineWords(score, 2)}
                </span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Exact for token inputs; counted here otherwise, since answers report only the sum of a request. */
function tokensOf(text: LabText): string {
  return text.tokens ? formatCount(text.tokens.length) : `~${formatCount(estimateTokens(text.text))}`;
}

/** The state of a text, as its row says it. */
const stateWords: Record<ItemState, string> = {
  waiting: 'not yet',
  known: 'stored',
  embedded: 'embedded',
  failed: 'failed',
};
