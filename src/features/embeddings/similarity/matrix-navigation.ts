import type { HeatCell } from '../heat/heat-scene.ts';

const moves: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

/**
 * Returns the cell that a key moves to: arrows (ten cells with Shift), Home and End in the row or, with Ctrl, in the
 * matrix.
 */
export function getNextMatrixCell(
  from: HeatCell | undefined,
  { key, shiftKey, ctrlKey }: { key: string; shiftKey: boolean; ctrlKey: boolean },
  side: number,
): HeatCell | undefined {
  const clampIndex = (index: number) => Math.max(0, Math.min(side - 1, index));
  const move = moves[key];
  if (!from) return move || key === 'Home' || key === 'End' ? { row: 0, column: 0 } : undefined;
  if (move) {
    const times = shiftKey ? 10 : 1;
    return { row: clampIndex(from.row + move[0] * times), column: clampIndex(from.column + move[1] * times) };
  }
  if (key === 'Home') return { row: ctrlKey ? 0 : from.row, column: 0 };
  if (key === 'End') return { row: ctrlKey ? side - 1 : from.row, column: side - 1 };
  return undefined;
}
