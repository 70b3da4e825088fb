import { describe, expect, it } from 'vitest';

import { matchingOptions, optionsForQuery, rowsInView, computeRowLayout } from './option-rows.ts';

const named = (id: string, group?: string) =>
  group === undefined ? { id, label: id } : { id, label: id, group };
const options = ['demo/guide', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b', 'saltmarsh/kilter-9b'].map((id) =>
  named(id),
);
const idsFor = (query: string) => {
  const { found, typed } = optionsForQuery(options, query, matchingOptions, (text) => named(text));
  return [...found.map(({ id }) => id), ...(typed ? [`as typed: ${typed.id}`] : [])];
};

describe('options of a combobox', () => {
  it('offers all combobox options in the given order while nothing is typed', () => {
    expect(idsFor('  ')).toEqual(options.map((option) => option.id));
  });

  it('offers the typed text as the last option, so it comes first only if nothing matches', () => {
    expect(idsFor('my/own')).toEqual(['as typed: my/own']);
    expect(idsFor('kiln')).toEqual(['tallow/kiln-vl-12b', 'tallow/kiln-vl-32b', 'as typed: kiln']);
  });

  it('puts an exactly typed ID first and lists it once', () => {
    expect(idsFor(' demo/guide ')).toEqual(['demo/guide']);
  });

  it('keeps all fields of a listed option if its ID is typed exactly', () => {
    const rich = [{ id: 'a/b', label: 'a/b', vision: true }];
    const { found } = optionsForQuery(rich, 'a/b', matchingOptions, (text) => ({
      id: text,
      label: text,
      vision: false,
    }));
    expect(found[0]?.vision).toBe(true);
  });

  it('requires every word in any order and case, and lists options that begin with the query first', () => {
    expect(matchingOptions(options, 'VL tallow').map((option) => option.id)).toEqual([
      'tallow/kiln-vl-12b',
      'tallow/kiln-vl-32b',
    ]);
    const mixed = [named('x/un-kil'), named('x/kil-2')];
    expect(matchingOptions(mixed, 'kil').map((option) => option.id)).toEqual(['x/kil-2', 'x/un-kil']);
  });

  it('offers only listed options if free text is not allowed', () => {
    expect(optionsForQuery(options, 'nothing', matchingOptions)).toEqual({ found: [] });
  });
});

describe('rows of a long list', () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    named(`m-${index}`, `group ${Math.floor(index / 1000)}`),
  );

  it('stacks options and headings without gaps', () => {
    const rows = computeRowLayout(many, 36, true);
    expect(rows).toHaveLength(5005);
    rows.reduce((top, row) => {
      expect(row.top).toBe(top);
      return top + row.height;
    }, 0);
  });

  it('separates the typed text from the options with a rule, unless it is the only row', () => {
    const last = computeRowLayout(many, 36, false, named('x')).at(-1);
    expect(last).toMatchObject({ index: 5000, option: { id: 'x' } });
    expect(last?.top).toBeGreaterThan(5000 * 36);
    expect(computeRowLayout([], 36, false, named('x'))).toMatchObject([{ top: 0, index: 0 }]);
  });

  it('mounts only the rows near the visible part and the active option', () => {
    const rows = computeRowLayout(many, 36, false);
    const mounted = rowsInView(rows, { top: 36_000, height: 400 }, 4999);
    const indexes = mounted.flatMap((row) => ('index' in row ? [row.index] : []));
    expect(indexes).toContain(1000);
    expect(indexes).toContain(1011);
    expect(indexes.at(-1)).toBe(4999);
    expect(mounted.length).toBeLessThan(50);
  });
});
