import type { Point } from '../../../embedding/engine/engine.ts';

/** Content of a map. All positions are in map units. */
export interface ScatterScene {
  /** Points as `x, y` pairs; non-finite points are not drawn. */
  xy: Float32Array;
  /**
   * Colour of each point; absent: all points in ink. Group values cycle through colours and shapes (255: no group);
   * heat values are 0 to 255 on the one-hue ramp.
   */
  colors?: { by: 'group' | 'heat'; values: Uint8Array } | undefined;
  /** Group names on the map, in the colour of their group. */
  labels?: readonly { text: string; group: number; x: number; y: number }[];
  /** Titles of the axes; if set, axes and zero lines are drawn. */
  axes?: { x: string; y: string } | undefined;
}

/** Marks above the points. */
export interface ScatterOverlay {
  current?: number | undefined;
  /** Selected points; if there are several, the others are faded. */
  chosen: readonly number[];
  /** Position of the query. */
  query?: Point | undefined;
  /** Points connected to the query or the current point by lines, numbered by rank. */
  links: readonly number[];
  /** Returns the label beside the hovered point and the current point. */
  getLabel: (point: number) => string;
}

export const emptyOverlay: ScatterOverlay = { chosen: [], links: [], getLabel: () => '' };

export const groupColors = ['--lane-a', '--lane-b', '--lane-c', '--lane-d', '--lane-e', '--lane-f'] as const;

/** Value for points without a group. */
export const noGroup = 255;
