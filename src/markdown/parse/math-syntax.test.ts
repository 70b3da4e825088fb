import fc from 'fast-check';
import { expect, it } from 'vitest';

import { parseInlineMath } from './math-syntax.ts';

it('parses formulas with all delimiters', () => {
  const rows = [
    ['$x^2$', 'x^2', false],
    ['$$x + y$$', 'x + y', true],
    ['\\(a_1\\)', 'a_1', false],
    ['\\[ \\frac{1}{2} \\]', '\\frac{1}{2}', true],
    ['$a \\$ b$', 'a \\$ b', false],
  ] as const;
  expect(rows.map(([text]) => parseInlineMath(text, 0))).toEqual(
    rows.map(([text, tex, display]) => ({ length: text.length, tex, display })),
  );
});

it('does not parse prices, code and unclosed text as formulas', () => {
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
  expect(texts.filter((text) => parseInlineMath(text, 0) !== undefined)).toEqual([]);
});

/** Returns all formulas in a text as the parser would find them. */
function findFormulas(text: string): string[] {
  const formulas: string[] = [];
  for (let offset = 0; offset < text.length; offset += 1) {
    const math = parseInlineMath(text, offset);
    if (!math) continue;
    formulas.push(math.tex);
    offset += math.length - 1;
  }
  return formulas;
}

const amount = fc.constantFrom('5', '10', '0.99', '1,200', '.50', '20k', '3.5');
const signAfterAmount = fc
  .tuple(amount, fc.constantFrom('$', ' US$', ' CA$'))
  .map(([digits, sign]) => digits + sign);
const signBeforeAmount = fc
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

it('reads amounts of money as text, with the dollar sign before or after them', () => {
  const createSentence = (price: fc.Arbitrary<string>) =>
    fc
      .tuple(price, fc.array(fc.tuple(prose, price), { minLength: 1, maxLength: 3 }))
      .map(([first, others]) => first + others.flat().join(''));
  fc.assert(
    fc.property(
      fc.oneof(createSentence(signAfterAmount), createSentence(signBeforeAmount)),
      fc.constantFrom('', '.', ' each', ')'),
      (text, end) => {
        expect(findFormulas(text + end)).toEqual([]);
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
  expect(mixed.flatMap(findFormulas)).toEqual([]);
});

it('parses a formula between amounts of money', () => {
  fc.assert(
    fc.property(signBeforeAmount, formula, signAfterAmount, (firstPrice, tex, secondPrice) => {
      expect(findFormulas(`${firstPrice} for $${tex}$, then ${secondPrice}`)).toEqual([tex]);
    }),
  );
  expect(findFormulas('at 10$^\\circ$, 3$\\times$ and 2$x^2$')).toEqual(['^\\circ', '\\times', 'x^2']);
});
