import { useState } from 'react';
import { useStore } from 'zustand';

import type { UmapSettings } from '../../../embedding/engine/engine.ts';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { firstUmap, mapStore } from './map-store.ts';

type Name = 'neighbours' | 'minDistance' | 'seed';

interface Row {
  name: Name;
  label: string;
  step: number;
  min: number;
  max: number;
}

const rows: readonly Row[] = [
  { name: 'neighbours', label: 'Neighbours', step: 1, min: 2, max: 200 },
  { name: 'minDistance', label: 'Minimum distance', step: 0.05, min: 0, max: 1 },
  { name: 'seed', label: 'Seed', step: 1, min: 0, max: 2 ** 32 - 1 },
];

/** What a layout depends on: the same three numbers give the same map. */
export function UmapFields() {
  return (
    <div className="lab-tools umap-fields" role="group" aria-label="UMAP">
      {rows.map((row) => (
        <UmapField key={row.name} row={row} />
      ))}
    </div>
  );
}

function UmapField({ row: { name, label, ...steps } }: { row: Row }) {
  const value = useStore(mapStore, ({ umap }) => umap[name]);
  const [text, setText] = useState(String(value));
  const set = (next: string) => {
    setText(next);
    const number = read(next, steps);
    if (number !== undefined) mapStore.setState(({ umap }) => ({ umap: { ...umap, [name]: number } }));
  };
  const usual = String(firstUmap[name]);
  return (
    <label>
      {label}
      <NumberField
        {...steps}
        label={label}
        text={text}
        start={usual}
        placeholder={usual}
        invalid={text !== '' && read(text, steps) === undefined}
        onChange={set}
        onUnset={() => {
          setText('');
          mapStore.setState(({ umap }) => ({ umap: { ...umap, [name]: firstUmap[name] } }));
        }}
      />
    </label>
  );
}

/** Undefined where it is not a number that the setting can have. */
function read(text: string, { step, min, max }: Omit<Row, 'name' | 'label'>): UmapSettings[Name] | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isWhole = step < 1 || Number.isInteger(number);
  return isWhole && number >= min && number <= max ? number : undefined;
}
