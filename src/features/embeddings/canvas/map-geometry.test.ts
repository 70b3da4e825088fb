import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nextPoint, pointGrid, pointsInside } from './point-grid.ts';
import { boundsOf, draggedView, fittedView, zoomedView, type ViewBox } from './view-box.ts';

const place = (view: ViewBox, x: number, y: number) => ({
  x: (x - view.centerX) * view.pixelsPerUnit,
  y: (view.centerY - y) * view.pixelsPerUnit,
});
const cloud = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
  minLength: 1,
  maxLength: 60,
});

describe('the view of a map', () => {
  it('shows every point within its margins, with one scale for both axes', () => {
    const view = fittedView({ minX: 0, minY: 0, maxX: 10, maxY: 2 }, 200, 100, 20);
    expect(view).toEqual({ centerX: 5, centerY: 1, pixelsPerUnit: 16 });
  });

  it('shows one point alone, and finds no box around none', () => {
    expect(fittedView({ minX: 3, minY: 4, maxX: 3, maxY: 4 }, 200, 100, 20).pixelsPerUnit).toBe(1);
    expect(boundsOf(Float32Array.of(Number.NaN, 1))).toBeUndefined();
    expect(boundsOf(Float32Array.of(Number.NaN, 1, 2, 3))).toEqual({ minX: 2, minY: 3, maxX: 2, maxY: 3 });
  });

  it('keeps what lies under the pointer there while zooming, and moves with the drag', () => {
    const view = { centerX: 5, centerY: 1, pixelsPerUnit: 16 };
    const before = place(view, 7, 3);
    const zoomed = zoomedView(view, 2.5, before.x, before.y);
    expect(zoomed.pixelsPerUnit).toBe(40);
    expect(place(zoomed, 7, 3).x).toBeCloseTo(before.x, 9);
    expect(place(zoomed, 7, 3).y).toBeCloseTo(before.y, 9);
    const dragged = place(draggedView(view, 12, -7), 7, 3);
    expect([dragged.x - before.x, dragged.y - before.y]).toEqual([12, -7]);
  });
});

describe('what lies where on a map', () => {
  it('finds the nearest point as looking at each would, and none beyond the reach', () => {
    fc.assert(
      fc.property(
        cloud,
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: -60, max: 60 }),
        (points, x, y) => {
          const grid = pointGrid(Float32Array.from(points.flat()));
          const reach = 13;
          const distances = points.map(([px, py]) => Math.hypot(px - x, py - y));
          const least = Math.min(...distances);
          const found = grid.nearest(x, y, reach);
          if (least > reach) expect(found).toBeUndefined();
          else expect(distances[found ?? -1]).toBeCloseTo(least, 9);
        },
      ),
    );
  });

  it('passes over points without a place', () => {
    const grid = pointGrid(Float32Array.of(Number.NaN, Number.NaN, 4, 4));
    expect(grid.nearest(4, 4, 1)).toBe(1);
    expect(pointGrid(new Float32Array()).nearest(0, 0, 5)).toBeUndefined();
  });

  it('takes the points inside a lasso, also where it is drawn round a bay', () => {
    // An L: the corner at (3, 3) is outside.
    const line = [0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4];
    const xy = Float32Array.of(1, 1, 3, 3, 3, 1, 1, 3, 9, 9, Number.NaN, 1);
    expect(pointsInside(xy, line)).toEqual([0, 2, 3]);
    expect(pointsInside(xy, [0, 0, 4, 4])).toEqual([]);
  });

  it('walks to the point that lies in the direction of the arrow', () => {
    const xy = Float32Array.of(0, 0, 2, 0.2, 5, 0, 0, 3, -1, 0, 0.5, -9);
    expect(nextPoint(xy, 0, 'right')).toBe(1);
    expect(nextPoint(xy, 1, 'right')).toBe(2);
    expect(nextPoint(xy, 0, 'up')).toBe(3);
    expect(nextPoint(xy, 0, 'left')).toBe(4);
    expect(nextPoint(xy, 0, 'down')).toBe(5);
    expect(nextPoint(xy, 2, 'right')).toBeUndefined();
  });
});
