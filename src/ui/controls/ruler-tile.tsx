import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

import { classes } from '../cn.ts';
import { LaneTile } from '../display/lane-tile.tsx';
import { positionOf, steppedOnRuler, valueAt, type RulerScale } from './ruler-scale.ts';
import type { NumberSteps } from './step-number.ts';

interface RulerTileProps {
  letter: string;
  label: string;
  value: number;
  onChange: (value: number) => void;
  ruler: RulerScale;
  steps: NumberSteps;
  /** By how many tiles it stands beside its value, where others have the same. */
  place: number;
  invalid: boolean;
  describedBy: string | undefined;
}

/** Half a tile; a tile and the gap beside it. */
const halfPx = 7;
const stepPx = 15;

/** The letters on a ruler are smaller than elsewhere. */
export const letterSize = classes('size-3.5 rounded-1 text-[9.5px]');
const look = classes(
  'absolute top-0 mt-px grid size-3.5 touch-none rounded-1 outline-offset-[1.5px] outline-needle',
  // What a finger hits, beneath the tiles beside it.
  'after:absolute after:-inset-2.5 after:-z-1 max-phone:after:-inset-3.75',
);

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/**
 * A lettered tile at its value on a ruler: a slider of its own. It is dragged, or stepped by the keys of the ruler;
 * Escape puts it back where it was when it was taken up. Its parent is as wide as the scale.
 */
export function RulerTile(props: RulerTileProps) {
  const { letter, label, value, onChange, ruler, steps, place, invalid, describedBy } = props;
  /** Where it was when it was taken up. */
  const [start, setStart] = useState(value);
  /** How far from its middle the pointer holds it; undefined while nothing drags it. */
  const held = useRef<number>(undefined);
  const [isDragged, setDragged] = useState(false);

  const moveTo = (next: number) => next !== value && onChange(next);
  const drop = () => {
    held.current = undefined;
    setDragged(false);
  };

  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    const tile = event.currentTarget;
    tile.setPointerCapture(event.pointerId);
    // A finger gives it no focus by itself.
    tile.focus({ preventScroll: true });
    const { left, width } = tile.getBoundingClientRect();
    held.current = event.clientX - (left + width / 2 - place * width);
    setStart(value);
    setDragged(true);
  };
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLSpanElement>) => {
    const scale = currentTarget.parentElement?.getBoundingClientRect();
    if (held.current === undefined || !scale) return;
    const position = (clientX - held.current - scale.left) / scale.width;
    moveTo(valueAt(ruler, Math.min(1, Math.max(0, position)), steps.step));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (isDragged || value !== start)) {
      // It puts back, and stops nothing else.
      event.preventDefault();
      drop();
      return moveTo(start);
    }
    const stepped = steppedOnRuler(ruler, steps, value, event);
    if (stepped === undefined) return;
    event.preventDefault();
    moveTo(stepped);
  };

  const left = (of: number) => `${positionOf(ruler, of) * 100}%`;
  return (
    <>
      {isDragged && (
        <span
          className="pointer-events-none absolute top-0 mt-px size-3.5 rounded-1 border border-dashed border-edge"
          style={{ left: left(start), marginLeft: -halfPx }}
        />
      )}
      <span
        className={classes(look, isDragged ? 'cursor-grabbing outline-2' : 'cursor-grab')}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={ruler.from}
        aria-valuemax={ruler.to}
        aria-valuetext={format.format(value)}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        style={{ left: left(value), marginLeft: place * stepPx - halfPx }}
        onFocus={() => setStart(value)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={drop}
        onLostPointerCapture={drop}
        onKeyDown={onKeyDown}
      >
        <LaneTile letter={letter} size={letterSize} />
        <span
          className="absolute inset-x-0 top-full mx-auto h-3 w-px bg-ink forced-colors:bg-[CanvasText]"
          style={{ translate: -place * stepPx }}
        />
      </span>
    </>
  );
}
