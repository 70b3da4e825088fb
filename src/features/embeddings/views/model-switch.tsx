import type { Slot } from '../../../state/lab/lab-state.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';

/** Which of two models the views show; nothing while there is only one. */
export function ModelSwitch() {
  const { showSlot } = useLab();
  const sets = useLabState((state) => state.sets);
  const shown = useLabState((state) => state.shownSlot);
  const { A, B } = sets;
  if (!A || !B) return null;
  const choice = (slot: Slot, model: string) => ({
    value: slot,
    label: `${slot}, ${model}`,
    shown: (
      <>
        <LaneTile letter={slot} />
        <span className="vh">{model}</span>
      </>
    ),
  });
  return (
    <span className="model-switch" title="Press M to switch models">
      <span className="mut">Shown model</span>
      <Segmented
        label="Model shown in the views"
        value={shown}
        choices={[choice('A', A.model), choice('B', B.model)]}
        onChange={showSlot}
      />
    </span>
  );
}
