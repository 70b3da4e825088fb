import { labelGutterPx, minLabelledRowPx } from '../heat/heat-frame.ts';

/** Layout of a small matrix. */
export interface MatrixLayout {
  /** Side of the square of cells, in px. */
  sidePx: number;
  /** Space in px on the left for the labels of all texts, for group names, or 0. */
  leftPx: number;
  hasLabels: boolean;
}

/** Size of group names, in px: at the top, and on the left if there are no labels. */
export const bandPx = 26;

/**
 * Computes the layout. Rows have labels if each is then still at least 12 px high; otherwise the matrix takes their
 * space.
 */
export function computeMatrixLayout(
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  count: number,
  hasBands: boolean,
): MatrixLayout {
  const topPx = hasBands ? bandPx : 0;
  const computeSidePx = (leftPx: number) => Math.floor(Math.min(widthPx - leftPx, heightPx - topPx)) - 2;
  const labelledSidePx = computeSidePx(labelGutterPx);
  if (count > 0 && labelledSidePx / count >= minLabelledRowPx)
    return { sidePx: labelledSidePx, leftPx: labelGutterPx, hasLabels: true };
  return { sidePx: Math.max(0, computeSidePx(topPx)), leftPx: topPx, hasLabels: false };
}
