import type { ReactNode } from 'react';

import type { ParamControl } from '../../../conversation/setup/params.ts';
import { positionOf, type RulerScale } from '../../../ui/controls/ruler-scale.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { differsWords, numberIn, type LaneValue } from './lane-values.ts';

/** Under a row whose lanes differ: each value with the letters of its lanes. */
export function LaneValuesLine({ values, id }: { values: readonly LaneValue[]; id: string }) {
  return (
    <p className="lvs" id={id}>
      <span className="vh">{differsWords(values)}</span>
      {values.map(({ text, letters }) => (
        <span key={text ?? ''} className="lv" aria-hidden title={text}>
          {letters.map((letter) => (
            <LaneTile key={letter} letter={letter} />
          ))}
          <span className="lv-t">{text ?? 'not sent'}</span>
        </span>
      ))}
    </p>
  );
}

/** Kinds whose values need the width of the row. */
const wide: ReadonlySet<ParamControl['type']> = new Set(['json', 'lines', 'response-format']);

interface LaneBoxesProps {
  letters: readonly string[];
  type: ParamControl['type'];
  children: (letter: string) => ReactNode;
}

/** Under a row whose lanes differ: a small control for each lane's value. */
export function LaneBoxes({ letters, type, children }: LaneBoxesProps) {
  const isWide = wide.has(type);
  return (
    <div className={isWide ? 'boxes wide' : 'boxes'} style={{ '--across': Math.min(3, letters.length) }}>
      {letters.map((letter) => (
        <div key={letter} className={`box lane-${letter.toLowerCase()}`} data-type={type}>
          <LaneTile letter={letter} small={false} />
          {children(letter)}
        </div>
      ))}
    </div>
  );
}

/** Lettered flags over a ruler at the lanes' values. */
export function RulerFlags({ values, ruler }: { values: readonly LaneValue[]; ruler: RulerScale }) {
  return (
    <span className="ru-flags" aria-hidden>
      {values.map(({ text, letters }) => {
        const value = numberIn(text);
        if (value === undefined) return null;
        return (
          <span key={text} className="ru-flag" style={{ left: `${positionOf(ruler, value) * 100}%` }}>
            {letters.map((letter) => (
              <LaneTile key={letter} letter={letter} />
            ))}
          </span>
        );
      })}
    </span>
  );
}
