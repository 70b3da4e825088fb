import type { Point } from '../../../embedding/engine/engine.ts';

/** What a map shows. All places are in the map's own units. */
export interface ScatterScene {
  /** `x, y` pairs; a point that is not finite has no place. */
  xy: Float32Array;
  /** Absent: all points in ink. Groups take colours and shapes in turn, 255 is in none; heat is 0 to 255 of the one-hue ramp. */
  colors?: { by: 'group' | 'heat'; values: Uint8Array } | undefined;
  /** Words on the map, in the colour of their group. */
  labels?: readonly { text: string; group: number; x: number; y: number }[];
  /** Draws axes with these titles, and zero. */
  axes?: { x: string; y: string } | undefined;
}

/** What lies upon the points. */
export interface ScatterOverlay {
  current?: number | undefined;
  /** Several chosen points stand out, the others step back. */
  chosen: readonly number[];
  /** Where the query lies. */
  query?: Point | undefined;
  /** Lines from the query, or from the current point, to these, numbered by rank. */
  links: readonly number[];
  /** What is written beside the point under the pointer and the current one. */
  getLabel: (point: number) => string;
}

export const emptyOverlay: ScatterOverlay = { chosen: [], links: [], getLabel: () => '' };

export const groupColors = ['--lane-a', '--lane-b', '--lane-c', '--lane-d', '--lane-e', '--lane-f'] as const;

/** In no group. */
export const noGroup = 255;
