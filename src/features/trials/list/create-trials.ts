/** The ways to begin a trial; each opens its page. */
import type { Playground } from '../../../state/create-playground.ts';
import { currentSession } from '../../../state/sessions/session-store.ts';
import type { Trials } from '../../../state/trials/trials-store.ts';
import type { Starter } from '../../../trials/starters/trial-starters.ts';
import { openWhenMade } from '../trial-routes.ts';
import { viewOf } from '../trial-view.ts';
import { promptsOf } from './session-prompts.ts';

export async function createEmpty(playground: Playground, trials: Trials): Promise<void> {
  await openWhenMade(playground, trials.create());
}

/** An empty one, where cases are pasted first. */
export async function createWithCases(playground: Playground, trials: Trials): Promise<void> {
  const make = async () => {
    const id = await trials.create();
    const trial = await trials.open(id);
    if (trial) viewOf(trial).setState({ dialog: { name: 'import cases' } });
    return id;
  };
  await openWhenMade(playground, make());
}

export async function createFromStarter(
  playground: Playground,
  trials: Trials,
  starter: Starter,
): Promise<void> {
  await openWhenMade(playground, trials.createFromStarter(starter));
}

/** The lanes of the session on screen become columns. */
export async function createFromLanes(playground: Playground, trials: Trials): Promise<void> {
  const { currentId } = playground.session.getState();
  if (currentId !== undefined) await openWhenMade(playground, trials.createFromLanes(currentId));
}

/** Each prompt of the session on screen becomes a case. */
export async function createFromPrompts(playground: Playground, trials: Trials): Promise<void> {
  const data = currentSession(playground.session.getState());
  if (!data) return;
  const make = async () => {
    const id = await trials.createFromLanes(data.session.id);
    const trial = await trials.open(id);
    if (trial) {
      trial.setMessages([{ role: 'user', content: '{{prompt}}' }]);
      await trial.addCases(
        promptsOf(data).map((prompt) => ({ values: { prompt } })),
        ['prompt'],
      );
    }
    return id;
  };
  await openWhenMade(playground, make());
}
