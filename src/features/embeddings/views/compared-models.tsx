/** Two models side by side: a map and a list of each, with the same text marked in both. */
import { useMemo, type KeyboardEvent } from 'react';

import { getTextRow, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { arrowDirections, findNextPoint } from '../canvas/point-grid.ts';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import { useFormatModel, useLab, useLabState } from '../hooks/use-lab.ts';
import { useScatter } from '../map/use-scatter.ts';
import { TextLink } from '../text-link.tsx';
import { useVectorQuery, createSetView } from './use-vector-query.ts';

const nearestCount = 5;

/** Returns the indices of the texts nearest to a text in this model, best first. */
function useNearestTexts(set: LoadedSet, text: number | undefined): number[] {
  const shownDimensions = useLabState((state) => state.shownDimensions);
  const row = text === undefined ? undefined : getTextRow(set, text);
  const nearest = useVectorQuery(
    createSetView(set, shownDimensions),
    ['twin nearest', row ?? -1, nearestCount],
    (engine, view) => engine.search(view, { row: row ?? 0 }, nearestCount),
    { isEnabled: row !== undefined },
  ).data;
  return useMemo(
    () =>
      row !== undefined && nearest
        ? Array.from(nearest.rows, (nearestRow) => set.rows[nearestRow] ?? nearestRow)
        : [],
    [row, nearest, set],
  );
}

interface ComparedMapProps {
  letter: 'A' | 'B';
  set: LoadedSet;
  /** Index of the text of each point. */
  texts: readonly number[];
  scene: ScatterScene;
}

/** Map of one model next to the other; the same text is marked in both, with its exact neighbours in each. */
export function ComparedMap({ letter, set, texts, scene }: ComparedMapProps) {
  const { select, selectMany } = useLab();
  const formattedModel = useFormatModel()(set);
  const labTexts = useLabState((state) => state.texts);
  const selection = useLabState((state) => state.selection);
  const { current } = selection;
  const nearestTexts = useNearestTexts(set, current);
  const pointByText = useMemo(() => new Map(texts.map((text, point) => [text, point])), [texts]);
  const overlay = useMemo(
    () => ({
      current: current === undefined ? undefined : pointByText.get(current),
      chosen:
        selection.chosen.length > 1 ? selection.chosen.flatMap((text) => pointByText.get(text) ?? []) : [],
      links: nearestTexts.flatMap((text) => pointByText.get(text) ?? []),
      getLabel: (point: number) => labTexts[texts[point] ?? -1]?.text ?? '',
    }),
    [current, selection.chosen, pointByText, nearestTexts, texts, labTexts],
  );
  const selectPoint = (point: number | undefined) => select(point === undefined ? undefined : texts[point]);
  const { host, scatter } = useScatter({
    scene,
    overlay,
    drag: 'pan',
    events: {
      onHover: () => {},
      onPick: selectPoint,
      onLasso: (points) => selectMany(points.flatMap((point) => texts[point] ?? [])),
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = arrowDirections[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) {
      const currentPoint = overlay.current;
      const next = currentPoint === undefined ? 0 : findNextPoint(scene.xy, currentPoint, direction);
      if (next !== undefined) selectPoint(next);
    } else if (event.key === '0') scatter?.fit();
    else return;
    event.preventDefault();
  };
  return (
    <figure className="m-0 flex h-[clamp(220px,46cqh,460px)] min-w-0 flex-col overflow-hidden rounded-3 border border-line">
      <figcaption className="flex items-center gap-1.5 px-2.5 py-1.5 text-12 wrap-anywhere">
        <LaneTile letter={letter} />
        <span>{formattedModel}</span>
      </figcaption>
      <div
        ref={host}
        className="lab-canvas"
        role="img"
        aria-label={`Map of ${formattedModel}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
    </figure>
  );
}

/** Texts nearest to the current text in each model, side by side; texts in both lists are marked. */
export function ComparedNearest({ a, b }: { a: LoadedSet; b: LoadedSet }) {
  const current = useLabState((state) => state.selection.current);
  const text = useLabState((state) => (current === undefined ? undefined : state.texts[current]?.text));
  const nearA = useNearestTexts(a, current);
  const nearB = useNearestTexts(b, current);
  if (text === undefined)
    return <p className="text-12 text-ink-3">Select a text to see its nearest texts with each model.</p>;
  return (
    <section aria-label="Nearest with each model">
      <h3 className="py-1.5 text-12 font-semibold">
        Nearest to <span dir="auto">{text}</span>
      </h3>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,280px),1fr))] gap-3">
        <ComparedList letter="A" nearestTexts={nearA} otherNearest={nearB} />
        <ComparedList letter="B" nearestTexts={nearB} otherNearest={nearA} />
      </div>
    </section>
  );
}

function ComparedList({
  letter,
  nearestTexts,
  otherNearest,
}: {
  letter: 'A' | 'B';
  nearestTexts: readonly number[];
  otherNearest: readonly number[];
}) {
  const { select } = useLab();
  const texts = useLabState((state) => state.texts);
  return (
    <ol aria-label={`Nearest with model ${letter}`}>
      {nearestTexts.map((text, index) => (
        <li key={text} className="flex min-h-7 items-center gap-2 border-t border-line text-12">
          {index === 0 ? <LaneTile letter={letter} /> : <span className="w-4 flex-none" />}
          <span className="text-12 font-[650] text-needle-ink">{index + 1}</span>
          <TextLink onPick={() => select(text)}>{texts[text]?.text}</TextLink>
          <small className="text-ink-3">{otherNearest.includes(text) ? 'both' : 'only this model'}</small>
        </li>
      ))}
    </ol>
  );
}
