import { useState } from 'react';

import type { Lane, Setup } from '../../conversation/session/types.ts';
import { mergePresets, describePreset, type Preset } from '../../conversation/setup/presets.ts';
import { usePresets, useSessionServices } from '../../state/contexts.tsx';
import { iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { Bookmark } from '../../ui/late-icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { applyPreset } from './setup-actions.ts';

const PresetsDialog = lazyOverlay(
  'The presets',
  async () => (await import('./presets-dialog.tsx')).PresetsDialog,
);

interface PresetsMenuProps {
  /** Setup that can be saved as a preset. */
  setup: Setup;
  /** Description of where the setup comes from. */
  sourceLabel: string;
  /** Lanes to which a preset is applied. */
  targets: readonly Lane[];
}

/** Maximum number of presets in the menu; the dialog lists all. */
const maxMenuItems = 12;

/** Menu of presets: a click applies one to the lanes in scope. */
export function PresetsMenu({ setup, sourceLabel, targets }: PresetsMenuProps) {
  const { actions } = useSessionServices();
  const presets = usePresets();
  const [isOpen, setIsOpen] = useState(false);

  const apply = (preset: Preset) =>
    applyPreset(
      actions,
      targets.map((lane) => lane.id),
      preset,
    );

  const mergedPresets = mergePresets(presets);
  const presetItems = mergedPresets.slice(0, maxMenuItems).map((preset): MenuItem => {
    return { label: preset.name, hint: describePreset(preset), onPick: () => apply(preset) };
  });
  const moreLabel =
    mergedPresets.length > maxMenuItems ? `All ${presets.length} presets` : 'Find, rename or delete presets';
  const items: MenuItem[] = [
    ...presetItems,
    { label: 'Save setup as preset', startsGroup: presetItems.length > 0, onPick: () => setIsOpen(true) },
    ...(presets.length > 0 ? [{ label: moreLabel, onPick: () => setIsOpen(true) }] : []),
  ];

  return (
    <>
      <Menu label="Presets" className={iconButtonVariants()} items={items}>
        <Bookmark className="icon-14" aria-hidden />
      </Menu>
      {isOpen && (
        <PresetsDialog
          setup={setup}
          sourceLabel={sourceLabel}
          onApply={(preset) => {
            setIsOpen(false);
            apply(preset);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
