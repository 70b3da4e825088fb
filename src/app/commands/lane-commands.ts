import { isLive } from '../../conversation/reply/run.ts';
/** Commands that exist for each lane and each current preset. */
import { mostLanes } from '../../conversation/session/lanes.ts';
import { laneLetter } from '../../conversation/session/tree.ts';
import { presetWords, withPreset } from '../../conversation/setup/presets.ts';
import { plural } from '../../lib/format.ts';
import { shownData, type Command, type CommandContext } from './command.ts';

/** What can be done to each lane of the session on screen, as its menu has it; empty on other screens. */
export function laneCommands(context: CommandContext): Command[] {
  const data = shownData(context);
  if (!data) return [];
  const { laneIds } = data.session;
  const isAlone = laneIds.length === 1;
  const onlyLane = () => (isAlone ? 'The only lane' : undefined);
  return laneIds.flatMap((laneId, index): Command[] => {
    const letter = laneLetter(index);
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const run = turn?.reply && 'runId' in turn.reply ? data.runs[turn.reply.runId] : undefined;
    const lane: Pick<Command, 'group'> = { group: 'Lanes' };
    return [
      {
        ...lane,
        id: `pick-${laneId}`,
        words: `Choose the model for lane ${letter}`,
        run: () =>
          document
            .querySelector<HTMLElement>(`section[aria-label="Lane ${letter}"] [role=combobox]`)
            ?.focus(),
      },
      {
        ...lane,
        id: `stop-${laneId}`,
        words: `Stop lane ${letter}`,
        blockedBy: () => (run && isLive(run) ? undefined : 'Not running'),
        run: ({ playground }) => (run ? playground.actions.stop(run.id) : undefined),
      },
      {
        ...lane,
        id: `regenerate-${laneId}`,
        words: `Regenerate in lane ${letter}`,
        also: 'ask again retry',
        blockedBy: () =>
          !turn ? 'No messages yet' : run && isLive(run) ? 'An answer is still streaming' : undefined,
        run: ({ playground }) => (turn ? playground.actions.regenerate([turn.id]) : undefined),
      },
      {
        ...lane,
        id: `scope-${laneId}`,
        words: `Edit only the parameters of lane ${letter}`,
        also: 'scope',
        blockedBy: onlyLane,
        run: ({ playground }) => playground.view.setState({ scope: laneId }),
      },
      {
        ...lane,
        id: `duplicate-${laneId}`,
        words: `Duplicate lane ${letter}`,
        blockedBy: () => (laneIds.length >= mostLanes ? `Limit: ${mostLanes} lanes` : undefined),
        run: ({ playground }) => playground.actions.addLane(laneId),
      },
      {
        ...lane,
        id: `left-${laneId}`,
        words: `Move lane ${letter} left`,
        blockedBy: () => (index === 0 ? 'First lane' : undefined),
        run: ({ playground }) => playground.actions.moveLane(laneId, -1),
      },
      {
        ...lane,
        id: `right-${laneId}`,
        words: `Move lane ${letter} right`,
        blockedBy: () => (index === laneIds.length - 1 ? 'Last lane' : undefined),
        run: ({ playground }) => playground.actions.moveLane(laneId, 1),
      },
      {
        ...lane,
        id: `copy-${laneId}`,
        words: `Copy the setup of lane ${letter} to all lanes`,
        effect: () => 'can be undone for 8 seconds',
        blockedBy: onlyLane,
        run: ({ playground }) => playground.actions.copySetupToAll(laneId),
      },
      {
        ...lane,
        id: `remove-${laneId}`,
        words: `Remove lane ${letter}`,
        effect: () => 'can be undone for 8 seconds',
        blockedBy: onlyLane,
        run: ({ playground }) => playground.actions.removeLane(laneId),
      },
    ];
  });
}

/** Applies a saved preset to the lanes that the sidebar edits; can be undone. */
export function presetCommands(context: CommandContext): Command[] {
  const data = shownData(context);
  if (!data) return [];
  const { playground } = context;
  return playground.presets.state.getState().presets.map((preset) => ({
    id: `preset-${preset.id}`,
    words: `Apply ${preset.name}`,
    group: 'Presets',
    also: 'preset setup',
    effect: () => presetWords(preset),
    run: () => {
      const { scope } = playground.view.getState();
      const targets = data.session.laneIds.filter((id) => scope === undefined || scope === id);
      const where = targets.length === 1 ? '' : ` to ${plural(targets.length, 'lane')}`;
      playground.actions.replaceSetups(
        targets,
        (setup) => withPreset(setup, preset),
        `Applied ${preset.name}${where}.`,
      );
    },
  }));
}
