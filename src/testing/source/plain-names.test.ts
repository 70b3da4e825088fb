import { describe, expect, it } from 'vitest';

import { nameProblem } from './plain-names.ts';

describe('the name of a test', () => {
  it('may be a sentence with the signs that sentences have', () => {
    const names = [
      'F12: a stream under status 299, with "retry-after", is read (§2.5)',
      'max_tokens is 600 = 3 × 200 – or 50 % more…',
      'Zwölf Boxkämpfer, isn’t it?',
    ];
    expect(names.map(nameProblem)).toEqual(names.map(() => undefined));
  });

  it('may hold no data, nothing that is not seen, and no more than 160 characters', () => {
    const names = [
      '',
      '{"a":1}',
      'a[0]',
      'x^2',
      'a|b',
      '$5',
      'a\nb',
      'a\u0000',
      'a\u202eb',
      ' a',
      'a ',
      'a  b',
      'x'.repeat(161),
    ];
    expect(names.filter((name) => nameProblem(name) === undefined)).toEqual([]);
  });
});
