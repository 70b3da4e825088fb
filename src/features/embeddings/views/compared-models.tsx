/** Two models side by side: a map and a list of each, with the same text marked in both. */
import { useMemo, type KeyboardEvent } from 'react';

import { rowOf, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { arrowDirections, nextPoint } from '../canvas/point-grid.ts';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useScatter } from '../map/use-scatter.ts';
import { TextButton } from '../text-button.tsx';
import { useVectors, viewOf } from './use-vectors.ts';

const listed = 5;

/** The places of the texts that this model puts nearest to a text, best first. */
function useNearestOf(set: LoadedSet, text: number | undefined): number[] {
  const cut = useLabState((state) => state.cut);
  const row = text === undefined ? undefined : rowOf(set, text);
  const found = useVectors(
    viewOf(set, cut),
    ['twin nearest', row ?? -1, listed],
    (engine, view) => engine.search(view, { row: row ?? 0 }, listed),
    { isWanted: row !== undefined },
  ).data;
  return useMemo(
    () => (row !== undefined && found ? Array.from(found.rows, (near) => set.rows[near] ?? near) : []),
    [row, found, set],
  );
}

interface TwinMapProps {
  letter: 'A' | 'B';
  set: LoadedSet;
  /** By point: its place in the lab's texts. */
  texts: readonly number[];
  scene: ScatterScene;
}

/** One model's map beside the other's; the same text is marked in both, with its true neighbours in each. */
export function TwinMap({ letter, set, texts, scene }: TwinMapProps) {
  const { select, selectMany } = useLab();
  const lab = useLabState((state) => state.texts);
  const selection = useLabState((state) => state.selection);
  const { current } = selection;
  const near = useNearestOf(set, current);
  const placeOf = useMemo(() => new Map(texts.map((text, place) => [text, place])), [texts]);
  const overlay = useMemo(
    () => ({
      current: current === undefined ? undefined : placeOf.get(current),
      chosen: selection.chosen.length > 1 ? selection.chosen.flatMap((text) => placeOf.get(text) ?? []) : [],
      links: near.flatMap((text) => placeOf.get(text) ?? []),
      textOf: (point: number) => lab[texts[point] ?? -1]?.text ?? '',
    }),
    [current, selection.chosen, placeOf, near, texts, lab],
  );
  const pick = (point: number | undefined) => select(point === undefined ? undefined : texts[point]);
  const { host, scatter } = useScatter({
    scene,
    overlay,
    drag: 'pan',
    events: {
      onHover: () => {},
      onPick: pick,
      onLasso: (points) => selectMany(points.flatMap((point) => texts[point] ?? [])),
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = arrowDirections[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) {
      const at = overlay.current;
      const next = at === undefined ? 0 : nextPoint(scene.xy, at, direction);
      if (next !== undefined) pick(next);
    } else if (event.key === '0') scatter?.fit();
    else return;
    event.preventDefault();
  };
  return (
    <figure className="m-0 flex h-[clamp(220px,46cqh,460px)] min-w-0 flex-col overflow-hidden rounded-3 border border-line">
      <figcaption className="flex items-center gap-1.5 px-2.5 py-1.5 text-12 wrap-anywhere">
        <LaneTile letter={letter} />
        <span>{set.model}</span>
      </figcaption>
      <div
        ref={host}
        className="lab-canvas"
        role="img"
        aria-label={`Map of ${set.model}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
    </figure>
  );
}

/** The nearest of the current text with each model, side by side; what both name is marked. */
export function TwinNearest({ a, b }: { a: LoadedSet; b: LoadedSet }) {
  const current = useLabState((state) => state.selection.current);
  const text = useLabState((state) => (current === undefined ? undefined : state.texts[current]?.text));
  const nearA = useNearestOf(a, current);
  const nearB = useNearestOf(b, current);
  if (text === undefined)
    return <p className="text-12 text-ink-3">Select a text to see its nearest texts with each model.</p>;
  return (
    <section aria-label="Nearest with each model">
      <h3 className="py-1.5 text-12 font-semibold">
        Nearest to <span dir="auto">{text}</span>
      </h3>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,280px),1fr))] gap-3">
        <TwinList letter="A" near={nearA} other={nearB} />
        <TwinList letter="B" near={nearB} other={nearA} />
      </div>
    </section>
  );
}

function TwinList({
  letter,
  near,
  other,
}: {
  letter: 'A' | 'B';
  near: readonly number[];
  other: readonly number[];
}) {
  const { select } = useLab();
  const texts = useLabState((state) => state.texts);
  return (
    <ol aria-label={`Nearest with model ${letter}`}>
      {near.map((text, index) => (
        <li key={text} className="flex min-h-7 items-center gap-2 border-t border-line text-12">
          {index === 0 ? <LaneTile letter={letter} /> : <span className="w-4 flex-none" />}
          <span className="text-12 font-[650] text-needle-ink">{index + 1}</span>
          <TextButton onPick={() => select(text)}>{texts[text]?.text}</TextButton>
          <small className="text-ink-3">{other.includes(text) ? 'both' : 'only this model'}</small>
        </li>
      ))}
    </ol>
  );
}
