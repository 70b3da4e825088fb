import type { LaneId } from '../../../conversation/session/types.ts';

/** Narrower than this lanes overflow their window. */
export const minLanePx = 296;
/** Where they are to fit, and where a person drags them. */
export const minFitLanePx = 180;

/** How a person wants the lanes to share the window. */
export interface LaneWidths {
  fitsLanes: boolean;
  laneWidths: Readonly<Record<LaneId, number>>;
  soloLane?: LaneId | undefined;
}

/** The columns of the lanes, as CSS has them, and how wide all of them are at least. */
export interface LaneColumns {
  columns: string;
  width: string;
}

/** One lane that is shown alone has the whole window, and the others stay beside it. */
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
  // With every width given, the last lane takes what is left.
  if (laneIds.length > 0 && laneIds.every((id) => getWidth(id) !== undefined))
    columns.splice(-1, 1, `minmax(${getWidth(laneIds.at(-1) ?? '') ?? minPx}px, 1fr)`);
  return { columns: columns.join(' '), width: `${totalPx}px` };
}

/** Whether so many lanes overflow a window of this width, unless they are made to fit. */
export function doLanesOverflow(
  laneIds: readonly LaneId[],
  laneWidths: Readonly<Record<LaneId, number>>,
  windowPx: number,
): boolean {
  return laneIds.reduce((sum, id) => sum + (laneWidths[id] ?? minLanePx), 0) > windowPx;
}

/** The widths after a divider was moved: its lane has this one. */
export function withLaneWidth(
  laneWidths: Readonly<Record<LaneId, number>>,
  laneId: LaneId,
  width: number,
): Readonly<Record<LaneId, number>> {
  return { ...laneWidths, [laneId]: Math.max(minFitLanePx, Math.round(width)) };
}
