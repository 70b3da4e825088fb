import { expect, it } from 'vitest';

import { createEasedScale } from './use-trace-canvas.ts';

it('eases the scale of a trace within 200 ms, starting a new change from the current value', () => {
  const scale = createEasedScale(() => false);
  expect(scale(2000, 0)).toBe(2000);
  expect(scale(2000, 500)).toBe(2000);
  expect(scale(4000, 1000)).toBe(2000);
  expect(scale(4000, 1100)).toBe(3000);
  expect(scale(8000, 1150)).toBe(3500);
  expect(scale(8000, 1250)).toBe(5750);
  expect(scale(8000, 1350)).toBe(8000);
  expect(scale(8000, 9000)).toBe(8000);
});

it('changes the scale of a trace immediately if reduced motion is preferred', () => {
  const scale = createEasedScale(() => true);
  scale(2000, 0);
  expect(scale(4000, 10)).toBe(4000);
});
