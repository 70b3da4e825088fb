export interface NumberSteps {
  step: number;
  /** What Page Up and Page Down move by; ten steps where absent. */
  largeStep?: number;
  min?: number;
  max?: number;
}

/** The number without the dust of binary fractions: 0.1 + 0.2 is 0.3. */
function roundFloat(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

function clamp(value: number, { min = -Infinity, max = Infinity }: NumberSteps): number {
  return Math.min(max, Math.max(min, value));
}

/**
 * The value that a key steps to: arrows one step, with Shift ten, Page Up and Page Down a large one, kept
 * within min and max. Undefined: the key does not step, or the digits of the number are too many to step it exactly.
 */
export function stepNumber(
  value: number,
  key: string,
  isShiftHeld: boolean,
  steps: NumberSteps,
): number | undefined {
  const direction =
    key === 'ArrowUp' || key === 'PageUp' ? 1 : key === 'ArrowDown' || key === 'PageDown' ? -1 : 0;
  if (direction === 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
  const largeStep = steps.largeStep ?? steps.step * 10;
  const stepSize = key.startsWith('Page') ? largeStep : steps.step * (isShiftHeld ? 10 : 1);
  return roundFloat(clamp(value + direction * stepSize, steps));
}
