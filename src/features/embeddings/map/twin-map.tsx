import { useMemo, type KeyboardEvent } from 'react';

import { rowOf, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { nextPoint, type Direction } from '../canvas/point-grid.ts';
import type { ScatterScene } from '../canvas/scatter-scene.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useVectors, viewOf } from '../views/use-vectors.ts';
import { useScatter } from './use-scatter.ts';

interface TwinMapProps {
  letter: 'A' | 'B';
  set: LoadedSet;
  /** By point: its place in the lab's texts. */
  texts: readonly number[];
  scene: ScatterScene;
}

const links = 5;
const arrows: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** One model's map beside the other's; the same text is marked in both, with its true neighbours in each. */
export function TwinMap({ letter, set, texts, scene }: TwinMapProps) {
  const { select, selectMany } = useLab();
  const lab = useLabState((state) => state.texts);
  const selection = useLabState((state) => state.selection);
  const cut = useLabState((state) => state.cut);
  const { current } = selection;
  const row = current === undefined ? undefined : rowOf(set, current);
  const near = useVectors(
    viewOf(set, cut),
    ['twin nearest', row ?? -1, links],
    (engine, view) => engine.search(view, { row: row ?? 0 }, links),
    { isWanted: row !== undefined },
  ).data;
  const placeOf = useMemo(() => new Map(texts.map((text, place) => [text, place])), [texts]);
  const overlay = useMemo(
    () => ({
      current: current === undefined ? undefined : placeOf.get(current),
      chosen: selection.chosen.length > 1 ? selection.chosen.flatMap((text) => placeOf.get(text) ?? []) : [],
      links:
        row !== undefined && near
          ? Array.from(near.rows).flatMap((at) => placeOf.get(set.rows[at] ?? -1) ?? [])
          : [],
      textOf: (point: number) => lab[texts[point] ?? -1]?.text ?? '',
    }),
    [current, selection.chosen, placeOf, row, near, set, texts, lab],
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
    const direction = arrows[event.key];
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
    <figure className="lab-twin">
      <figcaption>
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
