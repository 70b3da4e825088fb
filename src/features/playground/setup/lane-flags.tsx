import { LaneTile } from '../../../ui/lane-tile.tsx';
import { positionOf, type RulerScale } from '../../../ui/ruler-scale.ts';
import { differsWords, type LaneValue } from './lane-values.ts';

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

/** Lettered flags over a ruler at the lanes' values. */
export function RulerFlags({ values, ruler }: { values: readonly LaneValue[]; ruler: RulerScale }) {
  return (
    <span className="ru-flags" aria-hidden>
      {values.map(({ text, letters }) => {
        const value = Number(text);
        if (text === undefined || text.trim() === '' || !Number.isFinite(value)) return null;
        const position = Math.min(1, Math.max(0, positionOf(ruler, value)));
        return (
          <span key={text} className="ru-flag" style={{ left: `${position * 100}%` }}>
            {letters.map((letter) => (
              <LaneTile key={letter} letter={letter} />
            ))}
          </span>
        );
      })}
    </span>
  );
}
