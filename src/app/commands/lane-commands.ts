/** Commands that exist for each lane and each current preset. */
import { isLive } from '../../conversation/reply/run.ts';
import { getLaneLetter, getRun } from '../../conversation/session/turn-tree.ts';
import { mergePresets, describePreset } from '../../conversation/setup/presets.ts';
import { laneMenuItems, getOnlyLaneReason } from '../../features/lanes/lane-menu-items.ts';
import { applyPreset } from '../../features/parameters/setup-actions.ts';
import { openModelPicker } from '../../features/workspace/playground-focus-targets.ts';
import { getVisibleSession, type Command, type CommandContext } from './command.ts';

/** Returns the actions of each lane's menu as commands for the visible session; empty on other screens. */
export function createLaneCommands(context: CommandContext): Command[] {
  const data = getVisibleSession(context);
  if (!data) return [];
  const { laneIds } = data.session;
  return laneIds.flatMap((laneId, index): Command[] => {
    const letter = getLaneLetter(index);
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const run = getRun(data, turn);
    const laneGroup: Pick<Command, 'group'> = { group: 'Lanes' };
    return [
      {
        ...laneGroup,
        id: `pick-${laneId}`,
        label: `Choose model for lane ${letter}`,
        run: () => openModelPicker(letter),
      },
      {
        ...laneGroup,
        id: `stop-${laneId}`,
        label: `Stop lane ${letter}`,
        getDisabledReason: () => (run && isLive(run) ? undefined : 'Not running'),
        run: (context) => (run ? context.actions.stop(run.id) : undefined),
      },
      {
        ...laneGroup,
        id: `regenerate-${laneId}`,
        label: `Regenerate in lane ${letter}`,
        keywords: 'ask again retry',
        getDisabledReason: () =>
          !turn ? 'No messages yet' : run && isLive(run) ? 'An answer is still streaming' : undefined,
        run: (context) => (turn ? context.actions.regenerate([turn.id]) : undefined),
      },
      {
        ...laneGroup,
        id: `scope-${laneId}`,
        label: `Edit parameters of lane ${letter} only`,
        keywords: 'scope',
        getDisabledReason: () => getOnlyLaneReason({ count: laneIds.length }),
        run: (context) => context.view.setState({ scope: laneId }),
      },
      ...laneMenuItems.map(({ id, fullLabel, description, getDisabledReason, run: runItem }): Command => ({
        ...laneGroup,
        id: `${id}-${laneId}`,
        label: fullLabel(letter),
        ...(description === undefined ? {} : { getDescription: () => description }),
        getDisabledReason: () =>
          getDisabledReason({
            index,
            count: laneIds.length,
            namesHidden: context.view.getState().namesHidden,
            gatewayCount: context.gateways.statuses.getState().length,
          }),
        run: (context) => runItem(context, laneId),
      })),
    ];
  });
}

/** Returns commands that apply a saved preset to the lanes edited in the sidebar. Each can be undone. */
export function createPresetCommands(context: CommandContext): Command[] {
  const data = getVisibleSession(context);
  if (!data) return [];
  return mergePresets(context.presets.state.getState().presets).map((preset) => ({
    id: `preset-${preset.id}`,
    label: `Apply preset ${preset.name}`,
    group: 'Presets',
    keywords: 'preset setup',
    getDescription: () => describePreset(preset),
    run: () => {
      const { scope } = context.view.getState();
      const targets = data.session.laneIds.filter((id) => scope === undefined || scope === id);
      applyPreset(context.actions, targets, preset);
    },
  }));
}
