import { useMemo } from 'react';

import type { Comparison } from '../../../embedding/engine/engine.ts';
import { alignMap } from '../../../embedding/maps/align-map.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { rowOf, seed, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { groupLabels, groupsOfRows } from '../map/map-marks.ts';
import { percent } from './dimension-words.ts';
import { TwinMap, TwinNearest } from './twins.tsx';
import { useVectors, viewOf } from './use-vectors.ts';
import { ViewBlank, ViewFrame } from './view-frame.tsx';

/** Two models on the same texts: who has which neighbours. Ranks are compared, never cosines. */
export function CompareView() {
  const { a, b, pairing, isEnough, comparison, problem, maps } = useComparison();
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const overlap = comparison?.overlapByText;
  const scenes = useMemo(() => {
    if (!maps || !pairing) return undefined;
    const marks = groupsOfRows(pairing.texts, texts);
    const sceneOf = (xy: Float32Array) =>
      groups.length > 0
        ? { xy, colors: { by: 'group' as const, of: marks }, labels: groupLabels(xy, marks, groups) }
        : overlap
          ? { xy, colors: { by: 'heat' as const, of: Uint8Array.from(overlap, (share) => 40 + 215 * share) } }
          : { xy };
    return { a: sceneOf(maps.a), b: sceneOf(maps.b) };
  }, [maps, pairing, texts, groups, overlap]);

  if (!a || !b || !pairing || !isEnough)
    return (
      <ViewFrame title="Compare">
        <ViewBlank>
          {a && b
            ? 'Compare needs at least four texts embedded with both models.'
            : 'Pick a second model and embed the texts with it to see where the two disagree.'}
        </ViewBlank>
      </ViewFrame>
    );
  return (
    <ViewFrame title="Compare" note="Compares rankings, not scores.">
      <div className="lab-scroll">
        {problem !== undefined && <ViewBlank>{problem}</ViewBlank>}
        {comparison ? (
          <Scores comparison={comparison} disparity={maps?.disparity} />
        ) : (
          <ViewBlank>Comparing</ViewBlank>
        )}
        {scenes && (
          <div className="lab-twins">
            <TwinMap letter="A" set={a} texts={pairing.texts} scene={scenes.a} />
            <TwinMap letter="B" set={b} texts={pairing.texts} scene={scenes.b} />
          </div>
        )}
        <p className="mut nearest-note">
          Each map shows its own model’s two main components; B is rotated, mirrored and scaled to match A.
          {groups.length === 0 && ' Darker: more nearest texts in common.'}
        </p>
        <TwinNearest a={a} b={b} />
        {comparison && <Movers comparison={comparison} texts={pairing.texts} />}
      </div>
    </ViewFrame>
  );
}

function Scores({ comparison, disparity }: { comparison: Comparison; disparity: number | undefined }) {
  const { k, overlap, rankCorrelation, cka, ckaTexts, texts } = comparison;
  return (
    <dl className="lab-scores">
      <div>
        <dt>Same top {k}</dt>
        <dd>{percent(overlap.mean)}</dd>
        <dd className="mut">
          {percent(overlap.low)} to {percent(overlap.high)}
        </dd>
      </div>
      <div>
        <dt>Rank agreement, near pairs</dt>
        <dd>{rankCorrelation.near.toFixed(3)}</dd>
        <dd className="mut">Spearman</dd>
      </div>
      <div>
        <dt>Rank agreement, random pairs</dt>
        <dd>{rankCorrelation.random.toFixed(3)}</dd>
        <dd className="mut">Spearman</dd>
      </div>
      <div>
        <dt>Alignment of the vector spaces</dt>
        <dd>{cka.toFixed(3)}</dd>
        <dd className="mut">linear CKA{ckaTexts < texts && `, ${formatCount(ckaTexts)} texts`}</dd>
      </div>
      {disparity !== undefined && (
        <div>
          <dt>Map difference</dt>
          <dd>{disparity.toFixed(3)}</dd>
          <dd className="mut">Procrustes, 0 is identical</dd>
        </div>
      )}
    </dl>
  );
}

const mostMovers = 20;

function Movers({ comparison, texts }: { comparison: Comparison; texts: readonly number[] }) {
  const { selectMany } = useLab();
  const lab = useLabState((state) => state.texts);
  const textAt = (place: number) => lab[texts[place] ?? -1]?.text;
  if (comparison.movers.length === 0) return null;
  return (
    <section aria-label="Biggest movers">
      <h3>Where they disagree most</h3>
      <div className="lab-table-box" role="region" tabIndex={0} aria-label="Biggest movers in numbers">
        <table className="lab-table movers">
          <thead>
            <tr>
              <th scope="col">Text</th>
              <th scope="col">Neighbour</th>
              <th scope="col">
                Rank in <LaneTile letter="A" />
                <span className="vh">A</span>
              </th>
              <th scope="col">
                Rank in <LaneTile letter="B" />
                <span className="vh">B</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {comparison.movers.slice(0, mostMovers).map(({ text, other, rankA, rankB }) => (
              <tr key={`${text} ${other}`}>
                <th scope="row" dir="auto">
                  <button
                    type="button"
                    className="lab-words"
                    onClick={() => selectMany([texts[text] ?? 0, texts[other] ?? 0])}
                  >
                    {textAt(text)}
                  </button>
                </th>
                <td className="text" dir="auto">
                  {textAt(other)}
                </td>
                <td>{formatCount(rankA)}</td>
                <td>{formatCount(rankB)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {comparison.movers.length > mostMovers && (
        <p className="mut nearest-note">{plural(mostMovers, 'pair')} shown, biggest first.</p>
      )}
    </section>
  );
}

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

const mostNeighbours = 10;

/** How far two models agree about the same texts; undefined until both are loaded. Cosines of one are never set against the other's. */
function useComparison() {
  const a = useLabState((state) => state.sets.A);
  const b = useLabState((state) => state.sets.B);
  const cut = useLabState((state) => state.cut);
  const pairing = useMemo(() => a && b && pairingOf(a, b), [a, b]);
  const viewA = a && viewOf(a, cut);
  const viewB = b && viewOf(b, cut);
  const isEnough = pairing !== undefined && pairing.texts.length > 3;
  const both = [b?.version ?? 0, viewB?.dimensions ?? 0];
  const used = Math.min(mostNeighbours, Math.floor((pairing?.texts.length ?? 0) / 4) || 1);

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
