import { expect, test } from 'vitest';

import { computeLaneColumns, doLanesOverflow, minFitLanePx, withLaneWidth } from './lane-columns.ts';

const sharedWidths = { fitsLanes: false, laneWidths: {} };
const sixLanes = ['a', 'b', 'c', 'd', 'e', 'f'];

test('lanes share their window, and each keeps its least width', () => {
  expect(computeLaneColumns(['a', 'b'], sharedWidths)).toEqual({
    columns: 'minmax(0, 1fr) minmax(0, 1fr)',
    width: '592px',
  });
  expect(computeLaneColumns(sixLanes, sharedWidths).width).toBe('1776px');
});

test('lanes that are to fit are narrower, whatever width they had', () => {
  const { columns, width } = computeLaneColumns(sixLanes, { fitsLanes: true, laneWidths: { a: 700 } });
  expect(columns).toBe(Array.from({ length: 6 }, () => 'minmax(0, 1fr)').join(' '));
  expect(width).toBe(`${6 * minFitLanePx}px`);
});

test('a lane that was dragged has its width, and the others share the rest', () => {
  expect(computeLaneColumns(['a', 'b', 'c'], { ...sharedWidths, laneWidths: { b: 420 } })).toEqual({
    columns: 'minmax(0, 1fr) 420px minmax(0, 1fr)',
    width: '1012px',
  });
  expect(
    computeLaneColumns(['a', 'b'], { ...sharedWidths, laneWidths: { a: 300, b: 200 } }).columns,
    'nothing is empty',
  ).toBe('300px minmax(200px, 1fr)');
});

test('a lane that is shown alone has the whole window, the others beside it', () => {
  expect(computeLaneColumns(['a', 'b', 'c'], { ...sharedWidths, soloLane: 'b' })).toEqual({
    columns: '296px minmax(0, 1fr) 296px',
    width: 'calc(100% + 592px)',
  });
  expect(computeLaneColumns(['a', 'b'], { ...sharedWidths, soloLane: 'gone' })).toEqual(
    computeLaneColumns(['a', 'b'], sharedWidths),
  );
});

test('a divider never makes a lane narrower than one can read', () => {
  expect(withLaneWidth({ b: 300 }, 'a', 20)).toEqual({ a: minFitLanePx, b: 300 });
});

test('four lanes overflow a window that three fit into', () => {
  expect(doLanesOverflow(['a', 'b', 'c'], {}, 1120)).toBe(false);
  expect(doLanesOverflow(['a', 'b', 'c', 'd'], {}, 1120)).toBe(true);
  expect(doLanesOverflow(['a', 'b'], { a: 900 }, 1120), 'a dragged one').toBe(true);
});
