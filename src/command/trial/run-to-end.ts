/** Runs a trial to its end, and appends each answer to its file. */
import { formatRunBlocker } from '../../features/trials/format-problems.ts';
import { summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { formatError } from '../../lib/format-error.ts';
import { pluralize } from '../../lib/format.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import { createTrialWriter, type TrialWriter } from '../../trials/files/trial-file.ts';
import { UsageError } from '../usage-error.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { showProgress } from './progress.ts';
import { getCellName, type ReadyTrial, type RunInputs } from './ready-trial.ts';
import { toInfoJson } from './trial-folder.ts';
import { isGatewayOut } from './trial-host.ts';

/** Why a run ended before its last cell. */
export interface StopReason {
  exitCode: ExitCode;
  text: string;
}

/**
 * Runs the trial until it is finished, decided or stopped. Each ended cell is appended to the trial file at once.
 * Returns the reason if it was stopped.
 */
export async function runToEnd(
  { trial, info, caseIds }: ReadyTrial,
  { folder, options, context }: RunInputs,
): Promise<StopReason | undefined> {
  const { maxRequests, maxMinutes } = options;
  let pauseReason: string | undefined;
  let writeError: unknown;
  let writer: TrialWriter | undefined;

  const pause = (reason: string): void => {
    pauseReason ??= reason;
    void trial.pause();
  };
  /** A write that fails pauses the trial, since answers would be lost. */
  const guardWrite = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      writeError ??= error;
      pause('');
    }
  };

  const removeInterrupt = context.onInterrupt(() => {
    context.printError('Pausing: requests in flight end first. Press Ctrl+C again to end at once.');
    pause('Stopped by a signal. Run the command again to continue.');
  });
  const timer =
    maxMinutes === undefined
      ? undefined
      : setTimeout(
          () => pause(`Stopped after ${maxMinutes} min. Run the command again to continue.`),
          maxMinutes * 60_000,
        );
  const stopProgress = showProgress(trial, caseIds, context);
  try {
    const storedState = trial.state.getState();
    const blocker = await trial.run({
      ...(maxRequests === undefined ? {} : { maxRequests }),
      ...(caseIds ? { caseIds } : {}),
      onStart: async () => {
        const { pieces } = await trial.exportJsonLines(summarizeVerdict, false, toInfoJson(info));
        folder.replaceTrial(pieces);
        const { trial: startedTrial, cells } = trial.state.getState();
        writer = createTrialWriter(startedTrial, cells.size + 1);
      },
      onSend: (key) => guardWrite(() => folder.markSent(getCellName(trial.state.getState(), key))),
      onRequeue: (key) => guardWrite(() => folder.markEnded(getCellName(trial.state.getState(), key))),
      onCellEnd: (cell, run) =>
        guardWrite(() => {
          folder.appendLine(writer?.writeAnswer({ cell, run }) ?? '');
          folder.markEnded(getCellName(trial.state.getState(), cell));
        }),
    });
    if (blocker) throw new UsageError(formatRunBlocker(blocker, storedState.plan));
    await waitUntilEnded(trial);
  } finally {
    stopProgress();
    removeInterrupt();
    clearTimeout(timer);
  }
  if (writeError !== undefined)
    return {
      exitCode: exitCodes.stopped,
      text: `Could not write the answers: ${formatError(writeError)}. Free some space and run the command again.`,
    };
  return describeStop(trial.state.getState(), pauseReason, maxRequests);
}

/** Resolves when no request of the trial is in flight and none will be sent. */
function waitUntilEnded({ state }: OpenTrial): Promise<void> {
  return new Promise((resolve) => {
    const check = ({ trial, runnerStatus }: OpenTrialState): void => {
      if (trial.state.name === 'running' || runnerStatus.name !== 'nobody') return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = state.subscribe(check);
    check(state.getState());
  });
}

function describeStop(
  { trial: { state } }: OpenTrialState,
  pauseReason: string | undefined,
  maxRequests: number | undefined,
): StopReason | undefined {
  if (state.name !== 'paused') return undefined;
  const again = 'Run the command again to continue.';
  const { report } = state;
  switch (state.why) {
    case 'key':
    case 'offline':
      return {
        exitCode: exitCodes.gatewayOut,
        text: `${report?.message ?? 'The gateway refused the key.'} ${again}`,
      };
    case 'columns stopped':
    case 'baseline stopped':
      if (report && isGatewayOut(report))
        return { exitCode: exitCodes.gatewayOut, text: `${report.message} ${again}` };
      return { exitCode: exitCodes.notDecided, text: `Columns stopped. ${report?.message ?? ''}`.trim() };
    case 'budget':
      return {
        exitCode: exitCodes.stopped,
        text: `The budget of the trial is used up. Raise it in the trial.`,
      };
    case 'refused':
      return {
        exitCode: exitCodes.stopped,
        text: `The gateway refused requests three times in a row: ${report?.message ?? 'too many requests'}. ${again}`,
      };
    default:
      return {
        exitCode: exitCodes.stopped,
        text: pauseReason ?? `Stopped after ${pluralize(maxRequests ?? 0, 'request')}. ${again}`,
      };
  }
}
