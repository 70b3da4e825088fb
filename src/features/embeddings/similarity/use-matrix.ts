import { useMemo } from 'react';

import type { MatrixPicture, OrderBy, RowOrder } from '../../../embedding/engine/engine.ts';
import { seed } from '../../../state/lab/lab-state.ts';
import { bandsOf, rangeOfScores, type Band, type HeatScene } from '../heat/heat-scene.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { clusterCount } from '../map/map-labels.ts';
import { useDistribution } from '../nearest/use-nearest.ts';
import { useVectors, type ShownView } from '../views/use-vectors.ts';

/** The same colour is the same cosine in every matrix. */
const fixedRange = { low: 0, high: 1 };

export type MatrixOrder = OrderBy['by'];

/** A finer overview would be larger than the picture. */
const blocks = 640;

export interface Matrix {
  shown: ShownView;
  /** By position: the place of its text in the lab. */
  texts: readonly number[];
  /** By text: its position, where it has one. */
  positionOf: (text: number) => number | undefined;
  overview: MatrixPicture;
  range: { low: number; high: number };
  bands: readonly Band[];
  scene: HeatScene;
}

interface Ordered {
  by: MatrixOrder;
  order: RowOrder;
  clusters?: Int32Array;
  clusterNames?: string[];
  picture: MatrixPicture;
}

/** The similarities of the vectors on show in an order, with what is needed to draw them. */
export function useMatrix(
  shown: ShownView | undefined,
  by: MatrixOrder,
): { matrix: Matrix | undefined; problem: string | undefined } {
  const { engine } = useLab();
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const rows = shown?.set.rows;
  const scale = useLabState((state) => (shown && state.scales[shown.set.slot]) ?? 'fixed');
  const distribution = useDistribution(shown).data;
  const { data, error } = useVectors(
    shown,
    ['matrix', by],
    async (engine, view, signal): Promise<Ordered> => {
      const count = clusterCount(rows?.length ?? 0);
      const wanted: OrderBy =
        by === 'label'
          ? { by, labels: Int32Array.from(rows ?? [], (text) => texts[text]?.group ?? -1) }
          : by === 'cluster'
            ? { by, count, seed }
            : { by };
      const order = await engine.order(view, wanted, { signal });
      const picture = await engine.overview(view, order.slice(), blocks);
      if (by !== 'cluster') return { by, order, picture };
      const { labels, sizes } = await engine.clusters(view, count, seed, { signal });
      return {
        by,
        order,
        picture,
        clusters: labels,
        clusterNames: sizes.map((_, at) => `Cluster ${at + 1}`),
      };
    },
    { keepsLast: true },
  );

  const matrix = useMemo((): Matrix | undefined => {
    if (!shown || !data || !distribution) return undefined;
    const { order, picture, clusters, clusterNames } = data;
    const { set, view } = shown;
    const textAt = Array.from(order, (row) => set.rows[row] ?? row);
    const positions = new Map(textAt.map((text, position) => [text, position]));
    const range = scale === 'fixed' ? fixedRange : rangeOfScores(distribution);
    const bands =
      clusters && clusterNames
        ? bandsOf(
            order.map((row) => clusters[row] ?? -1),
            clusterNames,
          )
        : data.by === 'label'
          ? bandsOf(
              textAt.map((text) => texts[text]?.group ?? -1),
              groups,
            )
          : [];
    return {
      shown,
      texts: textAt,
      positionOf: (text) => positions.get(text),
      overview: picture,
      range,
      bands,
      scene: {
        side: order.length,
        overview: picture,
        range,
        bands,
        textAt: (position) => texts[textAt[position] ?? -1]?.text ?? '',
        tile: (region) => engine.tile(view, order.slice(), region),
      },
    };
  }, [shown, data, distribution, scale, texts, groups, engine]);
  return { matrix, problem: error?.message };
}
