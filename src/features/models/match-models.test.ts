import { describe, expect, it } from 'vitest';

import { matchingModels, matchOf } from './match-models.ts';

const ids = (query: string, ...all: string[]) =>
  matchingModels(
    all.map((id) => ({ id })),
    query,
  ).map(({ id }) => id);
const marked = (id: string, query: string) =>
  matchOf(id, query)?.hits.map(([from, to]) => id.slice(from, to));

describe('finding a model', () => {
  it('puts names that begin with the text before parts, and parts before other places', () => {
    expect(ids('kil', 'a/painkiller', 'a/big-kiln', 'a/kiln')).toEqual([
      'a/kiln',
      'a/big-kiln',
      'a/painkiller',
    ]);
  });

  it('puts the exact id first, however the list is ordered', () => {
    expect(ids('a/one', 'a/one-mini', 'a/one')).toEqual(['a/one', 'a/one-mini']);
  });

  it('keeps the order of equally good matches', () => {
    expect(ids('kiln', 'b/kiln', 'a/kiln')).toEqual(['b/kiln', 'a/kiln']);
  });

  it('finds letters that are spread over the parts, after all that hold the text as it is', () => {
    expect(ids('kvl', 'tallow/kiln-vl-12b', 'tallow/kvl-1', 'orrery/vane')).toEqual([
      'tallow/kvl-1',
      'tallow/kiln-vl-12b',
    ]);
  });

  it('wants every word, in any order, without regard to case', () => {
    expect(ids('12B kiln', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b')).toEqual(['tallow/kiln-vl-12b']);
  });

  it('finds nothing for letters in the wrong order', () => {
    expect(ids('nlik', 'tallow/kiln')).toEqual([]);
  });

  it('marks what was typed', () => {
    expect(marked('tallow/kiln-vl-12b', 'kiln 12')).toEqual(['kiln', '12']);
    expect(marked('tallow/kiln-vl-12b', 'kvl')).toEqual(['k', 'vl']);
  });
});
