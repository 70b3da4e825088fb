import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';

import type { HeatCell, HeatScene } from '../heat/heat-scene.ts';
import { Heat, type HeatEvents } from '../heat/heat.ts';
import { useThemeChange } from '../views/use-theme-change.ts';

interface HeatProps {
  scene: HeatScene | undefined;
  cursor: HeatCell | undefined;
  events: HeatEvents;
}

/** Mounts a matrix on the element with this ref. `heat` is undefined until the matrix is mounted. */
export function useHeat({ scene, cursor, events }: HeatProps): {
  host: RefObject<HTMLDivElement | null>;
  heat: Heat | undefined;
} {
  const host = useRef<HTMLDivElement>(null);
  const [heat, setHeat] = useState<Heat>();
  const onHover = useEffectEvent((cell: HeatCell | undefined) => events.onHover(cell));
  const onPick = useEffectEvent((cell: HeatCell) => events.onPick(cell));

  useEffect(() => {
    if (!host.current) return;
    const newHeat = new Heat(host.current, {
      onHover: (cell) => onHover(cell),
      onPick: (cell) => onPick(cell),
    });
    setHeat(newHeat);
    void document.fonts.ready.then(() => newHeat.refresh());
    return () => {
      newHeat.destroy();
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

/** Passes an instance to the parent once it exists, and `undefined` on unmount. */
export function useInstanceCallback<T>(
  instance: T | undefined,
  onReady: (instance: T | undefined) => void,
): void {
  const notify = useEffectEvent(onReady);
  useEffect(() => {
    notify(instance);
    return () => notify(undefined);
  }, [instance]);
}
