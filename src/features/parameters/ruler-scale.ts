import { stepNumber, type NumberSteps } from '../../ui/controls/step-number.ts';

export interface RulerScale {
  from: number;
  to: number;
  /** Values with a label and a long tick. */
  labels: readonly number[];
  scale: 'linear' | 'log';
}

/** Maximum number of ticks; more would blur together. */
const maxTicks = 24;

/** Returns the position of a value, 0 to 1; values outside the range are clamped. */
export function toPosition({ from, to, scale }: RulerScale, value: number): number {
  const share = scale === 'log' ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}

/** Returns the value at a position of 0 to 1, as a multiple of `step` within the range. */
export function toValue({ from, to, scale }: RulerScale, position: number, step: number): number {
  const exact = scale === 'log' ? from * (to / from) ** position : from + (to - from) * position;
  const rounded = Number((Math.round(exact / step) * step).toPrecision(12));
  return Math.min(to, Math.max(from, rounded));
}

/**
 * Returns the positions of all ticks: each doubling on a log scale, otherwise the steps, thinned out so that they stay
 * distinct.
 */
export function buildRulerTicks(ruler: RulerScale, step: number): { position: number; isLong: boolean }[] {
  const { from, to, labels, scale } = ruler;
  const values: number[] = [];
  if (scale === 'log') {
    for (let value = from; value <= to; value *= 2) values.push(value);
  } else {
    const steps = Math.round((to - from) / step);
    const stride = [1, 2, 5, 10, 20, 50, 100].find((factor) => steps / factor <= maxTicks) ?? steps;
    for (let index = 0; index <= steps; index += stride)
      values.push(Number((from + index * step).toPrecision(12)));
  }
  const allValues = [...new Set([...values, ...labels])].toSorted((a, b) => a - b);
  return allValues.map((value) => ({ position: toPosition(ruler, value), isLong: labels.includes(value) }));
}

const sliderKeys: Record<string, string> = { ArrowRight: 'ArrowUp', ArrowLeft: 'ArrowDown' };

/**
 * Returns the value after a key press, with the same steps as in the number field, but Page keys double and halve on a log
 * scale. `undefined` if the key does not step.
 */
export function stepRulerValue(
  ruler: RulerScale,
  steps: NumberSteps,
  value: number,
  { key: pressedKey, shiftKey }: { key: string; shiftKey: boolean },
): number | undefined {
  const { from, to, scale } = ruler;
  const key = sliderKeys[pressedKey] ?? pressedKey;
  const largeStep = scale === 'log' ? (key === 'PageUp' ? value : value / 2) : (to - from) / 10;
  const nextValue = stepNumber(value, key, shiftKey, { ...steps, largeStep, min: from, max: to });
  return nextValue === undefined ? undefined : toValue(ruler, toPosition(ruler, nextValue), steps.step);
}
