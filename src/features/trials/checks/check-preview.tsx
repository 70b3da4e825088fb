import { clsx } from 'clsx';
import { useEffect, useState } from 'react';

import { formatCount } from '../../../lib/format.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { emptyRemark } from '../../../trials/checks/score-answer.ts';
import {
  getColumnLetter,
  type CaseId,
  type Check,
  type ColumnId,
  type Score,
} from '../../../trials/trial.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useDebouncedValue } from '../../../ui/hooks/use-debounced-value.ts';
import { useTrialView, useFullTrialState, useTrial, useTrialState } from '../use-trial.ts';

/**
 * Results of the check for existing answers, per column, and in detail for one case: the current one if it fails,
 * otherwise the first that does.
 */
export function CheckPreview({ check }: { check: Check }) {
  const state = useFullTrialState();
  const { trial, order, cells } = state;
  const previewScores = useCheckPreview(check);
  const cursorCaseId = useTrialView((view) => view.cursor.caseId);
  const hasFailed = (id: CaseId) =>
    trial.columns.some(
      (column) =>
        previewScores?.get(getCellId({ caseId: id, columnId: column.id, repeat: 1 }))?.result === 'failed',
    );
  const caseIds = order.includes(cursorCaseId ?? '') ? [cursorCaseId ?? '', ...order] : order;
  const caseId = caseIds.find(hasFailed) ?? caseIds[0];
  const number = trial.batches.flatMap(({ caseIds }) => caseIds).indexOf(caseId ?? '') + 1;
  if (state.cells.size === 0)
    return (
      <p className="border-b border-line px-4 py-3 text-12 text-pretty text-ink-3">
        No answers to test this check on yet.
      </p>
    );
  return (
    <section className="border-b border-line px-4 py-3" aria-label="Results on current answers">
      <h3 className="mb-1.5 text-11 text-ink-3">Results on current answers</h3>
      <ul className="mb-3 grid gap-1">
        {trial.columns.map((column, index) => {
          const { passed, passedEmpty, failed, missing } = countPreviewScores(previewScores, column.id);
          return (
            <li key={column.id} className="flex items-center gap-2 text-12">
              <LaneTile letter={getColumnLetter(index)} />
              <span className="sr-only">Column {getColumnLetter(index)}: </span>
              <b className="font-[550]">{formatCount(passed)} passed</b>
              {passedEmpty > 0 && (
                <span className="text-warn-ink">{formatCount(passedEmpty)} of them empty</span>
              )}
              <span className="text-err-ink">{formatCount(failed)} failed</span>
              {missing > 0 && <span className="text-warn-ink">{formatCount(missing)} missing</span>}
            </li>
          );
        })}
      </ul>
      {caseId !== undefined && (
        <>
          <h3 className="mb-1 text-11 text-ink-3">Case {number}</h3>
          <ul className="grid gap-2">
            {trial.columns.map((column, index) => {
              const cellId = getCellId({ caseId, columnId: column.id, repeat: 1 });
              const cell = cells.get(cellId);
              const score = previewScores?.get(cellId);
              const status = score?.result ?? 'waiting';
              if (!cell) return null;
              return (
                <li key={column.id} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
                  <LaneTile letter={getColumnLetter(index)} />
                  <span
                    className="truncate rounded-2 border border-line-2 bg-raised px-2 py-1 font-mono text-mono-12"
                    dir="auto"
                  >
                    {cell.head}
                  </span>
                  <span />
                  <span
                    data-mark={status}
                    className={clsx(
                      'mt-1 flex items-center gap-1.5 text-12',
                      status === 'failed' ? 'text-err-ink' : 'text-ink-2',
                    )}
                  >
                    {score
                      ? `${score.result}${score.why === undefined ? '' : `: ${score.why}`}`
                      : 'not checked yet'}
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}

/** Counts the scores of a column by result; `passedEmpty` counts passed answers without text. */
function countPreviewScores(
  scores: ReadonlyMap<string, Score> | undefined,
  columnId: ColumnId,
): { passed: number; passedEmpty: number; failed: number; missing: number } {
  const counts = { passed: 0, passedEmpty: 0, failed: 0, missing: 0 };
  for (const [cellId, { result, why }] of scores ?? []) {
    if (cellId.split(' ')[1] !== columnId) continue;
    if (result === 'passed') {
      counts.passed += 1;
      if (why?.endsWith(emptyRemark) === true) counts.passedEmpty += 1;
    }
    if (result === 'failed') counts.failed += 1;
    if (result === 'no answer') counts.missing += 1;
  }
  return counts;
}

const debounceMs = 150;

/** Returns this check's scores for existing answers; `undefined` until they are computed. */
function useCheckPreview(check: Check): ReadonlyMap<string, Score> | undefined {
  const trial = useTrial();
  const debouncedCheck = useDebouncedValue(check, debounceMs);
  const changeCount = useTrialState((state) => state.changeCount);
  const [previewScores, setPreviewScores] = useState<ReadonlyMap<string, Score>>();
  useEffect(() => {
    const abortController = new AbortController();
    trial.previewCheck(debouncedCheck, abortController.signal).then(
      (scores) => {
        if (!abortController.signal.aborted) setPreviewScores(scores);
      },
      // A later version of the check has replaced this one.
      () => undefined,
    );
    return () => abortController.abort();
  }, [trial, debouncedCheck, changeCount]);
  return previewScores;
}
