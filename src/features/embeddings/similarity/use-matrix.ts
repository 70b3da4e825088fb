import { useMemo } from 'react';

import type { MatrixOverview, OrderBy, RowOrder } from '../../../embedding/engine/engine.ts';
import { labSeed } from '../../../state/lab/lab-state.ts';
import { buildBands, getScoreRange, type Band, type HeatScene } from '../heat/heat-scene.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { buildClusterNames, pickClusterCount } from '../map/map-labels.ts';
import { useDistribution } from '../nearest/use-nearest.ts';
import { useVectorQuery, type SetViewModel } from '../views/use-vector-query.ts';

/** Fixed range, so that a colour means the same cosine in every matrix. */
const fixedRange = { low: 0, high: 1 };

export type MatrixOrder = OrderBy['by'];

/** Maximum side of the overview, in blocks; a finer overview would have more blocks than the canvas has pixels. */
const overviewBlocks = 640;

export interface SimilarityMatrix {
  setView: SetViewModel;
  /** Index of the text at each position. */
  texts: readonly number[];
  /** Returns the position of a text, if it has one. */
  getPosition: (text: number) => number | undefined;
  overview: MatrixOverview;
  range: { low: number; high: number };
  bands: readonly Band[];
  scene: HeatScene;
}

interface OrderedMatrix {
  by: MatrixOrder;
  order: RowOrder;
  clusters?: Int32Array;
  clusterNames?: string[];
  overview: MatrixOverview;
}

/** Returns the similarities of the shown vectors in an order, ready to draw. */
export function useMatrix(
  setView: SetViewModel | undefined,
  by: MatrixOrder,
): { matrix: SimilarityMatrix | undefined; problem: string | undefined } {
  const { engine } = useLab();
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const rows = setView?.set.rows;
  const scale = useLabState((state) => (setView && state.scales[setView.set.slot]) ?? 'fixed');
  const distribution = useDistribution(setView).data;
  const { data, error } = useVectorQuery(
    setView,
    ['matrix', by],
    async (engine, view, signal): Promise<OrderedMatrix> => {
      const count = pickClusterCount(rows?.length ?? 0);
      const orderBy: OrderBy =
        by === 'label'
          ? { by, labels: Int32Array.from(rows ?? [], (text) => texts[text]?.group ?? -1) }
          : by === 'cluster'
            ? { by, count, seed: labSeed }
            : { by };
      const order = await engine.orderRows(view, orderBy, { signal });
      const overview = await engine.computeOverview(view, order.slice(), overviewBlocks);
      if (by !== 'cluster') return { by, order, overview };
      const { labels, centralRows } = await engine.computeClusters(view, count, labSeed, { signal });
      return {
        by,
        order,
        overview,
        clusters: labels,
        clusterNames: buildClusterNames(centralRows, rows ?? [], texts),
      };
    },
    { keepsPreviousData: true },
  );

  const matrix = useMemo((): SimilarityMatrix | undefined => {
    if (!setView || !data || !distribution) return undefined;
    const { order, overview, clusters, clusterNames } = data;
    const { set, view } = setView;
    const orderedTexts = Array.from(order, (row) => set.rows[row] ?? row);
    const positions = new Map(orderedTexts.map((text, position) => [text, position]));
    const range = scale === 'fixed' ? fixedRange : getScoreRange(distribution);
    const bands =
      clusters && clusterNames
        ? buildBands(
            order.map((row) => clusters[row] ?? -1),
            clusterNames,
          )
        : data.by === 'label'
          ? buildBands(
              orderedTexts.map((text) => texts[text]?.group ?? -1),
              groups,
            )
          : [];
    return {
      setView,
      texts: orderedTexts,
      getPosition: (text) => positions.get(text),
      overview,
      range,
      bands,
      scene: {
        side: order.length,
        overview,
        range,
        bands,
        getText: (position) => texts[orderedTexts[position] ?? -1]?.text ?? '',
        loadTile: (region) => engine.computeTile(view, order.slice(), region),
      },
    };
  }, [setView, data, distribution, scale, texts, groups, engine]);
  return { matrix, problem: error?.message };
}
