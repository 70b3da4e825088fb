import { describe, expect, it } from 'vitest';

import { buildQueryInput } from '../../../state/lab/lab-queries.ts';
import { buildGroupLabels, getRowGroups } from '../map/map-labels.ts';
import { findTextMatches } from '../nearest/nearest-view.tsx';
import { formatBinaryBytes, formatFraction } from './lab-number-format.ts';

describe('texts of the lab', () => {
  it('formats a share as a common fraction, or as a percentage if none fits', () => {
    expect([1024 / 4096, 1536 / 4096, 64 / 4096, 768 / 1024].map(formatFraction)).toEqual([
      'a quarter',
      'three eighths',
      'a 64th',
      'three quarters',
    ]);
    expect(formatFraction(0.3)).toBe('30%');
  });

  it('formats vector sizes in binary units', () => {
    expect([256, 4096, 16_384, 1536, 98_304, 41_943_040].map(formatBinaryBytes)).toEqual([
      '256 B',
      '4 KB',
      '16 KB',
      '1.5 KB',
      '96 KB',
      '40 MB',
    ]);
  });

  it('inserts a query into its template literally, even if it contains replacement patterns', () => {
    expect(buildQueryInput('costs $& and {query}', 'Query: {query}.')).toBe('Query: costs $& and {query}.');
    expect(buildQueryInput('boots', 'Find: ')).toBe('Find: boots');
  });

  it('finds text regardless of case, counts all matches and lists the first ones', () => {
    const texts = ['Refund my boots', 'No', 'REFUNDED twice', 'a refund'].map((text) => ({ text }));
    expect(findTextMatches(texts, ' refund ', 2)).toEqual({ firstTexts: [0, 2], count: 3 });
    expect(findTextMatches(texts, '  ', 2)).toEqual({ firstTexts: [], count: 0 });
  });

  it('places group names at the centre of their points and skips texts without a group', () => {
    const groups = getRowGroups(
      [0, 1, 2, 3],
      [{ text: 'a', group: 0 }, { text: 'b', group: 0 }, { text: 'c', group: 0 }, { text: 'd' }],
    );
    expect([...groups]).toEqual([0, 0, 0, 255]);
    const xy = Float32Array.of(0, 0, 1, 5, 2, 1, 9, 9);
    expect(buildGroupLabels(xy, groups, ['Delivery', 'Refunds'])).toEqual([
      { text: 'Delivery', group: 0, x: 1, y: 1 },
    ]);
  });
});
