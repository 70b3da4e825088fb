/** Commands that exist for each lane and each current preset. */
import { isLive } from '../../conversation/reply/run.ts';
import { getLaneLetter, getRun } from '../../conversation/session/turn-tree.ts';
import { mergePresets, describePreset } from '../../conversation/setup/presets.ts';
import { laneChoices, onlyLane } from '../../features/playground/lane/lane-menu-items.ts';
import { pickModel } from '../../features/playground/playground-focus-targets.ts';
import { applyPreset } from '../../features/playground/setup/setup-actions.ts';
import { shownData, type Command, type CommandContext } from './command.ts';

/** What can be done to each lane of the session on screen, as its menu has it; empty on other screens. */
export function laneCommands(context: CommandContext): Command[] {
  const data = shownData(context);
  if (!data) return [];
  const { laneIds } = data.session;
  return laneIds.flatMap((laneId, index): Command[] => {
    const letter = getLaneLetter(index);
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const run = getRun(data, turn);
    const lane: Pick<Command, 'group'> = { group: 'Lanes' };
    return [
      {
        ...lane,
        id: `pick-${laneId}`,
        words: `Choose the model for lane ${letter}`,
        run: () => pickModel(letter),
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
        blockedBy: () => onlyLane({ count: laneIds.length }),
        run: ({ playground }) => playground.view.setState({ scope: laneId }),
      },
      ...laneChoices.map(({ id, words, effect, blockedBy, run: choose }): Command => ({
        ...lane,
        id: `${id}-${laneId}`,
        words: words(letter),
        ...(effect === undefined ? {} : { effect: () => effect }),
        blockedBy: () => blockedBy({ index, count: laneIds.length }),
        run: ({ playground }) => choose(playground.actions, laneId),
      })),
    ];
  });
}

/** Applies a saved preset to the lanes that the sidebar edits; can be undone. */
export function presetCommands(context: CommandContext): Command[] {
  const data = shownData(context);
  if (!data) return [];
  const { playground } = context;
  return mergePresets(playground.presets.state.getState().presets).map((preset) => ({
    id: `preset-${preset.id}`,
    words: `Apply ${preset.name}`,
    group: 'Presets',
    also: 'preset setup',
    effect: () => describePreset(preset),
    run: () => {
      const { scope } = playground.view.getState();
      const targets = data.session.laneIds.filter((id) => scope === undefined || scope === id);
      applyPreset(playground.actions, targets, preset);
    },
  }));
}
