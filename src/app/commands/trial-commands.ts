/** Commands of the trial on screen, with its single keys, and how to begin one. */
import { openCreatedTrial } from '../../features/trials/trial-routes.ts';
import { getShownTrial, type TrialShortcuts } from '../../features/trials/trial-view.ts';
import type { Command } from './command.ts';

const notShown = 'Only in a trial';

interface TrialCommand extends Omit<Command, 'group' | 'run' | 'blockedBy'> {
  blockedBy?: (moves: TrialShortcuts) => string | undefined;
  run: (moves: TrialShortcuts) => void | Promise<void>;
}

function ofTrial({ blockedBy, run, ...words }: TrialCommand): Command {
  return {
    ...words,
    group: 'Trials',
    blockedBy: ({ playground }) => {
      const moves = getShownTrial(playground);
      return moves ? blockedBy?.(moves) : notShown;
    },
    run: ({ playground }) => {
      const moves = getShownTrial(playground);
      return moves && run(moves);
    },
  };
}

const stateOf = ({ trial }: TrialShortcuts) => trial.state.getState().trial.state.name;

function ofCell(command: TrialCommand): Command {
  return ofTrial({
    ...command,
    blockedBy: (moves) => (moves.view.getState().panel?.name === 'cell' ? undefined : 'No answer is open'),
  });
}

/** A key that types a character. */
const single = (key: string): Pick<Command, 'keys' | 'bindings' | 'isSingle'> => ({
  keys: [[key.length === 1 ? key.toUpperCase() : key]],
  bindings: [key],
  isSingle: true,
});

export const trialCommands: readonly Command[] = [
  {
    id: 'trial-new',
    words: 'New trial',
    group: 'Trials',
    also: 'evaluate test cases compare dataset',
    run: ({ playground }) =>
      openCreatedTrial(
        playground,
        playground.lazyTrials.load().then((trials) => trials.create()),
      ),
  },
  {
    id: 'trial-lanes',
    words: 'Make a trial of these lanes',
    group: 'Trials',
    also: 'columns evaluate cases',
    blockedBy: ({ playground }) =>
      playground.session.getState().currentId === undefined ? 'No session is open' : undefined,
    run: async ({ playground }) => {
      const { currentId } = playground.session.getState();
      if (currentId === undefined) return;
      await openCreatedTrial(
        playground,
        playground.lazyTrials.load().then((trials) => trials.createFromLanes(currentId)),
      );
    },
  },
  ofTrial({
    id: 'trial-run',
    words: 'Run or resume the trial',
    keys: [['Mod', 'Enter']],
    bindings: ['$mod+Enter'],
    also: 'start go on',
    blockedBy: (moves) => {
      const name = stateOf(moves);
      return name === 'running' ? 'It is running' : undefined;
    },
    run: ({ trial }) => trial.run(),
  }),
  ofTrial({
    id: 'trial-pause',
    words: 'Pause the trial',
    effect: () => 'what is under way ends and counts',
    blockedBy: (moves) => (stateOf(moves) === 'running' ? undefined : 'It is not running'),
    run: ({ trial }) => trial.pause(),
  }),
  ofTrial({
    id: 'trial-stop',
    words: 'Stop the trial',
    effect: () => 'what is under way is aborted, and asked again on Resume',
    blockedBy: (moves) => (/running|paused/.test(stateOf(moves)) ? undefined : 'It is not running'),
    run: ({ trial }) => trial.stop(),
  }),
  ofTrial({
    id: 'trial-ask-missing',
    words: 'Ask the missing answers again',
    blockedBy: ({ trial }) => (trial.state.getState().progress.missing > 0 ? undefined : 'None is missing'),
    run: ({ trial }) => trial.retry(),
  }),
  ofTrial({
    id: 'trial-setup',
    words: 'Show or hide the setup of the trial',
    run: ({ trial, view }) => {
      const isDraft = trial.state.getState().trial.state.name === 'draft';
      view.setState(({ isSetupOpen }) => ({ isSetupOpen: !(isSetupOpen ?? isDraft) }));
    },
  }),
  ofTrial({
    id: 'trial-checks',
    words: 'Show the checks',
    run: ({ view }) => view.setState({ pane: 'checks', panel: undefined }),
  }),
  ofTrial({
    id: 'trial-import',
    words: 'Import cases',
    also: 'csv tsv jsonl paste rows',
    run: ({ view }) => view.setState({ dialog: { name: 'import cases' } }),
  }),
  ofTrial({
    id: 'trial-next',
    words: 'Next case where columns disagree',
    ...single('j'),
    run: ({ goToDisagreement }) => void goToDisagreement(1),
  }),
  ofTrial({
    id: 'trial-previous',
    words: 'Previous case where columns disagree',
    ...single('k'),
    run: ({ goToDisagreement }) => void goToDisagreement(-1),
  }),
  ofTrial({
    id: 'trial-filters',
    words: 'Go to the filters of cases',
    ...single('f'),
    run: ({ focusFilters }) => focusFilters(),
  }),
  ofCell({
    id: 'trial-right',
    words: 'Mark the answer right',
    ...single('1'),
    run: ({ setMark }) => setMark('right'),
  }),
  ofCell({
    id: 'trial-wrong',
    words: 'Mark the answer wrong',
    ...single('0'),
    run: ({ setMark }) => setMark('wrong'),
  }),
  ofCell({
    id: 'trial-unmark',
    words: 'Take the mark off the answer',
    keys: [['Backspace']],
    bindings: ['Backspace'],
    isSingle: true,
    run: ({ setMark }) => setMark(undefined),
  }),
  ofCell({
    id: 'trial-previous-repeat',
    words: 'Previous repeat',
    ...single('['),
    run: ({ goToRepeat }) => goToRepeat(-1),
  }),
  ofCell({
    id: 'trial-next-repeat',
    words: 'Next repeat',
    ...single(']'),
    run: ({ goToRepeat }) => goToRepeat(1),
  }),
  ofTrial({
    id: 'trial-open-lanes',
    words: 'Open the case as lanes',
    ...single('o'),
    blockedBy: ({ trial, view }) => {
      if (!trial.state.getState().hasAnswers) return 'No answers yet';
      return view.getState().cursor.caseId === undefined ? 'No case is chosen' : undefined;
    },
    run: ({ openAsLanes }) => openAsLanes(),
  }),
];
