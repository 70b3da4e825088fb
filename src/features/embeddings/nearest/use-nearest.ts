import type { SearchResult } from '../../../embedding/engine/engine.ts';
import { nearEqualGroups } from '../../../embedding/items/near-equal.ts';
import { percentileOf } from '../../../embedding/search/statistics.ts';
import { rowOf, type LabText } from '../../../state/lab/lab-state.ts';
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
  /** How far ahead of the next one in the list it is. */
  margin: number | undefined;
  /** Places of texts that are nearly equal to it and follow: the list shows them under it. */
  alike: readonly number[];
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

/** Many near-equal texts may stand before the next one that says something else. */
const mostRanked = 2000;

/**
 * The texts nearest to the query, or to the current text where none is looked for. More are asked for than are listed:
 * near-equal ones share a place, and the last one has a margin too.
 */
export function useNearest(): { nearest?: Nearest | undefined; problem?: string | undefined } {
  const shown = useShownView();
  const current = useLabState((state) => state.selection.current);
  const found = useLabState((state) => state.find.found);
  const count = useLabState((state) => state.find.shown);
  const texts = useLabState((state) => state.texts);
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
    ['nearest', name],
    async (engine, view) => ({ name, source, result: await engine.search(view, query, mostRanked) }),
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
      ranked: rankedOf(data.result, { shown, texts, distribution, count }),
      all: scored?.all,
      scoreOf: (at) => (scored?.name === data.name ? scored.all[at] : undefined),
    },
  };
}

interface RankedOptions {
  shown: ShownView;
  texts: readonly LabText[];
  distribution: Float32Array | undefined;
  count: number;
}

function rankedOf({ rows, scores }: SearchResult, { shown, texts, distribution, count }: RankedOptions) {
  const textAt = (place: number) => shown.set.rows[rows[place] ?? -1] ?? -1;
  const found = Array.from(rows, (_, place) => texts[textAt(place)]?.text ?? '');
  const groups = nearEqualGroups(found);
  return groups.slice(0, count).map(({ first, others }, index): NearestText => {
    const score = scores[first] ?? 0;
    const next = scores[groups[index + 1]?.first ?? -1];
    return {
      text: textAt(first),
      row: rows[first] ?? -1,
      rank: first + 1,
      score,
      percentile: distribution && distribution.length > 0 ? percentileOf(distribution, score) : undefined,
      margin: next === undefined ? undefined : score - next,
      alike: others.map(textAt),
    };
  });
}
