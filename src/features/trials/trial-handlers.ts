/** Handlers of buttons, cards and commands for the current trial; errors are reported as notices. */
import { describeAppliedFix, toRefusedFields } from '../../conversation/setup/refused-fields.ts';
import { pluralize } from '../../lib/format.ts';
import type { AppServices, SessionServices, RunServices } from '../../state/create-playground.ts';
import { reportFailure, showToast } from '../../state/notices.ts';
import type { Router } from '../../state/route.ts';
import type { TrialFile } from '../../state/trials/repository/trial-files.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { RunBlocker } from '../../trials/trial-state.ts';
import type { CellKey, ColumnId } from '../../trials/trial.ts';
import { saveFile } from '../../ui/display/save-file.ts';
import { formatRunBlocker } from './format-problems.ts';
import { listReplacements, type PauseCardAction } from './progress/pause-card-data.ts';
import { budgetField } from './trial-focus-targets.ts';
import { openCreatedTrial } from './trial-routes.ts';
import { getTrialView } from './trial-view.ts';
import { summarizeVerdict } from './verdict/format-verdict.ts';

/** Starts or resumes the trial. Rejects with a readable reason if that is not possible. */
export async function startOrResumeTrial(trial: OpenTrial): Promise<void> {
  throwIfBlocked(trial, await trial.run());
}

/** Retries these cells, or all without an answer. Rejects with a readable reason if that is not possible. */
export async function retryCells(trial: OpenTrial, keys?: readonly CellKey[]): Promise<void> {
  throwIfBlocked(trial, await trial.retry(keys));
}

function throwIfBlocked(trial: OpenTrial, blocker: RunBlocker | undefined): void {
  if (blocker) throw new Error(formatRunBlocker(blocker, trial.state.getState().plan));
}

/** Starts or resumes the trial and reports why that is not possible. */
export function runTrial({ notices }: Pick<AppServices, 'notices'>, trial: OpenTrial): void {
  reportFailure(notices, startOrResumeTrial(trial));
}

/** Saves a file of the trial and reports its contents. */
export async function saveTrialFile(
  { notices }: Pick<AppServices, 'notices'>,
  pendingFile: Promise<TrialFile>,
): Promise<void> {
  const { name, type, pieces } = await pendingFile;
  saveFile(pieces, name, type);
  showToast(notices, `Saved ${name}. No key is included.`);
}

/**
 * Opens a session with the case as its prompt and reports what could not be included. If the user has navigated in the
 * meantime, the page does not change.
 */
export async function openAsLanes(
  { router, notices }: Pick<AppServices, 'router' | 'notices'>,
  trial: OpenTrial,
  ...args: Parameters<OpenTrial['openAsLanes']>
): Promise<void> {
  const hasNavigated = router.trackNavigation();
  const { sessionId, omittedColumns } = await trial.openAsLanes(...args);
  if (hasNavigated()) return;
  router.navigate({ screen: 'playground', sessionId });
  if (omittedColumns.length > 0)
    showToast(
      notices,
      `${pluralize(omittedColumns.length, 'column did not fit and was', 'columns did not fit and were')} left out.`,
    );
}

/** Runs the action of a card. */
export function runCardAction(
  {
    notices,
    learnedModels,
    actions,
  }: Pick<AppServices, 'notices' | 'learnedModels'> & Pick<SessionServices, 'actions'>,
  trial: OpenTrial,
  action: PauseCardAction,
): void {
  const view = getTrialView(trial);
  switch (action.name) {
    case 'resume':
      return runTrial({ notices }, trial);
    case 'not now':
      return reportFailure(notices, trial.pause());
    case 'run here':
      return reportFailure(notices, trial.takeOver());
    case 'export':
      return reportFailure(notices, saveTrialFile({ notices }, trial.exportJsonLines(summarizeVerdict)));
    case 'retry missing':
      return reportFailure(notices, retryCells(trial));
    case 'edit column':
      return view.setState({ panel: { name: 'column', id: action.columnId } });
    case 'rename fields': {
      const column = trial.state.getState().trial.columns.find(({ id }) => id === action.columnId);
      if (!column) return;
      const { setup } = column;
      const refusals = listReplacements(column);
      const earlierFields = learnedModels.getRefusedFields(setup);
      learnedModels.setRefusedFields(setup, { ...earlierFields, ...toRefusedFields(refusals) });
      actions.offerUndo(
        describeAppliedFix(refusals, setup.model),
        () => learnedModels.setRefusedFields(setup, earlierFields),
        () => undefined,
      );
      return trial.restartColumn(action.columnId);
    }
    case 'restart column':
      trial.restartColumn(action.columnId);
      return isPausedForBaseline(trial) ? runTrial({ notices }, trial) : undefined;
    case 'use as baseline':
      trial.edit({ baseline: action.columnId });
      return runTrial({ notices }, trial);
    case 'raise budget':
      view.setState({ isSetupOpen: true });
      // The field is rendered in the next frame if the setup was closed.
      requestAnimationFrame(() => budgetField.focus());
      return undefined;
    case 'stop':
      return reportFailure(notices, trial.stop());
    case 'leave':
      return undefined;
  }
}

/** Returns true if the trial waits only for its baseline. */
function isPausedForBaseline(trial: OpenTrial): boolean {
  const { state } = trial.state.getState().trial;
  return state.name === 'paused' && state.why === 'baseline stopped';
}

/** Opens the case as lanes with the inspector on this answer, because the inspector works only in sessions. */
export async function inspectCell(
  {
    router,
    session,
    inspector,
  }: Pick<AppServices, 'router'> & Pick<SessionServices, 'session'> & Pick<RunServices, 'inspector'>,
  trial: OpenTrial,
  { caseId, columnId, repeat }: CellKey,
): Promise<void> {
  const hasNavigated = router.trackNavigation();
  const { sessionId } = await trial.openAsLanes(caseId, [columnId], repeat);
  if (hasNavigated()) return;
  const { baseline } = trial.state.getState().trial;
  const lanes = session.getState().open[sessionId]?.session.laneIds ?? [];
  const laneId = columnId === baseline ? lanes[0] : (lanes[1] ?? lanes[0]);
  inspector.setState({ isOpen: true, laneId, turnId: undefined, selectedEvent: undefined });
  router.navigate({ screen: 'playground', sessionId });
}

/** Creates and opens a draft with the baseline and the winner; it has no cases yet. */
export async function confirmWinner(router: Router, trial: OpenTrial, winner: ColumnId): Promise<void> {
  await openCreatedTrial(router, trial.createConfirmation(winner));
}

/** Creates a trial with the same cases, columns and checks, but no answers. */
export async function createTrialVersion(router: Router, trial: OpenTrial): Promise<void> {
  await openCreatedTrial(router, trial.createNextVersion());
}

/** Creates and opens a draft that compares the baseline with a copy of itself. */
export async function createSameSetupTrial(router: Router, trial: OpenTrial): Promise<void> {
  await openCreatedTrial(router, trial.createSameSetupTrial());
}
