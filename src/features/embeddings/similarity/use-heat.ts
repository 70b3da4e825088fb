import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';

import type { Cell, HeatScene } from '../heat/heat-scene.ts';
import { Heat, type HeatEvents } from '../heat/heat.ts';
import { useThemeChange } from '../views/use-theme-change.ts';

interface HeatProps {
  scene: HeatScene | undefined;
  cursor: Cell | undefined;
  events: HeatEvents;
}

/** Keeps a matrix on the element with this ref. The picture itself is there once it is on screen. */
export function useHeat({ scene, cursor, events }: HeatProps): {
  host: RefObject<HTMLDivElement | null>;
  heat: Heat | undefined;
} {
  const host = useRef<HTMLDivElement>(null);
  const [heat, setHeat] = useState<Heat>();
  const onHover = useEffectEvent((cell: Cell | undefined) => events.onHover(cell));
  const onPick = useEffectEvent((cell: Cell) => events.onPick(cell));

  useEffect(() => {
    if (!host.current) return;
    const made = new Heat(host.current, {
      onHover: (cell) => onHover(cell),
      onPick: (cell) => onPick(cell),
    });
    setHeat(made);
    void document.fonts.ready.then(() => made.refresh());
    return () => {
      made.destroy();
      setHeat(undefined);
    };
  }, []);
  useEffect(() => {
    if (scene) heat?.setScene(scene);
  }, [heat, scene]);
  const { row, column } = cursor ?? {};
  useEffect(
    () => heat?.setCursor(row === undefined || column === undefined ? undefined : { row, column }),
    [heat, row, column],
  );
  useThemeChange(() => heat?.refresh());
  return { host, heat };
}

/** Hands a thing to the parent when it is there, and takes it back when it goes. */
export function useReady<T>(thing: T | undefined, onReady: (thing: T | undefined) => void): void {
  const ready = useEffectEvent(onReady);
  useEffect(() => {
    ready(thing);
    return () => ready(undefined);
  }, [thing]);
}
