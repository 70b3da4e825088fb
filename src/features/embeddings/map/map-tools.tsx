import { Download } from 'lucide-react';

import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import type { Scatter } from '../canvas/scatter.ts';
import { useTellProblem } from '../hooks/use-lab-control.ts';
import { mapStore, type MapColor } from './map-store.ts';
import { saveMapPng, saveMapSvg } from './save-pictures.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

const colors: { value: MapColor; label: string }[] = [
  { value: 'group', label: 'by group' },
  { value: 'cluster', label: 'by cluster' },
  { value: 'similarity', label: 'by similarity' },
];
const mostInSvg = 20_000;

interface MapToolsProps {
  scatter: Scatter | undefined;
  scene: ScatterScene | undefined;
  drag: 'pan' | 'lasso';
  color: MapColor;
  hasGroups: boolean;
}

/** What can be done with the map: move or lasso, zoom, colour, save. */
export function MapTools({ scatter, scene, drag, color, hasGroups }: MapToolsProps) {
  const tell = useTellProblem();
  const save = async (form: 'png' | 'svg') => {
    if (scatter && form === 'png') await saveMapPng(scatter);
    else if (scatter && scene) saveMapSvg(scatter, scene);
  };
  return (
    <div className="lab-tools">
      <Segmented
        label="Drag action"
        value={drag}
        choices={[
          { value: 'pan', label: 'Move' },
          { value: 'lasso', label: 'Lasso' },
        ]}
        onChange={(value) => mapStore.setState({ drag: value })}
      />
      <ZoomButtons picture={scatter} factor={1.4} fitLabel="Show all points" />
      <Select
        label="Colour"
        value={color}
        options={colors.filter(({ value }) => value !== 'group' || hasGroups)}
        onChange={(value) => mapStore.setState({ color: value })}
      />
      <Menu
        label="Save the map"
        items={[
          {
            label: 'PNG, as shown',
            onPick: () => tell(save('png')),
          },
          {
            label: 'SVG, all points',
            onPick: () => tell(save('svg')),
            ...(scene && scene.xy.length / 2 > mostInSvg ? { disabledBecause: 'over 20,000 points' } : {}),
          },
        ]}
      >
        <Download className="i s" aria-hidden />
      </Menu>
    </div>
  );
}
