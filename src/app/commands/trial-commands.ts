/** Commands of the visible trial, with its single-key shortcuts, and the command that creates a trial. */
import { openCreatedTrial } from '../../features/trials/trial-routes.ts';
import { getTrialShortcuts, type TrialShortcuts } from '../../features/trials/trial-view.ts';
import type { Command } from './command.ts';

const notInTrialReason = 'No trial is open';

interface TrialCommand extends Omit<Command, 'group' | 'run' | 'getDisabledReason'> {
  getBlocker?: (shortcuts: TrialShortcuts) => string | undefined;
  run: (shortcuts: TrialShortcuts) => void | Promise<void>;
}

function createTrialCommand({ getBlocker, run, ...rest }: TrialCommand): Command {
  return {
    ...rest,
    group: 'Trials',
    getDisabledReason: (context) => {
      const shortcuts = getTrialShortcuts(context.lazyTrials);
      return shortcuts ? getBlocker?.(shortcuts) : notInTrialReason;
    },
    run: (context) => {
      const shortcuts = getTrialShortcuts(context.lazyTrials);
      return shortcuts && run(shortcuts);
    },
  };
}

const getTrialStateName = ({ trial }: TrialShortcuts) => trial.state.getState().trial.state.name;

function createCellCommand(command: TrialCommand): Command {
  return createTrialCommand({
    ...command,
    getBlocker: (shortcuts) =>
      shortcuts.view.getState().panel?.name === 'cell' ? undefined : 'No answer is open',
  });
}

/** Returns the binding of a key that types a character. */
const bindSingleKey = (key: string): Pick<Command, 'keys' | 'bindings' | 'isSingleKey'> => ({
  keys: [[key.length === 1 ? key.toUpperCase() : key]],
  bindings: [key],
  isSingleKey: true,
});

export const trialCommands: readonly Command[] = [
  {
    id: 'trial-new',
    label: 'New trial',
    group: 'Trials',
    keywords: 'evaluate test cases compare dataset',
    run: (context) =>
      openCreatedTrial(
        context.router,
        context.lazyTrials.load().then((trials) => trials.create()),
      ),
  },
  {
    id: 'trial-lanes',
    label: 'New trial from these lanes',
    group: 'Trials',
    keywords: 'columns evaluate cases',
    getDisabledReason: (context) =>
      context.session.getState().currentId === undefined ? 'No session is open' : undefined,
    run: async (context) => {
      const { currentId } = context.session.getState();
      if (currentId === undefined) return;
      await openCreatedTrial(
        context.router,
        context.lazyTrials.load().then((trials) => trials.createFromLanes(currentId)),
      );
    },
  },
  createTrialCommand({
    id: 'trial-run',
    label: 'Run or resume trial',
    keys: [['Mod', 'Enter']],
    bindings: ['$mod+Enter'],
    keywords: 'start continue',
    getBlocker: (shortcuts) => {
      const stateName = getTrialStateName(shortcuts);
      return stateName === 'running' ? 'Already running' : undefined;
    },
    run: (shortcuts) => shortcuts.run(),
  }),
  createTrialCommand({
    id: 'trial-pause',
    label: 'Pause trial',
    getDescription: () => 'requests in flight finish and count',
    getBlocker: (shortcuts) => (getTrialStateName(shortcuts) === 'running' ? undefined : 'Not running'),
    run: ({ trial }) => trial.pause(),
  }),
  createTrialCommand({
    id: 'trial-stop',
    label: 'Stop trial',
    getDescription: () => 'requests in flight are aborted and retried on Resume',
    getBlocker: (shortcuts) =>
      /running|paused/.test(getTrialStateName(shortcuts)) ? undefined : 'Not running',
    run: ({ trial }) => trial.stop(),
  }),
  createTrialCommand({
    id: 'trial-ask-missing',
    label: 'Retry missing answers',
    getBlocker: ({ trial }) =>
      trial.state.getState().progress.missing > 0 ? undefined : 'No answers are missing',
    run: (shortcuts) => shortcuts.retryMissing(),
  }),
  createTrialCommand({
    id: 'trial-setup',
    label: 'Show or hide trial setup',
    run: ({ trial, view }) => {
      const isDraft = trial.state.getState().trial.state.name === 'draft';
      view.setState(({ isSetupOpen }) => ({ isSetupOpen: !(isSetupOpen ?? isDraft) }));
    },
  }),
  createTrialCommand({
    id: 'trial-checks',
    label: 'Show checks',
    run: ({ view }) => view.setState({ pane: 'checks', panel: undefined }),
  }),
  createTrialCommand({
    id: 'trial-import',
    label: 'Import cases',
    keywords: 'csv tsv jsonl paste rows',
    run: ({ view }) => view.setState({ dialog: { name: 'import cases' } }),
  }),
  createTrialCommand({
    id: 'trial-next',
    label: 'Next case where columns disagree',
    ...bindSingleKey('j'),
    run: ({ goToDisagreement }) => void goToDisagreement(1),
  }),
  createTrialCommand({
    id: 'trial-previous',
    label: 'Previous case where columns disagree',
    ...bindSingleKey('k'),
    run: ({ goToDisagreement }) => void goToDisagreement(-1),
  }),
  createTrialCommand({
    id: 'trial-filters',
    label: 'Focus case filters',
    ...bindSingleKey('f'),
    run: ({ focusFilters }) => focusFilters(),
  }),
  createCellCommand({
    id: 'trial-right',
    label: 'Mark answer as right',
    ...bindSingleKey('1'),
    run: ({ setMark }) => setMark('right'),
  }),
  createCellCommand({
    id: 'trial-wrong',
    label: 'Mark answer as wrong',
    ...bindSingleKey('0'),
    run: ({ setMark }) => setMark('wrong'),
  }),
  createCellCommand({
    id: 'trial-unmark',
    label: 'Clear mark',
    keys: [['Backspace']],
    bindings: ['Backspace'],
    isSingleKey: true,
    run: ({ setMark }) => setMark(undefined),
  }),
  createCellCommand({
    id: 'trial-previous-repeat',
    label: 'Previous repeat',
    ...bindSingleKey('['),
    run: ({ goToRepeat }) => goToRepeat(-1),
  }),
  createCellCommand({
    id: 'trial-next-repeat',
    label: 'Next repeat',
    ...bindSingleKey(']'),
    run: ({ goToRepeat }) => goToRepeat(1),
  }),
  createTrialCommand({
    id: 'trial-open-lanes',
    label: 'Open case as lanes',
    ...bindSingleKey('o'),
    getBlocker: ({ trial, view }) => {
      if (!trial.state.getState().hasAnswers) return 'No answers yet';
      return view.getState().cursor.caseId === undefined ? 'No case is selected' : undefined;
    },
    run: ({ openAsLanes }) => openAsLanes(),
  }),
];
