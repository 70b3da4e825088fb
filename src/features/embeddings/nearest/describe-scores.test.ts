import { expect, it } from 'vitest';

import { findLeadingGroup, describeScores } from './describe-scores.ts';

const texts = [{ text: 'a', group: 0 }, { text: 'b', group: 0 }, { text: 'c', group: 1 }, { text: 'd' }];
const groups = ['Delivery', 'Refunds'];

it('names the group that most of the nearest are in', () => {
  expect(findLeadingGroup([{ text: 0 }, { text: 2 }, { text: 1 }], texts, groups)).toEqual({
    name: 'Delivery',
    count: 2,
    total: 3,
  });
  expect(findLeadingGroup([{ text: 3 }], texts, groups)).toBeUndefined();
});

it('warns of a cut-off where the next text is as close, and says so where it is not', () => {
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
