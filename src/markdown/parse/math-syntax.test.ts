import fc from 'fast-check';
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

/** All formulas in a text, as the parser looks for them: from each dollar on that no formula has taken. */
function formulasIn(text: string): string[] {
  const formulas: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const math = inlineMathAt(text, at);
    if (!math) continue;
    formulas.push(math.tex);
    at += math.length - 1;
  }
  return formulas;
}

const amount = fc.constantFrom('5', '10', '0.99', '1,200', '.50', '20k', '3.5');
const after = fc.tuple(amount, fc.constantFrom('$', ' US$', ' CA$')).map(([digits, sign]) => digits + sign);
const before = fc
  .tuple(fc.constantFrom('$', '$ ', 'US$', 'A$'), amount)
  .map(([sign, digits]) => sign + digits);
const prose = fc.constantFrom(
  ', ',
  ' to ',
  ' or ',
  ' and then ',
  '/month, or ',
  ' (not ',
  '; ',
  '. Then ',
  ' – ',
  '/',
  '-',
  '=',
);
const formula = fc.constantFrom(
  'x',
  'x^2',
  '\\alpha',
  '2x',
  '2 + 2 = 4',
  '100',
  '3 \\times 4',
  'a_1, b_2',
  'n \\text{ even}',
  '1, 2',
);

it('takes amounts of money as text, with the dollar before or behind them', () => {
  const sentence = (one: fc.Arbitrary<string>) =>
    fc
      .tuple(one, fc.array(fc.tuple(prose, one), { minLength: 1, maxLength: 3 }))
      .map(([first, more]) => first + more.flat().join(''));
  fc.assert(
    fc.property(
      fc.oneof(sentence(after), sentence(before)),
      fc.constantFrom('', '.', ' each', ')'),
      (text, end) => {
        expect(formulasIn(text + end)).toEqual([]);
      },
    ),
  );
  const mixed = [
    '$5 or 10$',
    '$5 to $10',
    '$5 which is 7 US$',
    '(5$) and (10$)',
    '1$=0.9€, 2$=1.8€',
    '5 $, 10 $',
  ];
  expect(mixed.flatMap(formulasIn)).toEqual([]);
});

it('reads a formula between amounts of money', () => {
  fc.assert(
    fc.property(before, formula, after, (one, tex, other) => {
      expect(formulasIn(`${one} for $${tex}$, then ${other}`)).toEqual([tex]);
    }),
  );
  expect(formulasIn('at 10$^\\circ$, 3$\\times$ and 2$x^2$')).toEqual(['^\\circ', '\\times', 'x^2']);
});
