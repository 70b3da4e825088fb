import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findNextPoint, createPointGrid, findPointsInside } from './point-grid.ts';
import { computeBounds, panView, fitView, zoomView, type ViewBox } from './view-box.ts';

const project = (view: ViewBox, x: number, y: number) => ({
  x: (x - view.centerX) * view.pixelsPerUnit,
  y: (view.centerY - y) * view.pixelsPerUnit,
});
const pointPairs = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
  minLength: 1,
  maxLength: 60,
});

describe('view of a map', () => {
  it('fits all points of a map within the margins, with one scale for both axes', () => {
    const view = fitView({ minX: 0, minY: 0, maxX: 10, maxY: 2 }, 200, 100, 20);
    expect(view).toEqual({ centerX: 5, centerY: 1, pixelsPerUnit: 16 });
  });

  it('fits a map with a single point and returns no bounds without finite points', () => {
    expect(fitView({ minX: 3, minY: 4, maxX: 3, maxY: 4 }, 200, 100, 20).pixelsPerUnit).toBe(1);
    expect(computeBounds(Float32Array.of(Number.NaN, 1))).toBeUndefined();
    expect(computeBounds(Float32Array.of(Number.NaN, 1, 2, 3))).toEqual({
      minX: 2,
      minY: 3,
      maxX: 2,
      maxY: 3,
    });
  });

  it('keeps the point under the pointer in place when zooming a map, and moves the map with a drag', () => {
    const view = { centerX: 5, centerY: 1, pixelsPerUnit: 16 };
    const before = project(view, 7, 3);
    const zoomed = zoomView(view, 2.5, before.x, before.y);
    expect(zoomed.pixelsPerUnit).toBe(40);
    expect(project(zoomed, 7, 3).x).toBeCloseTo(before.x, 9);
    expect(project(zoomed, 7, 3).y).toBeCloseTo(before.y, 9);
    const dragged = project(panView(view, 12, -7), 7, 3);
    expect([dragged.x - before.x, dragged.y - before.y]).toEqual([12, -7]);
  });
});

describe('spatial queries on a map', () => {
  it('finds the same nearest point as a linear search, but no point beyond the maximum distance', () => {
    fc.assert(
      fc.property(
        pointPairs,
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: -60, max: 60 }),
        (points, x, y) => {
          const grid = createPointGrid(Float32Array.from(points.flat()));
          const reach = 13;
          const distances = points.map(([px, py]) => Math.hypot(px - x, py - y));
          const minDistance = Math.min(...distances);
          const nearest = grid.findNearest(x, y, reach);
          if (minDistance > reach) expect(nearest).toBeUndefined();
          else expect(distances[nearest ?? -1]).toBeCloseTo(minDistance, 9);
        },
      ),
    );
  });

  it('skips points without a position when searching for the nearest point', () => {
    const grid = createPointGrid(Float32Array.of(Number.NaN, Number.NaN, 4, 4));
    expect(grid.findNearest(4, 4, 1)).toBe(1);
    expect(createPointGrid(new Float32Array()).findNearest(0, 0, 5)).toBeUndefined();
  });

  it('returns the points inside a lasso, even if the lasso is concave', () => {
    // The line is an L; its corner at (3, 3) is outside.
    const line = [0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4];
    const xy = Float32Array.of(1, 1, 3, 3, 3, 1, 1, 3, 9, 9, Number.NaN, 1);
    expect(findPointsInside(xy, line)).toEqual([0, 2, 3]);
    expect(findPointsInside(xy, [0, 0, 4, 4])).toEqual([]);
  });

  it('moves to the next point in the direction of the arrow key', () => {
    const xy = Float32Array.of(0, 0, 2, 0.2, 5, 0, 0, 3, -1, 0, 0.5, -9);
    expect(findNextPoint(xy, 0, 'right')).toBe(1);
    expect(findNextPoint(xy, 1, 'right')).toBe(2);
    expect(findNextPoint(xy, 0, 'up')).toBe(3);
    expect(findNextPoint(xy, 0, 'left')).toBe(4);
    expect(findNextPoint(xy, 0, 'down')).toBe(5);
    expect(findNextPoint(xy, 2, 'right')).toBeUndefined();
  });
});
