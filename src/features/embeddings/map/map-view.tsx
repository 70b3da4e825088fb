import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';

import type { UmapSettings } from '../../../embedding/engine/engine.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { rowOf, seed, type MapColor, type MapLayout } from '../../../state/lab/lab-state.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { QuestionMark } from '../../../ui/overlays/help-tip.tsx';
import { arrowDirections, nextPoint } from '../canvas/point-grid.ts';
import type { ScatterOverlay, ScatterScene } from '../canvas/scatter-scene.ts';
import { rangeOfScores, shareOf } from '../heat/heat-scene.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useDistribution, useNearest, type Nearest } from '../nearest/use-nearest.ts';
import { cosineWords, percent } from '../views/format-dimensions.ts';
import { useVectors, type ShownView } from '../views/use-vectors.ts';
import { ViewBlank, ViewFrame } from '../views/view-frame.tsx';
import { clusterCount, groupLabels, groupsOfRows } from './map-labels.ts';
import { MapTools, UmapFields } from './map-tools.tsx';
import { usePcaMap, useUmapMap, type MapPoints } from './use-map-points.ts';
import { useScatter } from './use-scatter.ts';

const layouts: { value: MapLayout; label: string }[] = [
  { value: 'pca', label: 'PCA' },
  { value: 'umap', label: 'UMAP' },
];
const fewest = 3;
const mostLinks = 5;

/** The texts as points: near ones are alike, as far as two axes can tell. */
export function MapView({ shown }: { shown: ShownView }) {
  if (shown.set.rows.length >= fewest) return <PointsView shown={shown} />;
  return (
    <ViewFrame title="Map">
      <ViewBlank>A map needs at least three texts.</ViewBlank>
    </ViewFrame>
  );
}

function PointsView({ shown }: { shown: ShownView }) {
  const { select, selectMany, clearQuery, changeMap } = useLab();
  const selection = useLabState((state) => state.selection);
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const layout = useLabState((state) => state.map.layout);
  const drag = useLabState((state) => state.map.drag);
  const found = useLabState((state) => state.find.found);
  const { nearest } = useNearest();
  const announce = useAnnounce();
  const readoutId = useId();
  const [hovered, setHovered] = useState<number>();

  const query = nearest?.source.of === 'query' ? found : undefined;
  const pca = usePcaMap(shown, query);
  const laid = useUmapMap(shown, layout === 'umap', ({ points }) => {
    const still: ScatterScene = { xy: points };
    if (scene?.colors) still.colors = scene.colors;
    scatter?.setScene(still);
  });
  const map = useShownMap(layout, pca.map, laid.points, nearest);
  const { scene, color } = useMapScene(shown, map, nearest);
  const overlay = useOverlay(shown, nearest, map);
  const textOfRow = (row: number) => shown.set.rows[row];

  const { host, scatter } = useScatter({
    scene,
    overlay,
    drag,
    events: {
      onHover: setHovered,
      onPick: (row, isAdded) => {
        const text = row === undefined ? undefined : textOfRow(row);
        if (text === undefined) {
          if (!isAdded) select(undefined);
        } else if (isAdded) {
          const others = selection.chosen.filter((other) => other !== text);
          selectMany(others.length < selection.chosen.length ? others : [...others, text]);
        } else select(text);
      },
      onLasso: (rows) => {
        const chosen = rows.flatMap((row) => textOfRow(row) ?? []);
        selectMany(chosen);
        announce(`${pluralize(chosen.length, 'text')} selected.`);
      },
    },
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !map) return;
    const direction = arrowDirections[event.key];
    const current = selection.current === undefined ? undefined : rowOf(shown.set, selection.current);
    if (direction) {
      const next = current === undefined ? 0 : nextPoint(map.xy, current, direction);
      const text = next === undefined ? undefined : textOfRow(next);
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

  const problem = pca.problem ?? laid.problem;
  const hoveredText = hovered === undefined ? undefined : textOfRow(hovered);
  return (
    <ViewFrame
      title="Map"
      controls={
        <Segmented
          label="Layout"
          value={layout}
          choices={layouts}
          onChange={(value) => changeMap({ layout: value })}
        />
      }
      note={
        <MapNote
          shown={shown}
          layout={layout}
          map={map}
          isDone={layout === 'pca' ? pca.map !== undefined && !pca.isLast : laid.points !== undefined}
          settings={laid.settings}
        />
      }
    >
      {problem !== undefined && <ViewBlank>{problem}</ViewBlank>}
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
        <MapTools scatter={scatter} drag={drag} color={color} hasGroups={groups.length > 0} />
        {layout === 'umap' && <UmapFields />}
      </div>
      <TextReadout id={readoutId} text={hoveredText ?? selection.current} nearest={nearest}>
        {selection.chosen.length > 1 && `${pluralize(selection.chosen.length, 'text')} selected. `}
      </TextReadout>
    </ViewFrame>
  );
}

/** The points of the layout that was chosen; UMAP has no place of its own for a query: it lies among its nearest. */
function useShownMap(
  layout: MapLayout,
  pca: MapPoints | undefined,
  laid: Float32Array | undefined,
  nearest: Nearest | undefined,
): MapPoints | undefined {
  return useMemo(() => {
    if (layout === 'pca') return pca;
    if (!laid) return pca && { xy: pca.xy, isTurned: true };
    const map: MapPoints = { xy: laid, isTurned: false };
    if (nearest?.source.of !== 'query') return map;
    const near = nearest.ranked.slice(0, 3);
    const mean = (axis: 0 | 1) =>
      near.reduce((sum, { row }) => sum + (laid[row * 2 + axis] ?? 0), 0) / near.length;
    return near.length === 0 ? map : { ...map, query: { x: mean(0), y: mean(1) } };
  }, [layout, pca, laid, nearest]);
}

function useOverlay(
  { set }: ShownView,
  nearest: Nearest | undefined,
  map: MapPoints | undefined,
): ScatterOverlay {
  const texts = useLabState((state) => state.texts);
  const selection = useLabState((state) => state.selection);
  return useMemo(
    (): ScatterOverlay => ({
      current: selection.current === undefined ? undefined : rowOf(set, selection.current),
      chosen: selection.chosen.length > 1 ? selection.chosen.flatMap((text) => rowOf(set, text) ?? []) : [],
      query: nearest?.source.of === 'query' ? map?.query : undefined,
      links: nearest ? nearest.ranked.slice(0, mostLinks).map(({ row }) => row) : [],
      textOf: (row) => texts[set.rows[row] ?? -1]?.text ?? '',
    }),
    [set, texts, selection, nearest, map],
  );
}

interface MapNoteProps {
  shown: ShownView;
  layout: MapLayout;
  map: MapPoints | undefined;
  /** The map is the one of this layout and size, done. */
  isDone: boolean;
  settings: UmapSettings;
}

const neighbours = 15;

/** How far the map may be believed: projections lie. */
function MapNote({ shown, layout, map, isDone, settings }: MapNoteProps) {
  const progress = useLabState((state) => state.map.progress);
  const k = Math.min(neighbours, Math.floor(shown.set.rows.length / 4));
  const trust = useVectors(
    shown,
    ['trust', layout, JSON.stringify(settings), k],
    (engine, view, signal) => engine.trust(view, (map?.xy ?? new Float32Array()).slice(), k, { signal }),
    { isWanted: isDone && k > 0 },
  ).data;
  if (layout === 'umap' && !isDone) {
    return progress
      ? `Laying out, round ${formatCount(progress.epoch)} of ${formatCount(progress.epochs)}`
      : 'Finding each text’s neighbours';
  }
  if (!map) return 'Computing';
  const facts = [
    layout === 'pca' && map.explained && `${percent(map.explained.x + map.explained.y)} of the variance`,
    trust && `${percent(trust.kept)} of true neighbours`,
  ].filter((words) => typeof words === 'string');
  const sample =
    trust && trust.sampled < shown.set.rows.length
      ? ` in a sample of ${formatCount(trust.sampled)} texts`
      : '';
  const sentences = [
    'Two axes cannot keep all distances, so rely on scores.',
    trust &&
      `Of each text’s ${k} nearest, ${percent(trust.kept)} are near on the map, too${sample}. Trustworthiness is ${trust.trustworthiness.toFixed(3)}; 1 means that no text looks near that is not.`,
    map.isTurned && 'The map is turned to lie like that of the full size.',
  ].filter((words) => typeof words === 'string');
  return (
    <span className="inline-flex items-center">
      {facts.length > 0 && `Keeps ${facts.join(', ')}`}
      <QuestionMark about="What the map keeps">{sentences.join(' ')}</QuestionMark>
    </span>
  );
}

/** What the map shows of these points, coloured as the person chose. */
function useMapScene(
  shown: ShownView,
  map: MapPoints | undefined,
  nearest: Nearest | undefined,
): { scene: ScatterScene | undefined; color: MapColor } {
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const wanted = useLabState((state) => state.map.color);
  const color = wanted ?? (groups.length > 0 ? 'group' : 'cluster');
  const { rows } = shown.set;
  const clusters = useVectors(
    shown,
    ['clusters'],
    (engine, view, signal) => engine.clusters(view, clusterCount(rows.length), seed, { signal }),
    { isWanted: color === 'cluster' && rows.length > 3, keepsLast: true },
  ).data;
  const distribution = useDistribution(shown).data;
  const all = nearest?.all;

  const scene = useMemo((): ScatterScene | undefined => {
    if (!map) return undefined;
    const { xy, explained, isTurned } = map;
    const scene: ScatterScene = { xy };
    if (explained && !isTurned)
      scene.axes = {
        x: `Component 1, ${percent(explained.x)} of variance`,
        y: `Component 2, ${percent(explained.y)}`,
      };
    if (color === 'group') {
      const of = groupsOfRows(rows, texts);
      scene.colors = { by: 'group', of };
      scene.labels = groupLabels(xy, of, groups);
    } else if (color === 'cluster' && clusters) {
      const of = Uint8Array.from(clusters.labels);
      scene.colors = { by: 'group', of };
      scene.labels = groupLabels(
        xy,
        of,
        clusters.sizes.map((_, cluster) => `Cluster ${cluster + 1}`),
      );
    } else if (color === 'similarity' && all) {
      const range = distribution ? rangeOfScores(distribution) : { low: 0, high: 1 };
      // The lightest step would not be seen on the paper.
      scene.colors = {
        by: 'heat',
        of: Uint8Array.from(all, (score) => 40 + Math.round(215 * shareOf(score, range))),
      };
    }
    return scene;
  }, [map, rows, texts, groups, color, clusters, all, distribution]);
  return { scene, color };
}

interface TextReadoutProps {
  id: string;
  text: number | undefined;
  nearest: Nearest | undefined;
  children?: ReactNode;
}

/** One line under a picture: the text that is pointed at, its group, and how close it is to what is looked for. */
function TextReadout({ id, text, nearest, children }: TextReadoutProps) {
  const found = useLabState((state) => (text === undefined ? undefined : state.texts[text]));
  const group = useLabState((state) => (found?.group === undefined ? undefined : state.groups[found.group]));
  const row = nearest && text !== undefined ? rowOf(nearest.shown.set, text) : undefined;
  const value = row === undefined ? undefined : nearest?.scoreOf(row);
  const isItself = nearest?.source.of === 'text' && nearest.source.text === text;
  return (
    <p id={id} className="map-readout min-h-7 flex-none px-4 pt-1 pb-2 text-12 wrap-anywhere text-ink-2">
      {children}
      {found ? (
        <>
          {value !== undefined && !isItself && (
            <b className="mr-1.5 text-13 font-semibold text-needle-ink">{cosineWords(value, 3)}</b>
          )}
          <span dir="auto">{found.text}</span>
          {group !== undefined && <span className="text-ink-3"> {group}</span>}
        </>
      ) : (
        <span className="text-ink-3">
          Rely on scores, not on distances. Arrow keys move, Enter finds similar texts.
        </span>
      )}
    </p>
  );
}
