import { describe, expect, it } from 'vitest';

import { truncateMiddle, isNearEqual, groupNearEqual } from './near-equal.ts';

const createGoalText = (minute: string) => `She scored the winning goal in the ${minute} minute`;

describe('near-equal texts', () => {
  it('treats texts that differ in a few characters at the beginning, middle or end as near-equal', () => {
    expect(isNearEqual(createGoalText('12th'), createGoalText('88th'))).toBe(true);
    expect(isNearEqual('Order 1 is on its way to you now', 'Order 27 is on its way to you now')).toBe(true);
    expect(isNearEqual('Where is my order of Monday 1', 'Where is my order of Monday 2')).toBe(true);
  });

  it('distinguishes texts with opposite meanings and short texts', () => {
    expect(isNearEqual('I would buy it again', 'I would never buy it again')).toBe(false);
    expect(isNearEqual('Refund A', 'Refund B')).toBe(false);
    expect(isNearEqual('', '')).toBe(true);
  });

  it('groups near-equal texts under the best of them in a ranking', () => {
    const ranking = [
      createGoalText('12th'),
      createGoalText('13th'),
      'The match was lost',
      createGoalText('90th'),
      'A draw',
    ];
    expect(groupNearEqual(ranking)).toEqual([
      { firstIndex: 0, otherIndexes: [1, 3] },
      { firstIndex: 2, otherIndexes: [] },
      { firstIndex: 4, otherIndexes: [] },
    ]);
  });

  it('cuts texts in the middle so that the difference stays visible', () => {
    const start =
      'A long beginning that all of these many texts have in common, word for word, until it ends: ';
    const truncated = truncateMiddle(`${start}first`, `${start}second`, 60);
    expect(truncated).toMatch(/^A long beginning that all of … .*until it ends: first$/);
    expect(truncated.length).toBeLessThan(70);
    expect(truncateMiddle('short', 'shore', 60)).toBe('short');
  });
});
