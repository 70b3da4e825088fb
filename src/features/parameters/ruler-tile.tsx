import { clsx } from 'clsx';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

import type { NumberSteps } from '../../ui/controls/step-number.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { toPosition, stepRulerValue, toValue, type RulerScale } from './ruler-scale.ts';

interface RulerTileProps {
  letter: string;
  label: string;
  value: number;
  onChange: (value: number) => void;
  ruler: RulerScale;
  steps: NumberSteps;
  /** Number of tile widths by which this tile is shifted if several lanes have the same value. */
  tileOffset: number;
  invalid: boolean;
  describedBy: string | undefined;
}

/** Half the width of a tile, and the width of a tile with its gap. */
const halfPx = 7;
const stepPx = 15;

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/**
 * A lettered slider at its value on a ruler. It can be dragged or stepped with the keys of the ruler; Escape restores
 * the value from before the drag. Its parent must be as wide as the scale.
 */
export function RulerTile(props: RulerTileProps) {
  const { letter, label, value, onChange, ruler, steps, tileOffset, invalid, describedBy } = props;
  /** Value at the start of the drag. */
  const [startValue, setStartValue] = useState(value);
  /** Distance of the pointer from the centre of the tile, in px; `undefined` while not dragged. */
  const grabOffsetPx = useRef<number>(undefined);
  const [isDragged, setDragged] = useState(false);

  const moveTo = (next: number) => next !== value && onChange(next);
  const endDrag = () => {
    grabOffsetPx.current = undefined;
    setDragged(false);
  };

  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    const tile = event.currentTarget;
    tile.setPointerCapture(event.pointerId);
    // The browser does not focus the tile on touch.
    tile.focus({ preventScroll: true });
    const { left, width } = tile.getBoundingClientRect();
    grabOffsetPx.current = event.clientX - (left + width / 2 - tileOffset * width);
    setStartValue(value);
    setDragged(true);
  };
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLSpanElement>) => {
    const scale = currentTarget.parentElement?.getBoundingClientRect();
    if (grabOffsetPx.current === undefined || !scale) return;
    const position = (clientX - grabOffsetPx.current - scale.left) / scale.width;
    moveTo(toValue(ruler, Math.min(1, Math.max(0, position)), steps.step));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (isDragged || value !== startValue)) {
      // Escape restores the value and does nothing else.
      event.preventDefault();
      endDrag();
      return moveTo(startValue);
    }
    const nextValue = stepRulerValue(ruler, steps, value, event);
    if (nextValue === undefined) return;
    event.preventDefault();
    moveTo(nextValue);
  };

  const getLeft = (tileValue: number) => `${toPosition(ruler, tileValue) * 100}%`;
  return (
    <>
      {isDragged && (
        <span
          className="pointer-events-none absolute top-0 mt-px size-3.5 rounded-1 border border-dashed border-edge"
          style={{ left: getLeft(startValue), marginLeft: -halfPx }}
        />
      )}
      <span
        className={clsx(
          'absolute top-0 mt-px grid size-3.5 touch-none rounded-1 outline-offset-[1.5px] outline-needle',
          // The touch area extends beneath the neighbouring tiles.
          'after:absolute after:-inset-2.5 after:-z-1 max-phone:after:-inset-3.75',
          isDragged ? 'cursor-grabbing outline-2' : 'cursor-grab',
        )}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={ruler.from}
        aria-valuemax={ruler.to}
        aria-valuetext={numberFormat.format(value)}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        style={{ left: getLeft(value), marginLeft: tileOffset * stepPx - halfPx }}
        onFocus={() => setStartValue(value)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={endDrag}
        onLostPointerCapture={endDrag}
        onKeyDown={onKeyDown}
      >
        {/* This text is smaller than elsewhere. */}
        <LaneTile letter={letter} className="size-3.5 text-[9.5px]/none" />
        <span
          className="absolute inset-x-0 top-full mx-auto h-3 w-px bg-ink forced-colors:bg-[CanvasText]"
          style={{ translate: -tileOffset * stepPx }}
        />
      </span>
    </>
  );
}
