import { useState } from 'react';

import type { UmapSettings } from '../../../embedding/engine/engine.ts';
import { defaultUmap, type MapColor } from '../../../state/lab/lab-state.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Legend } from '../../../ui/display/card.tsx';
import { saveBlob } from '../../../ui/display/save-file.ts';
import { Download } from '../../../ui/late-icons.tsx';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import type { Scatter } from '../canvas/scatter.ts';
import { GroupIcon } from '../group-icon.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

const colorOptions: { value: MapColor; label: string }[] = [
  { value: 'group', label: 'by group' },
  { value: 'cluster', label: 'by cluster' },
  { value: 'similarity', label: 'by similarity' },
];

interface MapToolsProps {
  scatter: Scatter | undefined;
  scene: ScatterScene | undefined;
  drag: 'pan' | 'lasso';
  color: MapColor;
  hasGroups: boolean;
}

/** Tools of the map: move or lasso, zoom, colour, save; and its legend. */
export function MapTools({ scatter, scene, drag, color, hasGroups }: MapToolsProps) {
  const { changeMap, reportFailure } = useLab();
  const save = async () => {
    if (scatter) saveBlob(await scatter.toPng(), 'map.png');
  };
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-0.5">
      <Segmented
        label="Drag action"
        value={drag}
        choices={[
          { value: 'pan', label: 'Pan' },
          { value: 'lasso', label: 'Lasso' },
        ]}
        onChange={(value) => changeMap({ drag: value })}
      />
      <ZoomButtons zoomable={scatter} factor={1.4} fitLabel="Fit all points" />
      <Select
        label="Colour"
        value={color}
        options={colorOptions.filter(({ value }) => value !== 'group' || hasGroups)}
        onChange={(value) => changeMap({ color: value })}
      />
      <IconButton size="small" label="Save map" tip="Save map as PNG" onClick={() => reportFailure(save())}>
        <Download className="icon-14" aria-hidden />
      </IconButton>
      {scene && <MapLegend scene={scene} />}
    </div>
  );
}

/** Meaning of the colours in one line, if there is room: the groups that fit, or the range of similarities. */
function MapLegend({ scene: { colors, labels } }: { scene: ScatterScene }) {
  if (colors?.by === 'heat') {
    return (
      <Legend className="flex-nowrap @max-[640px]/lab-view:hidden">
        <span>less similar</span>
        <span
          className="h-2 w-24 bg-[linear-gradient(to_right,var(--heat-2),var(--heat-6),var(--heat-10))]"
          aria-hidden
        />
        <span>more similar</span>
      </Legend>
    );
  }
  return (
    <Legend className="h-4 min-w-0 flex-1 overflow-hidden @max-[640px]/lab-view:hidden">
      {labels?.map(({ group, text }) => (
        <span key={group}>
          <span className="contents" aria-hidden>
            <GroupIcon group={group} name={text} />
          </span>
          {text}
        </span>
      ))}
    </Legend>
  );
}

type UmapNumber = 'neighbours' | 'minDistance' | 'seed';

interface UmapRow {
  name: UmapNumber;
  label: string;
  step: number;
  min: number;
  max: number;
}

const umapRows: readonly UmapRow[] = [
  { name: 'neighbours', label: 'Neighbours', step: 1, min: 2, max: 200 },
  { name: 'minDistance', label: 'Minimum distance', step: 0.05, min: 0, max: 1 },
  { name: 'seed', label: 'Seed', step: 1, min: 0, max: 2 ** 32 - 1 },
];

/** UMAP settings; the same three numbers always give the same layout. */
export function UmapFields() {
  return (
    <div
      className="flex flex-none flex-wrap items-center gap-x-3.5 gap-y-1 px-3 py-0.5"
      role="group"
      aria-label="UMAP"
    >
      {umapRows.map((row) => (
        <UmapField key={row.name} row={row} />
      ))}
    </div>
  );
}

function UmapField({ row: { name, label, ...steps } }: { row: UmapRow }) {
  const { changeMap } = useLab();
  const umap = useLabState((state) => state.map.umap);
  const [text, setText] = useState(String(umap[name]));
  const set = (next: string) => {
    setText(next);
    const number = parseSetting(next, steps);
    if (number !== undefined) changeMap({ umap: { ...umap, [name]: number } });
  };
  const defaultText = String(defaultUmap[name]);
  return (
    <label className="inline-flex items-center gap-1.5 text-12 text-ink-2">
      {label}
      <NumberField
        {...steps}
        label={label}
        text={text}
        startText={defaultText}
        placeholder={defaultText}
        invalid={text !== '' && parseSetting(text, steps) === undefined}
        onChange={set}
        onUnset={() => {
          setText('');
          changeMap({ umap: { ...umap, [name]: defaultUmap[name] } });
        }}
      />
    </label>
  );
}

/** Returns the number, or `undefined` if it is not valid for the setting. */
function parseSetting(
  text: string,
  { step, min, max }: Omit<UmapRow, 'name' | 'label'>,
): UmapSettings[UmapNumber] | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isAllowedStep = step < 1 || Number.isInteger(number);
  return isAllowedStep && number >= min && number <= max ? number : undefined;
}
