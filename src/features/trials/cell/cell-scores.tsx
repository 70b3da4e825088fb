import type { Cell } from '../../../trials/trial.ts';
import { useTrialState } from '../use-trial.ts';

/** Result of each check for this answer, with the reason. */
export function CellScores({ cell }: { cell: Cell }) {
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
