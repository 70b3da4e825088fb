import { clsx } from 'clsx';
import { useEffect, useState } from 'react';

import { createTapeCursor } from '../../../conversation/files/tape-cursor.ts';
import {
  describeFirstToken,
  listMetricRemarks,
  computeMetrics,
} from '../../../conversation/reply/metrics.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatCount, formatDuration, pluralize } from '../../../lib/format.ts';
import { useAppServices, useSessionServices, useRunServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import type { CellData } from '../../../state/trials/repository/trial-records.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { getCheckedText } from '../../../trials/cell.ts';
import { getColumnLetter, type CellKey, type Cell } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { Activity, RotateCw, X } from '../../../ui/icons.tsx';
import { ChevronLeft, ChevronRight, Columns3, Play } from '../../../ui/late-icons.tsx';
import { getColumnNames } from '../format-columns.ts';
import { formatAnswerCount, summarizeCell, describeNoAnswer, type AnswerGroup } from '../grid/format-cell.ts';
import { useCaseRows } from '../grid/use-case-rows.ts';
import { sidePanel, casesGrid } from '../trial-focus-targets.ts';
import { inspectCell, openAsLanes, retryCells } from '../trial-handlers.ts';
import { useTrial, useTrialViewStore, useFullTrialState, useTrialState, useTrialView } from '../use-trial.ts';
import { AnswerText } from './answer-text.tsx';

const sectionClasses = 'border-b border-line px-4 pt-2.5 pb-3';

/** Panel of a cell: the case, the answer, the result of each check and the user's mark. */
export function CellPanel({ cellKey }: { cellKey: CellKey }) {
  const { inspector } = useRunServices();
  const { session } = useSessionServices();
  const { notices, router } = useAppServices();
  const trial = useTrial();
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const rows = useCaseRows();
  const { trial: data, cases, cells } = state;
  const { caseId, columnId } = cellKey;
  const repeat = Math.min(cellKey.repeat, data.repeats);
  const key = { caseId, columnId, repeat };
  const cellData = useCellData(key);
  const replayedRun = useCellReplay(cellData);
  const testCase = cases.get(caseId);
  const columnIndex = data.columns.findIndex(({ id }) => id === columnId);
  const column = data.columns[columnIndex];
  if (!testCase || !column) return null;
  const letter = getColumnLetter(columnIndex);
  const number = data.batches.flatMap(({ caseIds }) => caseIds).indexOf(caseId) + 1;
  const summary = summarizeCell(state, testCase, column);
  const cell = cells.get(getCellId(key));
  const rowIndex = rows.findIndex((row) => row.caseId === caseId);
  const getAdjacentCaseId = (step: 1 | -1) => rows[rowIndex + step]?.caseId;
  const goTo = (next: string | undefined) => {
    if (next === undefined) return;
    view.setState(({ cursor }) => ({
      cursor: { ...cursor, caseId: next },
      panel: { name: 'cell', key: { caseId: next, columnId, repeat: 1 } },
    }));
  };
  const close = () => {
    view.setState({ panel: undefined });
    casesGrid.focus();
  };

  return (
    <aside
      aria-label="Cell"
      data-region
      tabIndex={-1}
      {...sidePanel.attributes}
      className={`lane-${letter.toLowerCase()} flex min-h-0 w-93 flex-none flex-col overflow-y-auto border-l border-line bg-bench max-phone:fixed max-phone:inset-0 max-phone:z-20 max-phone:w-full max-phone:border-l-0 phone:@max-4xl/page:w-80`}
    >
      <header className="sticky top-0 z-1 flex h-11 flex-none items-center gap-2 border-b border-line bg-bench pr-2 pl-4">
        <h2 className="flex min-w-0 items-center gap-2 text-13 font-[600]">
          <span className="whitespace-nowrap">Case {number}</span>
          <LaneTile letter={letter} />
          <span className="sr-only">column {letter}, </span>
          <span className="truncate font-[450] text-ink-2">
            {getColumnNames(state.trial.columns, state.verdictContext.limits)[columnIndex]?.name}
          </span>
        </h2>
        <span className="grow" />
        <IconButton
          label="Previous case"
          size="small"
          disabled={getAdjacentCaseId(-1) === undefined}
          onClick={() => goTo(getAdjacentCaseId(-1))}
        >
          <ChevronLeft className="icon-16" aria-hidden />
        </IconButton>
        <IconButton
          label="Next case"
          size="small"
          disabled={getAdjacentCaseId(1) === undefined}
          onClick={() => goTo(getAdjacentCaseId(1))}
        >
          <ChevronRight className="icon-16" aria-hidden />
        </IconButton>
        <IconButton label="Close cell" shortcut="Esc" onClick={close}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      <section className={sectionClasses}>
        {data.fields.map((field, index) => (
          <div key={field} className={index === 0 ? 'mb-1.5' : 'flex gap-2.5 text-12'}>
            <p className={index === 0 ? 'text-11 text-ink-3' : 'text-ink-3'}>{field}</p>
            <p
              dir="auto"
              className={
                index === 0
                  ? 'unbroken max-h-40 overflow-y-auto text-14 break-words whitespace-pre-wrap'
                  : 'unbroken min-w-0 font-[550] break-words'
              }
            >
              {Object.hasOwn(testCase.values, field) ? testCase.values[field] : ''}
            </p>
          </div>
        ))}
        {testCase.history && (
          <p className="mt-1.5 text-12 text-ink-3">{pluralize(testCase.history.length, 'earlier message')}</p>
        )}
      </section>
      {data.repeats > 1 && summary.answerGroups.length > 0 && (
        <Distribution groups={summary.answerGroups} summaryText={formatAnswerCount(summary)} />
      )}
      <section className={sectionClasses}>
        {data.repeats > 1 && <RepeatChoice cellKey={key} />}
        {cell?.outcome === 'no answer' && (
          <p data-mark="no answer" className="mb-2 flex items-center gap-2 font-[550] text-warn-ink">
            no answer{cell.why ? `, ${describeNoAnswer(cell)}` : ''}
            {cell.tries > 1 ? `, ${cell.tries} tries` : ''}
          </p>
        )}
        {cellData ? (
          <AnswerText
            cellKey={key}
            text={getCheckedText(replayedRun ?? cellData.run)}
            isReplaying={replayedRun !== undefined}
          />
        ) : (
          <p className="text-12 text-ink-3">{cell ? 'Loading answer…' : 'Not run yet'}</p>
        )}
        {cell && <CellScores cell={cell} />}
      </section>
      {cellData && <CellMetrics cellData={cellData} tries={cell?.tries ?? 1} />}
      {cell?.outcome === 'answered' && <CellMark cellKey={key} />}
      <footer className="mt-auto grid grid-cols-2 gap-2 px-4 pt-3 pb-4">
        <Button
          disabled={!cellData}
          onClick={() => reportFailure(notices, inspectCell({ router, session, inspector }, trial, key))}
        >
          <Activity className="icon-14" aria-hidden />
          Inspect
        </Button>
        <Button
          disabled={!cellData || cellData.tape.length === 0}
          onClick={() => view.setState(({ replayRequests }) => ({ replayRequests: replayRequests + 1 }))}
        >
          <Play className="icon-14" aria-hidden />
          Play
        </Button>
        <Button
          disabled={!cell}
          onClick={() =>
            reportFailure(notices, openAsLanes({ router, notices }, trial, caseId, undefined, repeat))
          }
        >
          <Columns3 className="icon-14" aria-hidden />
          Open as lanes
        </Button>
        <Button
          disabled={!cell || column?.savedAnswers !== undefined}
          title={column?.savedAnswers && 'Copied answers are not asked again'}
          onClick={() => reportFailure(notices, retryCells(trial, [key]))}
        >
          <RotateCw className="icon-14" aria-hidden />
          Ask again
        </Button>
      </footer>
    </aside>
  );
}

/** Distinct answers of the repeats and their frequencies. */
function Distribution({ groups, summaryText }: { groups: readonly AnswerGroup[]; summaryText: string }) {
  const maxCount = Math.max(...groups.map(({ count }) => count));
  return (
    <section className={sectionClasses} aria-label="Answers of all repeats">
      <h3 className="mb-1.5 text-11 text-ink-3">{summaryText}</h3>
      <ul>
        {groups.map(({ status, text, count, suffix }, index) => (
          <li key={index} className="grid grid-cols-[minmax(0,7rem)_1fr_2rem] items-center gap-2 leading-6">
            <span
              data-mark={status}
              className={clsx(
                'flex min-w-0 items-center gap-2',
                status === 'failed' && 'font-[550] text-err-ink',
              )}
            >
              <span className="truncate" dir="auto" title={suffix}>
                {text}
              </span>
            </span>
            <span className="h-2">
              <span
                className={`block h-2 w-(--bar-width) rounded-[1.5px] ${status === 'failed' ? 'bg-err' : status === 'no answer' ? 'bg-warn' : 'bg-ink'}`}
                style={{ '--bar-width': `${(100 * count) / maxCount}%` }}
              />
            </span>
            <b className="text-right font-[600]">{count}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Metrics of the answer. */
function CellMetrics({ cellData: { run }, tries }: { cellData: CellData; tries: number }) {
  const metrics = computeMetrics(run);
  const { timeToFirstToken, tokensPerSecond, tokensIn, tokensOut, duration } = metrics;
  const firstTokenRemark = describeFirstToken(metrics);
  const remarks = listMetricRemarks(metrics);
  const formatMs = (metric: typeof duration) => {
    if (!('value' in metric)) return '–';
    const { number, unit } = formatDuration(metric.value);
    return `${number} ${unit}`;
  };
  const formatTokens = (metric: typeof duration) =>
    'value' in metric ? `${metric.kind === 'estimated' ? '~' : ''}${formatCount(metric.value)}` : '–';
  const rows: readonly (readonly [string, string])[] = [
    ['TTFT', [formatMs(timeToFirstToken), firstTokenRemark].filter(Boolean).join(', ')],
    ['Speed', 'value' in tokensPerSecond ? `${tokensPerSecond.value.toFixed(1)} tok/s` : '–'],
    ['Tokens in / out', `${formatTokens(tokensIn)} / ${formatTokens(tokensOut)}`],
    ['Finish reason', run.choices[0]?.finishReason ?? '–'],
    ['Total', formatMs(duration)],
    ...(tries > 1 ? [['Tries', String(tries)] as const] : []),
  ];
  const requestId = run.returnedRequestId ?? run.requestId;
  return (
    <section className={sectionClasses} role="group" aria-label="Metrics">
      <dl className="flex flex-wrap justify-between gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt className="text-11 text-ink-3">{name}</dt>
            <dd className="text-13 font-[550] whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
      {remarks.length > 0 && <p className="mt-1 text-11 text-ink-3">{remarks.join(' · ')}</p>}
      {requestId !== undefined && (
        <p className="mt-1 truncate font-mono text-mono-11 text-ink-3">{requestId}</p>
      )}
    </section>
  );
}

/** Buttons that mark an answer as right or wrong; a second press clears the mark. */
function CellMark({ cellKey }: { cellKey: CellKey }) {
  const trial = useTrial();
  const { marks } = useFullTrialState();
  const mark = marks.get(getCellId(cellKey))?.mark;
  const renderButton = (value: 'right' | 'wrong', label: string, shortcut: string) => (
    <Button
      aria-pressed={mark === value}
      className={mark === value ? 'border-ink! bg-ink! text-on-ink!' : ''}
      onClick={() => trial.setMark(cellKey, mark === value ? undefined : value)}
    >
      {label}
      <kbd aria-hidden>{shortcut}</kbd>
    </Button>
  );
  return (
    <section role="group" aria-label="Your mark" className="border-b border-line px-4 pt-2.5 pb-3">
      <h3 className="mb-1.5 text-11 text-ink-3">Your mark</h3>
      <p className="flex flex-wrap items-center gap-2">
        {renderButton('right', 'Right', '1')}
        {renderButton('wrong', 'Wrong', '0')}
        <span className="text-12 text-ink-3">
          {marks.size > 0 ? `${pluralize(marks.size, 'mark')} so far` : ''}
        </span>
      </p>
    </section>
  );
}

/** Result of each check for this answer, with the reason. */
function CellScores({ cell }: { cell: Cell }) {
  const checks = useTrialState(({ trial }) => trial.checks);
  if (checks.length === 0 || cell.outcome === 'no answer') return null;
  return (
    <ul aria-label="Check results" className="mt-2 grid gap-0.5">
      {checks.map(({ id, name }) => {
        const score = cell.scores[id];
        const status = score?.result ?? 'waiting';
        return (
          <li key={id} data-mark={status} className="flex items-start gap-1.5 text-12 before:mt-0.5">
            <b className={`font-[550] whitespace-nowrap ${status === 'failed' ? 'text-err-ink' : ''}`}>
              {name}
            </b>
            <span className="unbroken min-w-0 break-words text-ink-2">
              <span className="sr-only">{score?.result ?? 'not scored yet'} </span>
              {score?.why}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Selector of the repeat, with the outcome of each. */
function RepeatChoice({ cellKey }: { cellKey: CellKey }) {
  const view = useTrialViewStore();
  const { trial, cells, liveCells } = useFullTrialState();
  const statuses = Array.from({ length: trial.repeats }, (_, index) => {
    const cellId = getCellId({ ...cellKey, repeat: index + 1 });
    const cell = cells.get(cellId);
    if (!cell) return liveCells.has(cellId) ? 'running' : 'waiting';
    if (cell.outcome === 'no answer') return 'no answer';
    return (trial.decides === undefined ? undefined : cell.scores[trial.decides]?.result) ?? 'answered';
  });
  return (
    <div className="mb-2 overflow-x-auto">
      <Segmented
        label="Repeat"
        value={String(cellKey.repeat)}
        choices={statuses.map((status, index) => ({
          value: String(index + 1),
          label: `${index + 1}, ${status}`,
          content: (
            <span data-mark={status} className="flex items-center gap-1">
              {index + 1}
            </span>
          ),
        }))}
        onChange={(repeat) =>
          view.setState({ panel: { name: 'cell', key: { ...cellKey, repeat: Number(repeat) } } })
        }
      />
    </div>
  );
}

/** Returns the run and the tape of a cell, reloaded when its run changes; `undefined` until they have loaded. */
function useCellData(key: CellKey): CellData | undefined {
  const trial = useTrial();
  const cellId = getCellId(key);
  const runId = useTrialState(
    (state) => state.cells.get(cellId)?.runId ?? state.liveCells.get(cellId)?.runId,
  );
  const isLive = useTrialState((state) => state.liveCells.has(cellId));
  const changeCount = useTrialState((state) => (state.liveCells.has(cellId) ? state.changeCount : 0));
  const [loadedCell, setLoadedCell] = useState<{ cellRunKey: string; cellData: CellData | undefined }>();
  const cellRunKey = `${cellId} ${runId ?? ''}`;
  useEffect(() => {
    let isUnmounted = false;
    const [caseId = '', columnId = '', repeat = '1'] = cellId.split(' ');
    trial.readCell({ caseId, columnId, repeat: Number(repeat) }).then(
      (cellData) => {
        if (!isUnmounted) setLoadedCell({ cellRunKey, cellData });
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, [trial, cellId, cellRunKey, isLive, changeCount]);
  return loadedCell?.cellRunKey === cellRunKey ? loadedCell.cellData : undefined;
}

/** Returns the run at the current position of its replay; `undefined` while there is no replay. */
function useCellReplay(cellData: CellData | undefined): Run | undefined {
  const { page } = useAppServices();
  const replayRequests = useTrialView((view) => view.replayRequests);
  const [handledRequests, setHandledRequests] = useState(replayRequests);
  const [replayedRun, setReplayedRun] = useState<Run>();
  const shouldReplay = replayRequests !== handledRequests;
  useEffect(() => {
    if (!shouldReplay || !cellData) return undefined;
    const { run, tape } = cellData;
    const cursor = createTapeCursor(run);
    cursor.push(tape);
    const endMs = cursor.arrivalTimes.at(-1) ?? 0;
    const startMs = page.clock();
    let isUnmounted = false;
    const step = () => {
      if (isUnmounted) return;
      const elapsedMs = page.clock() - startMs;
      if (elapsedMs >= endMs) {
        setReplayedRun(undefined);
        setHandledRequests(replayRequests);
        return;
      }
      setReplayedRun(cursor.getRunAt(elapsedMs));
      page.runInNextFrame(step);
    };
    step();
    return () => {
      isUnmounted = true;
      setReplayedRun(undefined);
    };
  }, [shouldReplay, cellData, page, replayRequests]);
  return shouldReplay ? replayedRun : undefined;
}
