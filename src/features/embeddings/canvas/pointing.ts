/** What pointing at a map needs. Loaded with the first pointer over one, or the first point that is marked. */
export { pointsInside } from './lasso.ts';
export { paintMarks } from './paint-marks.ts';
export { pointGrid } from './point-grid.ts';
