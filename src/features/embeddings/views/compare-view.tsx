import { useMemo } from 'react';

import type { Comparison } from '../../../embedding/engine/engine.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { groupLabels, groupsOfRows } from '../map/map-marks.ts';
import { TwinMap } from '../map/twin-map.tsx';
import { TwinNearest } from '../nearest/twin-nearest.tsx';
import { percent } from './dimension-words.ts';
import { useComparison } from './use-comparison.ts';
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
  const wordsOf = (place: number) => lab[texts[place] ?? -1]?.text;
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
                    {wordsOf(text)}
                  </button>
                </th>
                <td className="text" dir="auto">
                  {wordsOf(other)}
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
