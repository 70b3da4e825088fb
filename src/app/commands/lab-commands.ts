/** Commands of the embeddings lab, with its single keys. */
import { labFindField } from '../../features/embeddings/lab-focus-targets.ts';
import type { Slot } from '../../state/lab/lab-state.ts';
import type { Lab } from '../../state/lab/lab.ts';
import type { Command, CommandContext } from './command.ts';

interface LabCommand extends Pick<Command, 'id' | 'words' | 'also' | 'effect'> {
  key: string;
  blockedBy?: (lab: Lab) => string | undefined;
  run: (lab: Lab) => void;
}

/** The lab while its screen is shown. */
function shownLab({ playground }: CommandContext): Lab | undefined {
  const { route } = playground.router.route.getState();
  return route.screen === 'page' && route.path === '/embeddings' ? playground.lazyLab.getLab() : undefined;
}

function ofLab({ key, blockedBy, run, ...words }: LabCommand): Command {
  return {
    ...words,
    group: 'Embeddings',
    keys: [[key]],
    // Some keyboards have the sign on a key that is pressed with Shift.
    bindings: [key.toLowerCase(), `Shift+${key.toLowerCase()}`],
    isSingle: true,
    blockedBy: (context) => {
      const lab = shownLab(context);
      return lab ? blockedBy?.(lab) : 'Only in the embeddings lab';
    },
    run: (context) => {
      const lab = shownLab(context);
      if (lab) run(lab);
    },
  };
}

/** Of the sizes that the views can look at: one step shorter or longer. */
function sizeCommand(step: -1 | 1, end: string): Pick<LabCommand, 'effect' | 'blockedBy' | 'run'> {
  return {
    effect: () => 'in every view, without a new request',
    blockedBy: (lab) => {
      if (Object.keys(lab.state.getState().sets).length === 0) return 'Nothing embedded yet';
      return lab.getAdjacentDimensions(step) === undefined ? end : undefined;
    },
    run: (lab) => {
      const size = lab.getAdjacentDimensions(step);
      if (size !== undefined) lab.setDimensions(size);
    },
  };
}

const otherSlot = (lab: Lab): Slot => (lab.state.getState().shownSlot === 'A' ? 'B' : 'A');

export const labCommands: readonly Command[] = [
  ofLab({
    id: 'lab-find',
    words: 'Find texts',
    key: '/',
    also: 'query search nearest',
    run: (lab) => {
      if (!labFindField.focus()) lab.showTab('nearest');
    },
  }),
  ofLab({
    id: 'lab-shorter',
    words: 'Use fewer dimensions',
    key: '[',
    also: 'cut vectors smaller size truncate shorter matryoshka',
    ...sizeCommand(-1, 'Already the smallest size'),
  }),
  ofLab({
    id: 'lab-longer',
    words: 'Use more dimensions',
    key: ']',
    also: 'cut vectors larger size longer full',
    ...sizeCommand(1, 'Already the full size'),
  }),
  ofLab({
    id: 'lab-otherModel',
    words: 'Show the other model',
    key: 'M',
    also: 'second B A compare',
    blockedBy: (lab) => (lab.state.getState().sets[otherSlot(lab)] ? undefined : 'Only one model'),
    run: (lab) => lab.showSlot(otherSlot(lab)),
  }),
];
