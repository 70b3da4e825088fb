export interface NumberSteps {
  step: number;
  /** Step of Page Up and Page Down; ten steps by default. */
  largeStep?: number;
  min?: number;
  max?: number;
}

/** Removes binary rounding errors: 0.1 + 0.2 gives 0.3. */
function roundFloat(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

function clamp(value: number, { min = -Infinity, max = Infinity }: NumberSteps): number {
  return Math.min(max, Math.max(min, value));
}

/**
 * Returns the value that a key steps to, clamped to min and max: arrow keys one step, with Shift ten, Page Up and Page
 * Down a large step. `undefined` if the key does not step, or the number has too many digits for an exact step.
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
