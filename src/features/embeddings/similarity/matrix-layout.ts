import { labelGutterPx, minLabelledRowPx } from '../heat/heat-frame.ts';

/** How a small matrix lies in its room. */
export interface MatrixLayout {
  /** A side of the square of cells, px. */
  sidePx: number;
  /** Room for names at the left: of every text, of groups, or none. */
  leftPx: number;
  hasLabels: boolean;
}

/** Names of groups, at the top and without labels at the left too. */
export const bandPx = 26;

/** Rows are labelled where each is 12 px or more beside the labels; else the square takes the room. */
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
