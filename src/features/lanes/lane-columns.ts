import type { LaneId } from '../../conversation/session/types.ts';

/** Minimum lane width in px; if lanes would be narrower, they overflow the window. */
export const minLanePx = 296;
/** Minimum lane width in px if lanes are fitted or resized by dragging. */
export const minFitLanePx = 180;

/** How lanes share the window, as chosen by the user. */
export interface LaneWidths {
  fitsLanes: boolean;
  laneWidths: Readonly<Record<LaneId, number>>;
  soloLane?: LaneId | undefined;
}

/** Lane columns as CSS, and their total minimum width. */
export interface LaneColumns {
  columns: string;
  width: string;
}

/**
 * Computes the columns. A lane shown alone fills the window; the others stay next to it and can be reached by
 * scrolling.
 */
export function computeLaneColumns(
  laneIds: readonly LaneId[],
  { fitsLanes, laneWidths, soloLane }: LaneWidths,
): LaneColumns {
  const minPx = fitsLanes ? minFitLanePx : minLanePx;
  const hasSolo = laneIds.some((id) => id === soloLane);
  const getWidth = (id: LaneId) => (fitsLanes ? undefined : laneWidths[id]);
  const columns = laneIds.map((id) => {
    if (hasSolo) return id === soloLane ? 'minmax(0, 1fr)' : `${minPx}px`;
    const width = getWidth(id);
    return width === undefined ? 'minmax(0, 1fr)' : `${width}px`;
  });
  if (hasSolo) return { columns: columns.join(' '), width: `calc(100% + ${(laneIds.length - 1) * minPx}px)` };
  const totalPx = laneIds.reduce((sum, id) => sum + (getWidth(id) ?? minPx), 0);
  // If all widths are set, the last lane takes the remaining space.
  if (laneIds.length > 0 && laneIds.every((id) => getWidth(id) !== undefined))
    columns.splice(-1, 1, `minmax(${getWidth(laneIds.at(-1) ?? '') ?? minPx}px, 1fr)`);
  return { columns: columns.join(' '), width: `${totalPx}px` };
}

/** Returns true if the lanes overflow a window of this width, unless they are fitted. */
export function doLanesOverflow(
  laneIds: readonly LaneId[],
  laneWidths: Readonly<Record<LaneId, number>>,
  windowPx: number,
): boolean {
  return laneIds.reduce((sum, id) => sum + (laneWidths[id] ?? minLanePx), 0) > windowPx;
}

/** Returns the widths after a divider was moved, which sets the width of its lane. */
export function withLaneWidth(
  laneWidths: Readonly<Record<LaneId, number>>,
  laneId: LaneId,
  width: number,
): Readonly<Record<LaneId, number>> {
  return { ...laneWidths, [laneId]: Math.max(minFitLanePx, Math.round(width)) };
}
