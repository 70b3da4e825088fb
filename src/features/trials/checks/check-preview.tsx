import { clsx } from 'clsx';

import { formatCount } from '../../../lib/format.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { getColumnLetter, type Check } from '../../../trials/trial.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useTrialView, useFullTrialState } from '../use-trial.ts';
import { countPreviewScores } from './preview-counts.ts';
import { useCheckPreview } from './use-check-preview.ts';

/** Results of the check for existing answers, per column, and in detail for one case. */
export function CheckPreview({ check }: { check: Check }) {
  const state = useFullTrialState();
  const { trial, order, cells } = state;
  const previewScores = useCheckPreview(check);
  const cursorCaseId = useTrialView((view) => view.cursor.caseId);
  const caseId = cursorCaseId !== undefined && order.includes(cursorCaseId) ? cursorCaseId : order[0];
  const number = trial.batches.flatMap(({ caseIds }) => caseIds).indexOf(caseId ?? '') + 1;
  if (!state.hasAnswers)
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
