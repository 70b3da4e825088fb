import { expect, test } from 'vitest';

import { computeLaneColumns, doLanesOverflow, minFitLanePx, withLaneWidth } from './lane-columns.ts';

const sharedWidths = { fitsLanes: false, laneWidths: {} };
const sixLanes = ['a', 'b', 'c', 'd', 'e', 'f'];

test('distributes the window width among the lanes with a minimum width for each lane', () => {
  expect(computeLaneColumns(['a', 'b'], sharedWidths)).toEqual({
    columns: 'minmax(0, 1fr) minmax(0, 1fr)',
    width: '592px',
  });
  expect(computeLaneColumns(sixLanes, sharedWidths).width).toBe('1776px');
});

test('narrows fitted lanes and ignores widths set by the user', () => {
  const { columns, width } = computeLaneColumns(sixLanes, { fitsLanes: true, laneWidths: { a: 700 } });
  expect(columns).toBe(Array.from({ length: 6 }, () => 'minmax(0, 1fr)').join(' '));
  expect(width).toBe(`${6 * minFitLanePx}px`);
});

test('keeps the width of a resized lane and distributes the remaining width among the others', () => {
  expect(computeLaneColumns(['a', 'b', 'c'], { ...sharedWidths, laneWidths: { b: 420 } })).toEqual({
    columns: 'minmax(0, 1fr) 420px minmax(0, 1fr)',
    width: '1012px',
  });
  expect(
    computeLaneColumns(['a', 'b'], { ...sharedWidths, laneWidths: { a: 300, b: 200 } }).columns,
    'the lanes fill the full width',
  ).toBe('300px minmax(200px, 1fr)');
});

test('fills the window with a lane shown alone and keeps the other lanes beside it', () => {
  expect(computeLaneColumns(['a', 'b', 'c'], { ...sharedWidths, soloLane: 'b' })).toEqual({
    columns: '296px minmax(0, 1fr) 296px',
    width: 'calc(100% + 592px)',
  });
  expect(computeLaneColumns(['a', 'b'], { ...sharedWidths, soloLane: 'gone' })).toEqual(
    computeLaneColumns(['a', 'b'], sharedWidths),
  );
});

test('limits a resized lane to the minimum readable width', () => {
  expect(withLaneWidth({ b: 300 }, 'a', 20)).toEqual({ a: minFitLanePx, b: 300 });
});

test('reports that four lanes overflow a window in which three lanes fit', () => {
  expect(doLanesOverflow(['a', 'b', 'c'], {}, 1120)).toBe(false);
  expect(doLanesOverflow(['a', 'b', 'c', 'd'], {}, 1120)).toBe(true);
  expect(doLanesOverflow(['a', 'b'], { a: 900 }, 1120), 'a lane widened by dragging').toBe(true);
});
