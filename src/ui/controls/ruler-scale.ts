import { steppedNumber, type NumberSteps } from './step-number.ts';

export interface RulerScale {
  from: number;
  to: number;
  /** Values with a label and a long tick. */
  labels: readonly number[];
  scale: 'linear' | 'log';
}

/** Ticks closer than this share of the ruler run together. */
const mostTicks = 24;

/** Where a value stands, 0 to 1; values beyond an end stand at it. */
export function positionOf({ from, to, scale }: RulerScale, value: number): number {
  const part = scale === 'log' ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  return Number.isNaN(part) ? 0 : Math.min(1, Math.max(0, part));
}

/** The value at a position of 0 to 1, on a multiple of `step` within the range. */
export function valueAt({ from, to, scale }: RulerScale, position: number, step: number): number {
  const exact = scale === 'log' ? from * (to / from) ** position : from + (to - from) * position;
  const rounded = Number((Math.round(exact / step) * step).toPrecision(12));
  return Math.min(to, Math.max(from, rounded));
}

/** Positions of all ticks: each doubling on a log scale, else the steps, thinned until they stand apart. */
export function ticksOf(ruler: RulerScale, step: number): { position: number; long: boolean }[] {
  const { from, to, labels, scale } = ruler;
  const values: number[] = [];
  if (scale === 'log') {
    for (let value = from; value <= to; value *= 2) values.push(value);
  } else {
    const steps = Math.round((to - from) / step);
    const every = [1, 2, 5, 10, 20, 50, 100].find((factor) => steps / factor <= mostTicks) ?? steps;
    for (let index = 0; index <= steps; index += every)
      values.push(Number((from + index * step).toPrecision(12)));
  }
  const all = [...new Set([...values, ...labels])].toSorted((one, other) => one - other);
  return all.map((value) => ({ position: positionOf(ruler, value), long: labels.includes(value) }));
}

const sliderKeys: Record<string, string> = { ArrowRight: 'ArrowUp', ArrowLeft: 'ArrowDown' };

/** The value that a key leads to: as in the number field, and on a log scale Page keys double and halve. Undefined: it leads nowhere. */
export function steppedOnRuler(
  ruler: RulerScale,
  steps: NumberSteps,
  value: number,
  { key: pressed, shiftKey }: { key: string; shiftKey: boolean },
): number | undefined {
  const { from, to, scale } = ruler;
  const key = sliderKeys[pressed] ?? pressed;
  const largeStep = scale === 'log' ? (key === 'PageUp' ? value : value / 2) : (to - from) / 10;
  const stepped = steppedNumber(value, key, shiftKey, { ...steps, largeStep, min: from, max: to });
  return stepped === undefined ? undefined : valueAt(ruler, positionOf(ruler, stepped), steps.step);
}
