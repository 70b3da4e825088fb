/** Shows the progress of a trial that runs by command. */
import { formatTimeLeft } from '../../features/trials/progress/format-progress.ts';
import { describeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { toPlainText } from '../../features/trials/verdict/rich-text.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import type { CaseId } from '../../trials/trial.ts';
import type { CommandContext } from './command-context.ts';

/** Time in ms between two lines of progress where standard error is not a terminal. */
const plainProgressMs = 30_000;
const terminalProgressMs = 500;

/** Shows cases, time left and the current sentence while the trial runs. Returns a function that ends it. */
export function showProgress(
  { state }: OpenTrial,
  caseIds: ReadonlySet<CaseId> | undefined,
  { printError, showProgress: showLine }: CommandContext,
): () => void {
  const print = (): void => {
    const line = describeProgress(state.getState(), caseIds);
    if (showLine) showLine(line);
    else printError(line);
  };
  const timer = setInterval(print, showLine ? terminalProgressMs : plainProgressMs);
  return () => {
    clearInterval(timer);
    showLine?.('');
  };
}

function describeProgress(state: OpenTrialState, caseIds: ReadonlySet<CaseId> | undefined): string {
  const { progress } = state;
  if (caseIds) {
    const cellCount = caseIds.size * state.trial.columns.length * state.trial.repeats;
    return `${formatCount(countEnded(state, caseIds))} of ${pluralize(cellCount, 'answer')} of this shard.`;
  }
  const sentence = toPlainText(describeVerdict(state).first);
  return `${formatCount(progress.counted)} of ${pluralize(progress.cases, 'case')}. ${formatTimeLeft(state)} ${sentence}.`;
}

/** Counts the ended cells, of a shard or of all cases. */
export function countEnded({ cells }: OpenTrialState, caseIds: ReadonlySet<CaseId> | undefined): number {
  return [...cells.values()].filter(({ caseId }) => caseIds?.has(caseId) !== false).length;
}
