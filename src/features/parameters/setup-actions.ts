/** Actions that change the setup of lanes, for buttons, rows and commands. All of them can be undone. */
import { createParamsEdit } from '../../conversation/session/lanes.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { defaultParams, type Params } from '../../conversation/setup/params.ts';
import type { Preset } from '../../conversation/setup/presets.ts';
import { withValidToolChoice } from '../../conversation/setup/tool-choice.ts';
import { pluralize } from '../../lib/format.ts';
import type { Actions } from '../../state/sessions/actions.ts';

/** Edits the parameters, and resets tool_choice if it names a tool that the edit removes. */
export function editParameters(
  actions: Actions,
  laneIds: readonly LaneId[],
  edit: (params: Params) => Params,
): void {
  actions.changeSetups(laneIds, (setup) => ({
    ...setup,
    params: withValidToolChoice(setup.params, edit(setup.params)),
  }));
}

/** Resets the parameters. Typed values stay in their fields but are not sent. */
export function resetParameters(actions: Actions, laneIds: readonly LaneId[]): void {
  actions.replaceSetups(
    laneIds,
    (setup) => createParamsEdit(setup.params, defaultParams)(setup),
    'Reset all parameters.',
  );
}

export function applyPreset(actions: Actions, laneIds: readonly LaneId[], preset: Preset): void {
  const targetText = laneIds.length === 1 ? '' : ` to ${pluralize(laneIds.length, 'lane')}`;
  actions.applyPreset(laneIds, preset, `Applied ${preset.name}${targetText}.`);
}
