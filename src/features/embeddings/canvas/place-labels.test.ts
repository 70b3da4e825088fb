import { describe, expect, it } from 'vitest';

import { labelHeightPx, maxLabelShiftPx, placeLabels } from './place-labels.ts';

const frameSize = { widthPx: 400, heightPx: 300 };
const createLabel = (x: number, y: number, widthPx = 60) => ({ widthPx, center: { x, y } });

describe('placement of group names on a map', () => {
  it('places a group name at the centre of its points if nothing is in the way', () => {
    expect(placeLabels([createLabel(200, 150)], [], frameSize)).toEqual([{ x: 200, y: 150 }]);
  });

  it('moves group names away from points and from each other, up to the maximum distance', () => {
    const points = Array.from({ length: 60 }, (_, index) => ({
      x: 180 + (index % 10) * 4,
      y: 140 + (index % 6) * 4,
    }));
    const labels = [
      createLabel(200, 150),
      createLabel(204, 152),
      createLabel(196, 148),
      createLabel(200, 150),
    ];
    const centers = placeLabels(labels, points, frameSize);
    for (const [index, { x, y }] of centers.entries()) {
      const { center } = labels[index] ?? createLabel(0, 0);
      expect(Math.hypot(x - center.x, y - center.y)).toBeLessThanOrEqual(maxLabelShiftPx + 1e-9);
      for (const other of centers.slice(index + 1)) {
        const areApart = Math.abs(x - other.x) >= 60 || Math.abs(y - other.y) >= labelHeightPx;
        expect(areApart, `${index}`).toBe(true);
      }
      const covered = points.filter((point) => Math.abs(point.x - x) <= 30 && Math.abs(point.y - y) <= 9);
      expect(covered).toEqual([]);
    }
  });

  it('places all group names within the canvas, however many there are and however crowded', () => {
    const labels = Array.from({ length: 40 }, () => createLabel(395, 2, 120));
    const centers = placeLabels(labels, [{ x: Number.NaN, y: 2 }], frameSize);
    expect(centers).toHaveLength(40);
    for (const { x, y } of centers) {
      expect(x + 60).toBeLessThanOrEqual(400);
      expect(y).toBeGreaterThanOrEqual(labelHeightPx / 2);
    }
  });
});
