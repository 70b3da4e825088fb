import { describe, expect, it } from 'vitest';

import { matchingOptions, optionsForQuery, rowsInView, rowsOf } from './option-rows.ts';

const named = (id: string, group?: string) =>
  group === undefined ? { id, label: id } : { id, label: id, group };
const options = ['demo/guide', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b', 'saltmarsh/kilter-9b'].map((id) =>
  named(id),
);
const idsFor = (query: string) =>
  optionsForQuery(options, query, matchingOptions, (text) => named(text)).map((option) => option.id);

describe('what the list offers', () => {
  it('offers everything in its order while nothing is typed', () => {
    expect(idsFor('  ')).toEqual(options.map((option) => option.id));
  });

  it('offers the exact text first, also when it is not listed', () => {
    expect(idsFor('my/own')).toEqual(['my/own']);
    expect(idsFor('kiln')).toEqual(['kiln', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b']);
  });

  it('puts a listed id first and once when exactly it is typed', () => {
    expect(idsFor(' demo/guide ')).toEqual(['demo/guide']);
  });

  it('keeps the listed option itself, with all it carries', () => {
    const rich = [{ id: 'a/b', label: 'a/b', vision: true }];
    const [first] = optionsForQuery(rich, 'a/b', matchingOptions, (text) => ({
      id: text,
      label: text,
      vision: false,
    }));
    expect(first?.vision).toBe(true);
  });

  it('needs every word, in any order and case, and puts beginnings first', () => {
    expect(matchingOptions(options, 'VL tallow').map((option) => option.id)).toEqual([
      'tallow/kiln-vl-12b',
      'tallow/kiln-vl-32b',
    ]);
    const mixed = [named('x/un-kil'), named('x/kil-2')];
    expect(matchingOptions(mixed, 'kil').map((option) => option.id)).toEqual(['x/kil-2', 'x/un-kil']);
  });

  it('offers only listed options where free text is not allowed', () => {
    expect(optionsForQuery(options, 'nothing', matchingOptions)).toEqual([]);
  });
});

describe('the rows of a long list', () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    named(`m-${index}`, `group ${Math.floor(index / 1000)}`),
  );

  it('stacks options and headings without gaps', () => {
    const rows = rowsOf(many, 36, true);
    expect(rows).toHaveLength(5005);
    rows.reduce((top, row) => {
      expect(row.top).toBe(top);
      return top + row.height;
    }, 0);
  });

  it('mounts what is near the view and always the active option', () => {
    const rows = rowsOf(many, 36, false);
    const mounted = rowsInView(rows, { top: 36_000, height: 400 }, 4999);
    const indexes = mounted.flatMap((row) => ('index' in row ? [row.index] : []));
    expect(indexes).toContain(1000);
    expect(indexes).toContain(1011);
    expect(indexes.at(-1)).toBe(4999);
    expect(mounted.length).toBeLessThan(50);
  });
});
