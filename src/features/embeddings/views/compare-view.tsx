import { countBy } from 'es-toolkit';
import { useMemo } from 'react';

import type { ModelComparison } from '../../../embedding/engine/engine.ts';
import { alignMap } from '../../../embedding/maps/align-map.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { getTextRow, labSeed, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { LabModelPicker } from '../lab-bar.tsx';
import { buildGroupLabels, getRowGroups } from '../map/map-labels.ts';
import { TextLink } from '../text-link.tsx';
import { ComparedMap, ComparedNearest } from './compared-models.tsx';
import { formatPercent, formatWholePercent } from './lab-number-format.ts';
import { LabTable } from './lab-table.tsx';
import { Stat, Stats } from './stats.tsx';
import { useVectorQuery, createSetView } from './use-vector-query.ts';
import { ViewEmptyState, ViewFrame, ViewScroll } from './view-frame.tsx';

/** Comparison of the neighbours that two models find for the same texts. Compares ranks, never cosines. */
export function CompareView() {
  const { a, b, pairing, hasEnoughTexts, comparison, problem, maps } = useComparison();
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const overlap = comparison?.overlapByText;
  const scenes = useMemo(() => {
    if (!maps || !pairing) return undefined;
    const rowGroups = getRowGroups(pairing.texts, texts);
    const buildScene = (xy: Float32Array) =>
      groups.length > 0
        ? {
            xy,
            colors: { by: 'group' as const, values: rowGroups },
            labels: buildGroupLabels(xy, rowGroups, groups),
          }
        : overlap
          ? {
              xy,
              colors: { by: 'heat' as const, values: Uint8Array.from(overlap, (share) => 40 + 215 * share) },
            }
          : { xy };
    return { a: buildScene(maps.a), b: buildScene(maps.b) };
  }, [maps, pairing, texts, groups, overlap]);

  if (!a || !b || !pairing || !hasEnoughTexts)
    return (
      <ViewFrame title="Compare">
        {a && b ? (
          <ViewEmptyState>To compare, embed at least 4 texts with both models.</ViewEmptyState>
        ) : (
          <SecondModel />
        )}
      </ViewFrame>
    );
  return (
    <ViewFrame title="Compare" note="Compares rankings, not scores.">
      <ViewScroll>
        {problem !== undefined && <ViewEmptyState>{problem}</ViewEmptyState>}
        {comparison ? (
          <>
            <Agreement comparison={comparison} pairing={pairing} a={a} b={b} />
            <details className="pb-2.5 text-12 text-ink-2">
              <summary className="cursor-pointer py-1 hover:text-ink">Details for experts</summary>
              <ComparisonStats comparison={comparison} disparity={maps?.disparity} />
            </details>
          </>
        ) : (
          <ViewEmptyState>Comparing…</ViewEmptyState>
        )}
        {scenes && (
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,280px),1fr))] gap-3">
            <ComparedMap letter="A" set={a} texts={pairing.texts} scene={scenes.a} />
            <ComparedMap letter="B" set={b} texts={pairing.texts} scene={scenes.b} />
          </div>
        )}
        <p className="text-12 text-ink-3">
          Each map shows the first two principal components. B is rotated, mirrored and scaled to match A.
          {groups.length === 0 && ' For darker points, the models agree on more nearest texts.'}
        </p>
        <ComparedNearest a={a} b={b} />
        {comparison && <Movers comparison={comparison} texts={pairing.texts} />}
      </ViewScroll>
    </ViewFrame>
  );
}

/** Model selector for the second model, with the next step. */
function SecondModel() {
  const hasSecondModel = useLabState((state) => state.input.models.B.model !== '');
  return (
    <ViewEmptyState>
      <p>
        Choose a second model and embed the texts with it. This view then shows two maps, and neighbours that
        only one model finds.
      </p>
      <div className="mt-3">
        <LabModelPicker
          label="Model to compare with"
          slot="B"
          className="rounded-2 border border-edge bg-raised"
        />
      </div>
      {hasSecondModel && <p className="mt-3">Press Embed. Stored texts are not sent again.</p>}
    </ViewEmptyState>
  );
}

interface AgreementProps {
  comparison: ModelComparison;
  pairing: Pairing;
  a: LoadedSet;
  b: LoadedSet;
}

/** Result of the comparison in sentences: how often the models agree, where they do not, and which finds groups. */
function Agreement({ comparison: { k, overlap, movers }, pairing, a, b }: AgreementProps) {
  const texts = useLabState((state) => state.texts);
  const ownGroupA = useOwnGroupCount(a, pairing.texts);
  const ownGroupB = useOwnGroupCount(b, pairing.texts);
  const [largest] = movers;
  const getText = (index: number) => texts[pairing.texts[index] ?? -1]?.text ?? '';
  return (
    <section aria-label="Agreement" className="grid gap-0.5 py-1.5 wrap-anywhere">
      <p className="text-15 font-550">
        They agree on {formatWholePercent(overlap.mean)} of the {pluralize(k, 'nearest text')} of each text.
      </p>
      {largest && (
        <p className="text-13 text-ink-2">
          Largest disagreement: “<span dir="auto">{getText(largest.other)}</span>” is number{' '}
          {formatCount(largest.rankA)} in A and {formatCount(largest.rankB)} in B among the texts nearest to “
          <span dir="auto">{getText(largest.text)}</span>”.
        </p>
      )}
      {ownGroupA && ownGroupB && ownGroupA.total > 0 && (
        <p className="text-13 text-ink-2">
          The nearest text is from the same group for {formatCount(ownGroupA.count)} of{' '}
          {pluralize(ownGroupA.total, 'text')} in A and for {formatCount(ownGroupB.count)} in B.
        </p>
      )}
    </section>
  );
}

/** Returns how many of these texts have their nearest text in their own group, of those in a group with other texts. */
function useOwnGroupCount(
  set: LoadedSet,
  pairedTexts: readonly number[],
): { count: number; total: number } | undefined {
  const texts = useLabState((state) => state.texts);
  const shownDimensions = useLabState((state) => state.shownDimensions);
  const neighbours = useVectorQuery(
    createSetView(set, shownDimensions),
    ['nearest of all'],
    (engine, view, signal) => engine.findNeighbours(view, 1, { signal }),
    { isEnabled: texts.some(({ group }) => group !== undefined), keepsPreviousData: true },
  ).data;
  return useMemo(() => {
    if (!neighbours) return undefined;
    const getGroup = (text: number | undefined) => texts[text ?? -1]?.group;
    const groupSizes = countBy(pairedTexts, (text) => getGroup(text) ?? -1);
    const groupedTexts = pairedTexts.filter((text) => {
      const group = getGroup(text);
      return group !== undefined && (groupSizes[group] ?? 0) > 1;
    });
    const count = groupedTexts.filter((text) => {
      const nearestRow = neighbours.rows[(getTextRow(set, text) ?? 0) * neighbours.k] ?? -1;
      return getGroup(set.rows[nearestRow]) === getGroup(text);
    }).length;
    return { count, total: groupedTexts.length };
  }, [neighbours, texts, pairedTexts, set]);
}

function ComparisonStats({
  comparison,
  disparity,
}: {
  comparison: ModelComparison;
  disparity: number | undefined;
}) {
  const { k, overlap, rankCorrelation, cka, ckaTextCount, textCount } = comparison;
  return (
    <Stats>
      <Stat
        name={`Top ${k} overlap`}
        detail={`${formatPercent(overlap.low)} to ${formatPercent(overlap.high)}`}
        explanation={`Share of each text’s ${pluralize(k, 'nearest text')} that both models find, with a 95% interval`}
      >
        {formatPercent(overlap.mean)}
      </Stat>
      <Stat
        name="Rank correlation, near pairs"
        detail="Spearman"
        explanation="How similarly the models rank pairs that are close in either: 1 is identical, 0 unrelated"
      >
        {rankCorrelation.near.toFixed(3)}
      </Stat>
      <Stat
        name="Rank correlation, random pairs"
        detail="Spearman"
        explanation="How similarly the models rank random pairs: 1 is identical, 0 unrelated"
      >
        {rankCorrelation.random.toFixed(3)}
      </Stat>
      <Stat
        name="Alignment of vector spaces"
        detail={`linear CKA${ckaTextCount < textCount ? `, ${formatCount(ckaTextCount)} texts` : ''}`}
        explanation="How similar the shapes of the vector spaces are: 1 is identical, 0 unrelated"
      >
        {cka.toFixed(3)}
      </Stat>
      {disparity !== undefined && (
        <Stat
          name="Map difference"
          detail="Procrustes, 0 is identical"
          explanation="Remaining difference after one map is rotated, mirrored and scaled onto the other"
        >
          {disparity.toFixed(3)}
        </Stat>
      )}
    </Stats>
  );
}

const maxMovers = 20;

function Movers({ comparison, texts }: { comparison: ModelComparison; texts: readonly number[] }) {
  const { selectMany } = useLab();
  const labTexts = useLabState((state) => state.texts);
  const getText = (index: number) => labTexts[texts[index] ?? -1]?.text;
  if (comparison.movers.length === 0) return null;
  return (
    <section aria-label="Largest disagreements">
      <h3 className="py-1.5 text-12 font-semibold">Largest disagreements</h3>
      <LabTable label="Table of largest disagreements">
        <thead>
          <tr>
            <th scope="col" className="text-start!">
              Text
            </th>
            <th scope="col" className="text-start!">
              Neighbour
            </th>
            <th scope="col">
              Rank in <LaneTile letter="A" />
              <span className="sr-only">A</span>
            </th>
            <th scope="col">
              Rank in <LaneTile letter="B" />
              <span className="sr-only">B</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {comparison.movers.slice(0, maxMovers).map(({ text, other, rankA, rankB }) => (
            <tr key={`${text} ${other}`}>
              <th scope="row" dir="auto" className="max-w-[300px] text-start!">
                <span className="flex pr-3">
                  <TextLink onPick={() => selectMany([texts[text] ?? 0, texts[other] ?? 0])}>
                    {getText(text)}
                  </TextLink>
                </span>
              </th>
              <td className="max-w-[300px] truncate text-start!" dir="auto">
                {getText(other)}
              </td>
              <td>{formatCount(rankA)}</td>
              <td>{formatCount(rankB)}</td>
            </tr>
          ))}
        </tbody>
      </LabTable>
      {comparison.movers.length > maxMovers && (
        <p className="text-12 text-ink-3">Showing {pluralize(maxMovers, 'pair')}, largest first.</p>
      )}
    </section>
  );
}

/** Texts embedded by both models, and their rows in each set. */
interface Pairing {
  texts: readonly number[];
  a: Int32Array;
  b: Int32Array;
}

function createPairing(a: LoadedSet, b: LoadedSet): Pairing {
  const texts = a.rows.filter((text) => getTextRow(b, text) !== undefined);
  return {
    texts,
    a: Int32Array.from(texts, (text) => getTextRow(a, text) ?? 0),
    b: Int32Array.from(texts, (text) => getTextRow(b, text) ?? 0),
  };
}

function gatherPoints(points: Float32Array, rows: Int32Array): Float32Array {
  const xy = new Float32Array(rows.length * 2);
  for (const [index, row] of rows.entries()) {
    xy[index * 2] = points[row * 2] ?? Number.NaN;
    xy[index * 2 + 1] = points[row * 2 + 1] ?? Number.NaN;
  }
  return xy;
}

const maxNeighbours = 10;

/**
 * Returns how closely two models agree on the same texts; undefined until both are loaded. Cosines of different models
 * are never compared.
 */
function useComparison() {
  const a = useLabState((state) => state.sets.A);
  const b = useLabState((state) => state.sets.B);
  const shownDimensions = useLabState((state) => state.shownDimensions);
  const pairing = useMemo(() => a && b && createPairing(a, b), [a, b]);
  const viewA = a && createSetView(a, shownDimensions);
  const viewB = b && createSetView(b, shownDimensions);
  const hasEnoughTexts = pairing !== undefined && pairing.texts.length > 3;
  const keyB = [b?.version ?? 0, viewB?.dimensions ?? 0];
  const neighbourCount = Math.min(maxNeighbours, Math.floor((pairing?.texts.length ?? 0) / 4) || 1);

  const comparison = useVectorQuery(
    viewA,
    ['compare', ...keyB, neighbourCount],
    async (engine, view, signal) => {
      if (!pairing || !viewB) throw new Error('This needs two models.');
      const settings = {
        k: neighbourCount,
        seed: labSeed,
        pairing: { a: pairing.a.slice(), b: pairing.b.slice() },
      };
      return await engine.compare(view, viewB.view, settings, { signal });
    },
    { isEnabled: hasEnoughTexts, keepsPreviousData: true },
  );
  const mapA = useVectorQuery(viewA, ['pca'], (engine, view, signal) => engine.computePca(view, { signal }), {
    isEnabled: hasEnoughTexts,
    keepsPreviousData: true,
  }).data;
  const mapB = useVectorQuery(viewB, ['pca'], (engine, view, signal) => engine.computePca(view, { signal }), {
    isEnabled: hasEnoughTexts,
    keepsPreviousData: true,
  }).data;
  const maps = useMemo(() => {
    if (!pairing || !mapA || !mapB) return undefined;
    const pointsA = gatherPoints(mapA.points, pairing.a);
    const aligned = alignMap(pointsA, gatherPoints(mapB.points, pairing.b));
    return { a: pointsA, b: aligned.points, disparity: aligned.disparity };
  }, [pairing, mapA, mapB]);

  return {
    a,
    b,
    pairing,
    hasEnoughTexts,
    k: neighbourCount,
    comparison: comparison.data,
    problem: comparison.error?.message,
    maps,
  };
}
