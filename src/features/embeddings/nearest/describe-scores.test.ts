import { expect, it } from 'vitest';

import { findLeadingGroup, describeScores } from './nearest-view.tsx';

const texts = [{ text: 'a', group: 0 }, { text: 'b', group: 0 }, { text: 'c', group: 1 }, { text: 'd' }];
const groups = ['Delivery', 'Refunds'];

it('finds the most frequent group among the nearest texts', () => {
  expect(findLeadingGroup([{ text: 0 }, { text: 2 }, { text: 1 }], texts, groups)).toEqual({
    name: 'Delivery',
    count: 2,
    total: 3,
  });
  expect(findLeadingGroup([{ text: 3 }], texts, groups)).toBeUndefined();
});

it('warns against a cut-off if the next text is close, and reports a clear gap', () => {
  const all = { name: 'Delivery', count: 2, total: 2 };
  expect(
    describeScores(
      [
        { score: 0.7, margin: 0.1 },
        { score: 0.56, margin: 0.02 },
      ],
      all,
    ),
  ).toBe(
    'The top 2 are all from Delivery. The gap to the next text (0.54) is small, so do not cut off here.',
  );
  expect(
    describeScores(
      [
        { score: 0.7, margin: 0.1 },
        { score: 0.6, margin: 0.3 },
      ],
      undefined,
    ),
  ).toBe('The next text scores much lower (0.30).');
  expect(
    describeScores(
      [
        { score: 0.7, margin: 0.1 },
        { score: 0.6, margin: undefined },
      ],
      undefined,
    ),
  ).toBe('');
});
