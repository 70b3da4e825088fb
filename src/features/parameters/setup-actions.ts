/** Actions that replace the whole setup of lanes, for buttons and commands. All of them can be undone. */
import { createParamsEdit } from '../../conversation/session/lanes.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import type { Preset } from '../../conversation/setup/presets.ts';
import { pluralize } from '../../lib/format.ts';
import type { Actions } from '../../state/sessions/actions.ts';

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
