import { expect, it } from 'vitest';

import { isDoneMarker } from './done-marker.ts';

it('recognises [DONE] alone, between spaces, or on the last line of an event', () => {
  const marks = ['[DONE]', ' [DONE] \n', '{"a":1}\n[DONE]', '{"a":1}\n\n  [DONE]', '}\n[DONE]'];
  expect(marks.filter((data) => !isDoneMarker(data))).toEqual([]);
});

it('ignores [DONE] inside a line', () => {
  const others = ['', '{"a":1} [DONE]', 'x[DONE]', '[DONE] x', '{"text":"[DONE]"}', '[done]', 'a\nb [DONE]'];
  expect(others.filter((data) => isDoneMarker(data))).toEqual([]);
});
