import type { SearchResult } from '../../../embedding/engine/engine.ts';
import { percentileOf } from '../../../embedding/search/statistics.ts';
import { rowOf } from '../../../state/lab/lab-state.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { useShownView, useVectors, type ShownView } from '../views/use-vectors.ts';

/** What the nearest are nearest to. */
export type NearestSource = { of: 'query'; query: string } | { of: 'text'; text: number };

export interface NearestText {
  /** Place in the lab's texts. */
  text: number;
  row: number;
  /** 1 is the nearest. */
  rank: number;
  score: number;
  /** The share of all pairs of texts that are less alike, 0 to 1. */
  percentile: number | undefined;
  /** How far ahead of the next one it is. */
  margin: number | undefined;
}

export interface Nearest {
  shown: ShownView;
  source: NearestSource;
  /** Best first. */
  ranked: readonly NearestText[];
  /** The score of every row, for pictures: it comes after the ranking, and until then is that of the source before. */
  all: Float32Array | undefined;
  /** The score of a row, as soon as it is there. */
  scoreOf: (row: number) => number | undefined;
}

/** Scores of pairs of texts, sorted: what a score is worth here. */
export function useDistribution(shown: ShownView | undefined) {
  return useVectors(shown, ['distribution'], (engine, view) => engine.distribution(view), {
    keepsLast: true,
  });
}

/**
 * The texts nearest to the query, or to the current text where none is looked for. One more is ranked than is
 * listed, so that the last one has a margin too.
 */
export function useNearest(): { nearest?: Nearest | undefined; problem?: string | undefined } {
  const shown = useShownView();
  const current = useLabState((state) => state.selection.current);
  const found = useLabState((state) => state.find.found);
  const count = useLabState((state) => state.find.shown);
  const isFound =
    found !== undefined && found.slot === shown?.set.slot && found.version === shown.set.version;
  const row = shown && current !== undefined ? rowOf(shown.set, current) : undefined;
  const source: NearestSource | undefined = isFound
    ? { of: 'query', query: found.query }
    : current === undefined || row === undefined
      ? undefined
      : { of: 'text', text: current };
  const name = isFound ? `query ${found.input}` : `row ${row ?? -1}`;
  const query = isFound ? { vector: found.vector } : { row: row ?? 0 };
  const options = { isWanted: source !== undefined, keepsLast: true };
  const { data, error } = useVectors(
    shown,
    ['nearest', name, count + 1],
    async (engine, view) => ({ name, source, result: await engine.search(view, query, count + 1) }),
    options,
  );
  const scored = useVectors(
    shown,
    ['scores', name],
    async (engine, view) => ({ name, all: await engine.scores(view, query) }),
    options,
  ).data;
  const distribution = useDistribution(shown).data;
  if (error) return { problem: error.message };
  if (!shown || !source || !data?.source) return {};
  return {
    nearest: {
      shown,
      source: data.source,
      ranked: rankedOf(data.result, shown, distribution, count),
      all: scored?.all,
      scoreOf: (at) => (scored?.name === data.name ? scored.all[at] : undefined),
    },
  };
}

function rankedOf(
  { rows, scores }: SearchResult,
  { set }: ShownView,
  distribution: Float32Array | undefined,
  count: number,
): NearestText[] {
  return Array.from(rows.subarray(0, count), (row, index) => {
    const score = scores[index] ?? 0;
    const next = scores[index + 1];
    return {
      text: set.rows[row] ?? row,
      row,
      rank: index + 1,
      score,
      percentile: distribution && distribution.length > 0 ? percentileOf(distribution, score) : undefined,
      margin: next === undefined ? undefined : score - next,
    };
  });
}
