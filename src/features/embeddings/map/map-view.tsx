import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';

import type { UmapSettings } from '../../../embedding/engine/engine.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { getTextRow, labSeed, type MapColor, type MapLayout } from '../../../state/lab/lab-state.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { HelpTip } from '../../../ui/overlays/help-tip.tsx';
import { arrowDirections, findNextPoint } from '../canvas/point-grid.ts';
import type { ScatterOverlay, ScatterScene } from '../canvas/scatter-scene.ts';
import { getScoreRange, toRangeShare } from '../heat/heat-scene.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useDistribution, useNearest, type Nearest } from '../nearest/use-nearest.ts';
import { formatCosine, formatPercent, formatWholePercent } from '../views/lab-number-format.ts';
import { useVectorQuery, type SetViewModel } from '../views/use-vector-query.ts';
import { ViewEmptyState, ViewFrame } from '../views/view-frame.tsx';
import { pickClusterCount, buildClusterNames, buildGroupLabels, getRowGroups } from './map-labels.ts';
import { MapTools, UmapFields } from './map-tools.tsx';
import { usePcaMap, useUmapMap, type MapPoints } from './use-map-points.ts';
import { useScatter } from './use-scatter.ts';

const layoutOptions: { value: MapLayout; label: string }[] = [
  { value: 'pca', label: 'PCA' },
  { value: 'umap', label: 'UMAP' },
];
const minTexts = 3;
const maxLinks = 5;

/** Map of the texts as points: nearby points are similar, as far as two axes can show this. */
export function MapView({ setView }: { setView: SetViewModel }) {
  if (setView.set.rows.length >= minTexts) return <PointsView setView={setView} />;
  return (
    <ViewFrame title="Map">
      <ViewEmptyState>A map needs at least 3 texts.</ViewEmptyState>
    </ViewFrame>
  );
}

function PointsView({ setView }: { setView: SetViewModel }) {
  const { select, selectMany, clearQuery, changeMap } = useLab();
  const selection = useLabState((state) => state.selection);
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const layout = useLabState((state) => state.map.layout);
  const drag = useLabState((state) => state.map.drag);
  const activeQuery = useLabState((state) => state.find.activeQuery);
  const { nearest } = useNearest();
  const announce = useAnnounce();
  const readoutId = useId();
  const [hovered, setHovered] = useState<number>();

  const query = nearest?.source.kind === 'query' ? activeQuery : undefined;
  const pca = usePcaMap(setView, query);
  const umap = useUmapMap(setView, layout === 'umap', ({ points }) => {
    const frameScene: ScatterScene = { xy: points };
    if (scene?.colors) frameScene.colors = scene.colors;
    scatter?.setScene(frameScene);
  });
  const map = useCurrentMap(layout, pca.map, umap.points, nearest);
  const { scene, color } = useMapScene(setView, map, nearest);
  const overlay = useOverlay(setView, nearest, map);
  const getTextIndex = (row: number) => setView.set.rows[row];

  const { host, scatter } = useScatter({
    scene,
    overlay,
    drag,
    events: {
      onHover: setHovered,
      onPick: (row, isAdditive) => {
        const text = row === undefined ? undefined : getTextIndex(row);
        if (text === undefined) {
          if (!isAdditive) select(undefined);
        } else if (isAdditive) {
          const remaining = selection.chosen.filter((selectedText) => selectedText !== text);
          selectMany(remaining.length < selection.chosen.length ? remaining : [...remaining, text]);
        } else select(text);
      },
      onLasso: (rows) => {
        const selectedTexts = rows.flatMap((row) => getTextIndex(row) ?? []);
        selectMany(selectedTexts);
        announce(`${pluralize(selectedTexts.length, 'text')} selected.`);
      },
    },
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !map) return;
    const direction = arrowDirections[event.key];
    const currentRow =
      selection.current === undefined ? undefined : getTextRow(setView.set, selection.current);
    if (direction) {
      const nextRow = currentRow === undefined ? 0 : findNextPoint(map.xy, currentRow, direction);
      const text = nextRow === undefined ? undefined : getTextIndex(nextRow);
      if (text !== undefined) {
        select(text);
        announce(texts[text]?.text ?? '');
      }
    } else if (event.key === 'Enter' && selection.current !== undefined) clearQuery();
    else if (event.key === 'Escape' && selection.chosen.length > 0) {
      select(undefined);
      event.stopPropagation();
    } else if (event.key === '+' || event.key === '=') scatter?.zoom(1.25);
    else if (event.key === '-') scatter?.zoom(0.8);
    else if (event.key === '0') scatter?.fit();
    else return;
    event.preventDefault();
  };

  const problem = pca.problem ?? umap.problem;
  const hoveredText = hovered === undefined ? undefined : getTextIndex(hovered);
  return (
    <ViewFrame
      title="Map"
      controls={
        <Segmented
          label="Layout"
          value={layout}
          choices={layoutOptions}
          onChange={(value) => changeMap({ layout: value })}
        />
      }
      note={
        <MapNote
          setView={setView}
          layout={layout}
          map={map}
          isDone={layout === 'pca' ? pca.map !== undefined && !pca.isPlaceholder : umap.points !== undefined}
          settings={umap.settings}
        />
      }
    >
      {problem !== undefined && <ViewEmptyState>{problem}</ViewEmptyState>}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={host}
          className="lab-canvas"
          role="img"
          aria-label="Map"
          aria-describedby={readoutId}
          tabIndex={0}
          onKeyDown={onKeyDown}
        />
        <MapTools scatter={scatter} scene={scene} drag={drag} color={color} hasGroups={groups.length > 0} />
        {layout === 'umap' && <UmapFields />}
      </div>
      <TextReadout id={readoutId} text={hoveredText ?? selection.current} nearest={nearest}>
        {selection.chosen.length > 1 && `${pluralize(selection.chosen.length, 'text')} selected. `}
      </TextReadout>
    </ViewFrame>
  );
}

/**
 * Returns the points of the selected layout. UMAP cannot place a query, so the query is drawn among its nearest texts.
 */
function useCurrentMap(
  layout: MapLayout,
  pca: MapPoints | undefined,
  umapPoints: Float32Array | undefined,
  nearest: Nearest | undefined,
): MapPoints | undefined {
  return useMemo(() => {
    if (layout === 'pca') return pca;
    if (!umapPoints) return pca && { xy: pca.xy, isAligned: true };
    const map: MapPoints = { xy: umapPoints, isAligned: false };
    if (nearest?.source.kind !== 'query') return map;
    const nearestThree = nearest.results.slice(0, 3);
    const computeMean = (axis: 0 | 1) =>
      nearestThree.reduce((sum, { row }) => sum + (umapPoints[row * 2 + axis] ?? 0), 0) / nearestThree.length;
    return nearestThree.length === 0 ? map : { ...map, query: { x: computeMean(0), y: computeMean(1) } };
  }, [layout, pca, umapPoints, nearest]);
}

function useOverlay(
  { set }: SetViewModel,
  nearest: Nearest | undefined,
  map: MapPoints | undefined,
): ScatterOverlay {
  const texts = useLabState((state) => state.texts);
  const selection = useLabState((state) => state.selection);
  return useMemo(
    (): ScatterOverlay => ({
      current: selection.current === undefined ? undefined : getTextRow(set, selection.current),
      chosen:
        selection.chosen.length > 1 ? selection.chosen.flatMap((text) => getTextRow(set, text) ?? []) : [],
      query: nearest?.source.kind === 'query' ? map?.query : undefined,
      links: nearest ? nearest.results.slice(0, maxLinks).map(({ row }) => row) : [],
      getLabel: (row) => texts[set.rows[row] ?? -1]?.text ?? '',
    }),
    [set, texts, selection, nearest, map],
  );
}

interface MapNoteProps {
  setView: SetViewModel;
  layout: MapLayout;
  map: MapPoints | undefined;
  /** True if the map of this layout and size is finished. */
  isDone: boolean;
  settings: UmapSettings;
}

const maxTrustNeighbours = 15;

/** Note on how reliable the map is, because projections distort distances. */
function MapNote({ setView, layout, map, isDone, settings }: MapNoteProps) {
  const progress = useLabState((state) => state.map.progress);
  const k = Math.min(maxTrustNeighbours, Math.floor(setView.set.rows.length / 4));
  const trust = useVectorQuery(
    setView,
    ['trust', layout, JSON.stringify(settings), k],
    (engine, view, signal) =>
      engine.computeTrust(view, (map?.xy ?? new Float32Array()).slice(), k, { signal }),
    { isEnabled: isDone && k > 0 },
  ).data;
  if (layout === 'umap' && !isDone) {
    return progress
      ? `Computing layout: step ${formatCount(progress.epoch)} of ${formatCount(progress.epochs)}`
      : 'Finding neighbours…';
  }
  if (!map) return 'Computing…';
  const sampleText =
    trust && trust.sampledRows < setView.set.rows.length
      ? ` in a sample of ${formatCount(trust.sampledRows)} texts`
      : '';
  const sentences = [
    'Distances are approximate; trust the scores.',
    trust &&
      `For each text, the ${pluralize(k, 'nearest text')} on the map were compared with the ${k} most similar${sampleText}. ${formatWholePercent(trust.trustworthiness)} of what looks close really is close (trustworthiness).`,
    layout === 'pca' &&
      map.explained &&
      `The two axes keep ${formatWholePercent(map.explained.x + map.explained.y)} of the variance.`,
    map.isAligned && 'The map is rotated to match the map at full size.',
  ].filter((sentence) => typeof sentence === 'string');
  return (
    <span className="inline-flex items-center">
      {trust && `${formatWholePercent(trust.keptShare)} of close neighbours stay close on this map`}
      <HelpTip subject="Map accuracy">{sentences.join(' ')}</HelpTip>
    </span>
  );
}

/** Builds the scene for these points in the selected colouring. */
function useMapScene(
  setView: SetViewModel,
  map: MapPoints | undefined,
  nearest: Nearest | undefined,
): { scene: ScatterScene | undefined; color: MapColor } {
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const requestedColor = useLabState((state) => state.map.color);
  const color = requestedColor ?? (groups.length > 0 ? 'group' : 'cluster');
  const { rows } = setView.set;
  const clusters = useVectorQuery(
    setView,
    ['clusters'],
    (engine, view, signal) =>
      engine.computeClusters(view, pickClusterCount(rows.length), labSeed, { signal }),
    { isEnabled: color === 'cluster' && rows.length > 3, keepsPreviousData: true },
  ).data;
  const distribution = useDistribution(setView).data;
  const allScores = nearest?.allScores;

  const scene = useMemo((): ScatterScene | undefined => {
    if (!map) return undefined;
    const { xy, explained, isAligned } = map;
    const scene: ScatterScene = { xy };
    if (explained && !isAligned)
      scene.axes = {
        x: `Component 1, ${formatPercent(explained.x)} of variance`,
        y: `Component 2, ${formatPercent(explained.y)}`,
      };
    if (color === 'group') {
      const values = getRowGroups(rows, texts);
      scene.colors = { by: 'group', values };
      scene.labels = buildGroupLabels(xy, values, groups);
    } else if (color === 'cluster' && clusters) {
      const values = Uint8Array.from(clusters.labels);
      scene.colors = { by: 'group', values };
      scene.labels = buildGroupLabels(xy, values, buildClusterNames(clusters.centralRows, rows, texts));
    } else if (color === 'similarity' && allScores) {
      const range = distribution ? getScoreRange(distribution) : { low: 0, high: 1 };
      // The lowest steps would be invisible on the background.
      scene.colors = {
        by: 'heat',
        values: Uint8Array.from(allScores, (score) => 40 + Math.round(215 * toRangeShare(score, range))),
      };
    }
    return scene;
  }, [map, rows, texts, groups, color, clusters, allScores, distribution]);
  return { scene, color };
}

interface TextReadoutProps {
  id: string;
  text: number | undefined;
  nearest: Nearest | undefined;
  children?: ReactNode;
}

/** Line below a map or matrix: the text under the pointer, its group and its similarity to the query. */
function TextReadout({ id, text, nearest, children }: TextReadoutProps) {
  const labText = useLabState((state) => (text === undefined ? undefined : state.texts[text]));
  const group = useLabState((state) =>
    labText?.group === undefined ? undefined : state.groups[labText.group],
  );
  const row = nearest && text !== undefined ? getTextRow(nearest.setView.set, text) : undefined;
  const value = row === undefined ? undefined : nearest?.getScore(row);
  const isSourceText = nearest?.source.kind === 'text' && nearest.source.text === text;
  return (
    <p id={id} className="map-readout min-h-7 flex-none px-4 pt-1 pb-2 text-12 wrap-anywhere text-ink-2">
      {children}
      {labText ? (
        <>
          {value !== undefined && !isSourceText && (
            <b className="mr-1.5 text-13 font-semibold text-needle-ink">{formatCosine(value, 3)}</b>
          )}
          <span dir="auto">{labText.text}</span>
          {group !== undefined && <span className="text-ink-3"> {group}</span>}
        </>
      ) : (
        <span className="text-ink-3">
          Distances are approximate; trust the scores. Use the arrow keys to move and Enter to find similar
          texts.
        </span>
      )}
    </p>
  );
}
