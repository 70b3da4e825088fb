/** Commands of the embeddings lab, with its single-key shortcuts. */
import { labFindField } from '../../features/embeddings/lab-focus-targets.ts';
import type { ModelSlot } from '../../state/lab/lab-state.ts';
import type { Lab } from '../../state/lab/lab.ts';
import type { Command, CommandContext } from './command.ts';

interface LabCommand extends Pick<Command, 'id' | 'label' | 'keywords' | 'getDescription'> {
  key: string;
  getBlocker?: (lab: Lab) => string | undefined;
  run: (lab: Lab) => void;
}

/** Returns the lab while its screen is visible. */
function getVisibleLab(context: CommandContext): Lab | undefined {
  const { route } = context.router.state.getState();
  return route.screen === 'page' && route.path === '/embeddings' ? context.lazyLab.getLab() : undefined;
}

function createLabCommand({ key, getBlocker, run, ...rest }: LabCommand): Command {
  return {
    ...rest,
    group: 'Embeddings',
    keys: [[key]],
    // On some keyboards the character needs Shift.
    bindings: [key.toLowerCase(), `Shift+${key.toLowerCase()}`],
    isSingleKey: true,
    getDisabledReason: (context) => {
      const lab = getVisibleLab(context);
      return lab ? getBlocker?.(lab) : 'Only in Embeddings';
    },
    run: (context) => {
      const lab = getVisibleLab(context);
      if (lab) run(lab);
    },
  };
}

/** Creates a command that switches to the next shorter or longer vector size. */
function createSizeCommand(
  step: -1 | 1,
  endReason: string,
): Pick<LabCommand, 'getDescription' | 'getBlocker' | 'run'> {
  return {
    getDescription: () => 'in all views, without a new request',
    getBlocker: (lab) => {
      if (Object.keys(lab.state.getState().sets).length === 0) return 'Nothing embedded yet';
      return lab.getAdjacentDimensions(step) === undefined ? endReason : undefined;
    },
    run: (lab) => {
      const size = lab.getAdjacentDimensions(step);
      if (size !== undefined) lab.setShownDimensions(size);
    },
  };
}

const getOtherSlot = (lab: Lab): ModelSlot => (lab.state.getState().shownSlot === 'A' ? 'B' : 'A');

export const labCommands: readonly Command[] = [
  createLabCommand({
    id: 'lab-find',
    label: 'Find texts',
    key: '/',
    keywords: 'query search nearest',
    run: (lab) => {
      if (!labFindField.focus()) lab.showTab('nearest');
    },
  }),
  createLabCommand({
    id: 'lab-shorter',
    label: 'Use fewer dimensions',
    key: '[',
    keywords: 'cut vectors smaller size truncate shorter matryoshka',
    ...createSizeCommand(-1, 'Already at the smallest size'),
  }),
  createLabCommand({
    id: 'lab-longer',
    label: 'Use more dimensions',
    key: ']',
    keywords: 'cut vectors larger size longer full',
    ...createSizeCommand(1, 'Already at full size'),
  }),
  createLabCommand({
    id: 'lab-otherModel',
    label: 'Switch models',
    key: 'M',
    keywords: 'second other show B A compare',
    getBlocker: (lab) => (lab.state.getState().sets[getOtherSlot(lab)] ? undefined : 'Only one model'),
    run: (lab) => lab.showSlot(getOtherSlot(lab)),
  }),
];
