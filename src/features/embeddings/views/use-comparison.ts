import { useMemo } from 'react';

import { alignMap } from '../../../embedding/maps/align-map.ts';
import { rowOf, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { seed } from '../../../state/lab/lab-state.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { useVectors, viewOf } from './use-vectors.ts';

/** The texts that both models have, and their rows in each. */
interface Pairing {
  texts: readonly number[];
  a: Int32Array;
  b: Int32Array;
}

function pairingOf(a: LoadedSet, b: LoadedSet): Pairing {
  const texts = a.rows.filter((text) => rowOf(b, text) !== undefined);
  return {
    texts,
    a: Int32Array.from(texts, (text) => rowOf(a, text) ?? 0),
    b: Int32Array.from(texts, (text) => rowOf(b, text) ?? 0),
  };
}

function gathered(points: Float32Array, rows: Int32Array): Float32Array {
  const xy = new Float32Array(rows.length * 2);
  for (const [place, row] of rows.entries()) {
    xy[place * 2] = points[row * 2] ?? Number.NaN;
    xy[place * 2 + 1] = points[row * 2 + 1] ?? Number.NaN;
  }
  return xy;
}

const k = 10;

/** How far two models agree about the same texts; undefined until both are loaded. Cosines of one are never set against the other's. */
export function useComparison() {
  const a = useLabState((state) => state.sets.A);
  const b = useLabState((state) => state.sets.B);
  const cut = useLabState((state) => state.cut);
  const pairing = useMemo(() => a && b && pairingOf(a, b), [a, b]);
  const viewA = a && viewOf(a, cut);
  const viewB = b && viewOf(b, cut);
  const isEnough = pairing !== undefined && pairing.texts.length > 3;
  const both = [b?.version ?? 0, viewB?.dimensions ?? 0];
  const used = Math.min(k, Math.floor((pairing?.texts.length ?? 0) / 4) || 1);

  const comparison = useVectors(
    viewA,
    ['compare', ...both, used],
    async (engine, view, signal) => {
      if (!pairing || !viewB) throw new Error('This needs two models');
      const settings = { k: used, seed, pairing: { a: pairing.a.slice(), b: pairing.b.slice() } };
      return await engine.compare(view, viewB.view, settings, { signal });
    },
    { isWanted: isEnough, keepsLast: true },
  );
  const mapA = useVectors(viewA, ['pca'], (engine, view, signal) => engine.pca(view, { signal }), {
    isWanted: isEnough,
    keepsLast: true,
  }).data;
  const mapB = useVectors(viewB, ['pca'], (engine, view, signal) => engine.pca(view, { signal }), {
    isWanted: isEnough,
    keepsLast: true,
  }).data;
  const maps = useMemo(() => {
    if (!pairing || !mapA || !mapB) return undefined;
    const one = gathered(mapA.points, pairing.a);
    const aligned = alignMap(one, gathered(mapB.points, pairing.b));
    return { a: one, b: aligned.points, disparity: aligned.disparity };
  }, [pairing, mapA, mapB]);

  return {
    a,
    b,
    pairing,
    isEnough,
    k: used,
    comparison: comparison.data,
    problem: comparison.error?.message,
    maps,
  };
}
