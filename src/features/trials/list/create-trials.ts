/** Functions that create a trial from various sources and open its page. */
import type { Playground } from '../../../state/create-playground.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import type { Trials } from '../../../state/trials/trials-store.ts';
import type { TrialStarter } from '../../../trials/starters/trial-starters.ts';
import { openCreatedTrial } from '../trial-routes.ts';
import { getTrialView } from '../trial-view.ts';
import { listSessionPrompts } from './session-prompts.ts';

export async function createEmptyTrial(playground: Playground, trials: Trials): Promise<void> {
  await openCreatedTrial(playground, trials.create());
}

/** Creates an empty trial and opens the import dialog for cases. */
export async function createTrialWithCases(playground: Playground, trials: Trials): Promise<void> {
  const create = async () => {
    const id = await trials.create();
    const trial = await trials.open(id);
    if (trial) getTrialView(trial).setState({ dialog: { name: 'import cases' } });
    return id;
  };
  await openCreatedTrial(playground, create());
}

export async function createTrialFromStarter(
  playground: Playground,
  trials: Trials,
  starter: TrialStarter,
): Promise<void> {
  await openCreatedTrial(playground, trials.createFromStarter(starter));
}

/** Creates a trial whose columns are the lanes of the current session. */
export async function createTrialFromLanes(playground: Playground, trials: Trials): Promise<void> {
  const { currentId } = playground.session.getState();
  if (currentId !== undefined) await openCreatedTrial(playground, trials.createFromLanes(currentId));
}

/** Creates a trial whose cases are the prompts of the current session. */
export async function createTrialFromPrompts(playground: Playground, trials: Trials): Promise<void> {
  const data = getCurrentSession(playground.session.getState());
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
  await openCreatedTrial(playground, create());
}
