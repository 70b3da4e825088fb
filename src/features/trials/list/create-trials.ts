/** Functions that create a trial from various sources and open its page. */
import type { AppServices, SessionServices } from '../../../state/create-playground.ts';
import { showToast } from '../../../state/notices.ts';
import type { Router } from '../../../state/route.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import type { Trials } from '../../../state/trials/trials-store.ts';
import type { TrialStarter } from '../../../trials/starters/trial-starters.ts';
import { openCreatedTrial } from '../trial-routes.ts';
import { getTrialView } from '../trial-view.ts';
import { listSessionPrompts } from './session-prompts.ts';

export async function createEmptyTrial(router: Router, trials: Trials): Promise<void> {
  await openCreatedTrial(router, trials.create());
}

/** Creates an empty trial and opens the import dialog for cases, with this file or text. */
export async function createTrialWithCases(
  router: Router,
  trials: Trials,
  source?: File | string,
): Promise<void> {
  const create = async () => {
    const id = await trials.create();
    const trial = await trials.open(id);
    if (trial) getTrialView(trial).setState({ dialog: { name: 'import cases', source } });
    return id;
  };
  await openCreatedTrial(router, create());
}

/** Opens a starter, and says if it compares two models because no model is listed by both gateways. */
export async function createTrialFromStarter(
  { router, notices }: Pick<AppServices, 'router' | 'notices'>,
  trials: Trials,
  starter: TrialStarter,
): Promise<void> {
  const pendingId = trials.createFromStarter(starter);
  await openCreatedTrial(router, pendingId);
  if (!starter.isAcrossGateways) return;
  const id = await pendingId;
  const models = (await trials.list()).find((trial) => trial.id === id)?.models ?? [];
  if (models.length > 1)
    showToast(
      notices,
      'Both gateways list no common model, so each column uses the first model of its gateway.',
    );
}

/** Creates a trial whose columns are the lanes of the current session. */
export async function createTrialFromLanes(
  { router, session }: Pick<AppServices, 'router'> & Pick<SessionServices, 'session'>,
  trials: Trials,
): Promise<void> {
  const { currentId } = session.getState();
  if (currentId !== undefined) await openCreatedTrial(router, trials.createFromLanes(currentId));
}

/** Creates a trial whose cases are the prompts of the current session. */
export async function createTrialFromPrompts(
  { router, session }: Pick<AppServices, 'router'> & Pick<SessionServices, 'session'>,
  trials: Trials,
): Promise<void> {
  const data = getCurrentSession(session.getState());
  if (!data) return;
  const create = async () => {
    const id = await trials.createFromLanes(data.session.id);
    const trial = await trials.open(id);
    if (trial) {
      trial.setMessages([{ role: 'user', content: '{{prompt}}' }]);
      await trial.addCases(
        listSessionPrompts(data).map((prompt) => ({ values: { prompt } })),
        ['prompt'],
      );
    }
    return id;
  };
  await openCreatedTrial(router, create());
}
