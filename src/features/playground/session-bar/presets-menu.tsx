import { useState } from 'react';

import type { Lane, Setup } from '../../../conversation/session/types.ts';
import { mergePresets, describePreset, type Preset } from '../../../conversation/setup/presets.ts';
import { usePlayground, usePresets } from '../../../state/use-playground.tsx';
import { iconButtonLook } from '../../../ui/controls/icon-button.tsx';
import { lazyOverlay } from '../../../ui/hooks/lazy-component.tsx';
import { Bookmark } from '../../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { applyPreset } from '../setup/setup-actions.ts';

const PresetsDialog = lazyOverlay(
  'The presets',
  async () => (await import('./presets-dialog.tsx')).PresetsDialog,
);

interface PresetsMenuProps {
  /** What would be saved. */
  setup: Setup;
  /** Whose setup that is, in words. */
  from: string;
  /** The lanes that a preset is applied to. */
  targets: readonly Lane[];
}

/** More than fit a menu are in the dialog. */
const mostInMenu = 12;

/** Named setups: one click puts one into the lanes in scope. */
export function PresetsMenu({ setup, from, targets }: PresetsMenuProps) {
  const { actions } = usePlayground();
  const presets = usePresets();
  const [open, setOpen] = useState(false);

  const apply = (preset: Preset) =>
    applyPreset(
      actions,
      targets.map((lane) => lane.id),
      preset,
    );

  const all = mergePresets(presets);
  const listed = all.slice(0, mostInMenu).map((preset): MenuItem => {
    return { label: preset.name, hint: describePreset(preset), onPick: () => apply(preset) };
  });
  const more = all.length > mostInMenu ? `All ${presets.length} presets` : 'Rename or delete presets';
  const items: MenuItem[] = [
    ...listed,
    { label: 'Save setup as preset', startsGroup: listed.length > 0, onPick: () => setOpen(true) },
    ...(presets.length > 0 ? [{ label: more, onPick: () => setOpen(true) }] : []),
  ];

  return (
    <>
      <Menu label="Presets" className={iconButtonLook()} items={items}>
        <Bookmark className="icon-14" aria-hidden />
      </Menu>
      {open && (
        <PresetsDialog
          setup={setup}
          from={from}
          onApply={(preset) => {
            setOpen(false);
            apply(preset);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
