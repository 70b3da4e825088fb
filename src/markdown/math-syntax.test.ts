import { expect, it } from 'vitest';

import { inlineMathAt } from './math-syntax.ts';

it.each([
  ['$x^2$', 'x^2', false],
  ['$$x + y$$', 'x + y', true],
  ['\\(a_1\\)', 'a_1', false],
  ['\\[ \\frac{1}{2} \\]', '\\frac{1}{2}', true],
  ['$a \\$ b$', 'a \\$ b', false],
])('reads %j as a formula', (text, tex, display) => {
  expect(inlineMathAt(text, 0)).toEqual({ length: text.length, tex, display });
});

it.each([
  ['$5'],
  ['$5 and $10'],
  ['$5-$10'],
  ['$ x$'],
  ['$x $'],
  ['$$'],
  ['$$$$'],
  ['$`code`$'],
  ['$a\n\nb$'],
  ['\\(\\)'],
  ['$USD/$EUR1'],
])('does not read %j as one', (text) => {
  expect(inlineMathAt(text, 0)).toBeUndefined();
});
