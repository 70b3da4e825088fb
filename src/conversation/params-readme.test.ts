import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { PARAMS } from './setup/params.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Cells of the parameter table, by row. */
const rows = readme
  .split('\n')
  .filter((line) => /\| (portable|documented|passed through) \|$/.test(line))
  .map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim()));

it('lists every parameter in the README in sidebar order, with its portability', () => {
  expect(rows.map((cells) => [cells[1], cells[4]])).toEqual(PARAMS.map((row) => [row.name, row.tier]));
});

it('states the same number ranges in the README as in the sidebar', () => {
  const numberFormat = new Intl.NumberFormat('en-US');
  for (const [index, row] of PARAMS.entries()) {
    if (row.control.type !== 'number' || row.control.max === undefined) continue;
    expect(rows[index]?.[2], row.name).toContain(numberFormat.format(row.control.max));
  }
});
