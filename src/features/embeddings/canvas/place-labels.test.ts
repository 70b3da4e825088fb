import { describe, expect, it } from 'vitest';

import { labelHeightPx, mostMovedPx, placeLabels } from './place-labels.ts';

const room = { widthPx: 400, heightPx: 300 };
const label = (x: number, y: number, widthPx = 60) => ({ widthPx, at: { x, y } });

describe('the names of groups on a map', () => {
  it('are in the middle of their points where nothing is in the way', () => {
    expect(placeLabels([label(200, 150)], [], room)).toEqual([{ x: 200, y: 150 }]);
  });

  it('step aside from points and from each other, and no further than they may', () => {
    const points = Array.from({ length: 60 }, (_, at) => ({ x: 180 + (at % 10) * 4, y: 140 + (at % 6) * 4 }));
    const labels = [label(200, 150), label(204, 152), label(196, 148), label(200, 150)];
    const places = placeLabels(labels, points, room);
    for (const [index, { x, y }] of places.entries()) {
      const { at } = labels[index] ?? label(0, 0);
      expect(Math.hypot(x - at.x, y - at.y)).toBeLessThanOrEqual(mostMovedPx + 1e-9);
      for (const other of places.slice(index + 1)) {
        const areApart = Math.abs(x - other.x) >= 60 || Math.abs(y - other.y) >= labelHeightPx;
        expect(areApart, `${index}`).toBe(true);
      }
      const covered = points.filter((point) => Math.abs(point.x - x) <= 30 && Math.abs(point.y - y) <= 9);
      expect(covered).toEqual([]);
    }
  });

  it('are all there and within the picture, however many and however crowded', () => {
    const labels = Array.from({ length: 40 }, () => label(395, 2, 120));
    const places = placeLabels(labels, [{ x: Number.NaN, y: 2 }], room);
    expect(places).toHaveLength(40);
    for (const { x, y } of places) {
      expect(x + 60).toBeLessThanOrEqual(400);
      expect(y).toBeGreaterThanOrEqual(labelHeightPx / 2);
    }
  });
});
