import type { SearchResult } from '../../../embedding/engine/engine.ts';
import { groupNearEqual } from '../../../embedding/items/near-equal.ts';
import { computePercentileRank } from '../../../embedding/search/statistics.ts';
import { getTextRow, type LabText } from '../../../state/lab/lab-state.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { useSetView, useVectorQuery, type SetViewModel } from '../views/use-vector-query.ts';

/** Query or text whose neighbours are ranked. */
export type NearestSource = { kind: 'query'; query: string } | { kind: 'text'; text: number };

export interface NearestText {
  /** Index of the text in the lab. */
  text: number;
  row: number;
  /** Rank from 1, the nearest. */
  rank: number;
  score: number;
  /** Share of all pairs of texts that are less similar, 0 to 1. */
  percentile: number | undefined;
  /** Difference to the next score in the list. */
  margin: number | undefined;
  /** Indices of nearly equal texts with lower ranks, which the list shows below this text. */
  nearEqualTexts: readonly number[];
}

export interface Nearest {
  setView: SetViewModel;
  source: NearestSource;
  /** Nearest texts, best first. */
  results: readonly NearestText[];
  /**
   * Score of every row, for charts and maps. It arrives after the ranking; until then it belongs to the previous
   * source.
   */
  allScores: Float32Array | undefined;
  /** Returns the score of a row once it is available. */
  getScore: (row: number) => number | undefined;
}

/** Returns a sorted sample of pair scores, which shows how high a score is for this set. */
export function useDistribution(setView: SetViewModel | undefined) {
  return useVectorQuery(setView, ['distribution'], (engine, view) => engine.samplePairScores(view), {
    keepsPreviousData: true,
  });
}

/** Maximum number of ranked texts, since many nearly equal texts may precede the next distinct one. */
const maxRanked = 2000;

/**
 * Returns the texts nearest to the query or, without one, to the current text. Requests more texts than are listed,
 * because nearly equal texts share a row and the last row needs a margin too.
 */
export function useNearest(): { nearest?: Nearest | undefined; problem?: string | undefined } {
  const setView = useSetView();
  const currentText = useLabState((state) => state.selection.current);
  const activeQuery = useLabState((state) => state.find.activeQuery);
  const count = useLabState((state) => state.find.neighbourCount);
  const texts = useLabState((state) => state.texts);
  const isQueryCurrent =
    activeQuery !== undefined &&
    activeQuery.slot === setView?.set.slot &&
    activeQuery.version === setView.set.version;
  const row = setView && currentText !== undefined ? getTextRow(setView.set, currentText) : undefined;
  const source: NearestSource | undefined = isQueryCurrent
    ? { kind: 'query', query: activeQuery.query }
    : currentText === undefined || row === undefined
      ? undefined
      : { kind: 'text', text: currentText };
  const sourceKey = isQueryCurrent ? `query ${activeQuery.input}` : `row ${row ?? -1}`;
  const query = isQueryCurrent ? { vector: activeQuery.vector } : { row: row ?? 0 };
  const options = { isEnabled: source !== undefined, keepsPreviousData: true };
  const { data, error } = useVectorQuery(
    setView,
    ['nearest', sourceKey],
    async (engine, view) => ({
      key: sourceKey,
      source,
      result: await engine.search(view, query, maxRanked),
    }),
    options,
  );
  const scoresResult = useVectorQuery(
    setView,
    ['scores', sourceKey],
    async (engine, view) => ({ key: sourceKey, allScores: await engine.computeScores(view, query) }),
    options,
  ).data;
  const distribution = useDistribution(setView).data;
  if (error) return { problem: error.message };
  if (!setView || !source || !data?.source) return {};
  return {
    nearest: {
      setView,
      source: data.source,
      results: buildRanking(data.result, { setView, texts, distribution, count }),
      allScores: scoresResult?.allScores,
      getScore: (scoreRow) => (scoresResult?.key === data.key ? scoresResult.allScores[scoreRow] : undefined),
    },
  };
}

interface RankingOptions {
  setView: SetViewModel;
  texts: readonly LabText[];
  distribution: Float32Array | undefined;
  count: number;
}

function buildRanking(
  { rows, scores }: SearchResult,
  { setView, texts, distribution, count }: RankingOptions,
) {
  const getTextIndex = (resultIndex: number) => setView.set.rows[rows[resultIndex] ?? -1] ?? -1;
  const rankedTexts = Array.from(rows, (_, resultIndex) => texts[getTextIndex(resultIndex)]?.text ?? '');
  const groups = groupNearEqual(rankedTexts);
  return groups.slice(0, count).map(({ firstIndex, otherIndexes }, index): NearestText => {
    const score = scores[firstIndex] ?? 0;
    const next = scores[groups[index + 1]?.firstIndex ?? -1];
    return {
      text: getTextIndex(firstIndex),
      row: rows[firstIndex] ?? -1,
      rank: firstIndex + 1,
      score,
      percentile:
        distribution && distribution.length > 0 ? computePercentileRank(distribution, score) : undefined,
      margin: next === undefined ? undefined : score - next,
      nearEqualTexts: otherIndexes.map(getTextIndex),
    };
  });
}
