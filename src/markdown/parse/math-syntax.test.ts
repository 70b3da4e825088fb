import { expect, it } from 'vitest';

import { inlineMathAt } from './math-syntax.ts';

it('reads formulas in all their delimiters', () => {
  const rows = [
    ['$x^2$', 'x^2', false],
    ['$$x + y$$', 'x + y', true],
    ['\\(a_1\\)', 'a_1', false],
    ['\\[ \\frac{1}{2} \\]', '\\frac{1}{2}', true],
    ['$a \\$ b$', 'a \\$ b', false],
  ] as const;
  expect(rows.map(([text]) => inlineMathAt(text, 0))).toEqual(
    rows.map(([text, tex, display]) => ({ length: text.length, tex, display })),
  );
});

it('does not take prices, code and what never ends as formulas', () => {
  const texts = [
    '$5',
    '$5 and $10',
    '$5-$10',
    '$ x$',
    '$x $',
    '$$',
    '$$$$',
    '$`code`$',
    '$a\n\nb$',
    '\\(\\)',
    '$USD/$EUR1',
  ];
  expect(texts.filter((text) => inlineMathAt(text, 0) !== undefined)).toEqual([]);
});
