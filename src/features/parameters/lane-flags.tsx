import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import type { ParamControl } from '../../conversation/setup/params.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { describeDifferingValues, parseOptionalNumber, type LaneValue } from './lane-values.ts';
import { toPosition, type RulerScale } from './ruler-scale.ts';

/** Line below a row whose value differs between lanes: each value with the letters of its lanes. */
export function LaneValuesLine({ values, id }: { values: readonly LaneValue[]; id: string }) {
  return (
    <p className="col-start-2 -col-end-1 flex flex-wrap gap-x-2 gap-y-0.5 pb-1.5" id={id}>
      <span className="sr-only">{describeDifferingValues(values)}</span>
      {values.map(({ text, letters }) => (
        <span
          key={text ?? ''}
          className="inline-flex min-w-0 items-center gap-1 text-12 font-550 normal-nums"
          aria-hidden
          title={text}
        >
          {letters.map((letter) => (
            <LaneTile key={letter} letter={letter} />
          ))}
          <span className="max-w-45 truncate">{text ?? 'not sent'}</span>
        </span>
      ))}
    </p>
  );
}

/** Control types whose values need the width of the row. */
const fullWidthTypes: ReadonlySet<ParamControl['type']> = new Set(['json', 'lines', 'response-format']);

interface LaneBoxesProps {
  letters: readonly string[];
  type: ParamControl['type'];
  /** Returns true if the value of the lane is invalid for the row. */
  isWrong: (letter: string) => boolean;
  children: (letter: string) => ReactNode;
}

/** Small controls below a row whose value differs between lanes, one for each lane. */
export function LaneBoxes({ letters, type, isWrong, children }: LaneBoxesProps) {
  const columns = fullWidthTypes.has(type)
    ? 'minmax(0, 1fr)'
    : `repeat(${Math.min(3, letters.length)}, auto)`;
  return (
    <div className="mt-0.75 grid justify-end gap-1.5" style={{ gridTemplateColumns: columns }}>
      {letters.map((letter) => (
        <div
          key={letter}
          className={clsx(
            `flex min-h-6 min-w-0 max-phone:min-h-11 lane-${letter.toLowerCase()}`,
            type === 'json' || type === 'lines' ? 'items-start' : 'items-center',
            // Encloses a number and the letter before it.
            type === 'number' && 'overflow-hidden rounded-2 border bg-raised',
            type === 'number' &&
              (isWrong(letter)
                ? 'border-err inset-ring inset-ring-err'
                : 'border-edge inset-ring-ink focus-within:border-ink focus-within:inset-ring'),
            type !== 'number' && 'gap-1.5',
            fullWidthTypes.has(type) && 'flex-wrap',
          )}
        >
          {type === 'number' ? (
            <LaneTile letter={letter} className="size-auto w-5 self-stretch rounded-none text-[11px]/none" />
          ) : (
            <LaneTile letter={letter} isSmall={false} />
          )}
          {children(letter)}
        </div>
      ))}
    </div>
  );
}

/** Flags with lane letters above a ruler, at the values of the lanes. */
export function RulerFlags({ values, ruler }: { values: readonly LaneValue[]; ruler: RulerScale }) {
  return (
    <span className="pointer-events-none absolute inset-x-1.5 inset-y-0" aria-hidden>
      {values.map(({ text, letters }) => {
        const value = parseOptionalNumber(text);
        if (value === undefined) return null;
        return (
          <span
            key={text}
            className="absolute top-1 inline-flex -translate-x-1/2"
            data-flag
            style={{ left: `${toPosition(ruler, value) * 100}%` }}
          >
            {letters.map((letter) => (
              <LaneTile key={letter} letter={letter} className="size-3.5 text-[9.5px]/none" />
            ))}
          </span>
        );
      })}
    </span>
  );
}
