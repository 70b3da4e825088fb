import { describe, expect, it } from 'vitest';

import { matchingOptions, optionsForQuery } from './combobox-options.ts';

const named = (id: string) => ({ id, label: id });
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
