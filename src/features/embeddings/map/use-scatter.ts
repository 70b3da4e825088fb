import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';

import type { ScatterOverlay, ScatterScene } from '../canvas/scatter-scene.ts';
import { Scatter, type ScatterEvents } from '../canvas/scatter.ts';
import { useThemeChange } from '../views/use-theme-change.ts';

interface ScatterProps {
  scene: ScatterScene | undefined;
  overlay: ScatterOverlay;
  drag: 'pan' | 'lasso';
  events: ScatterEvents;
}

/** Mounts a map on the element with this ref. `scatter` is undefined until the map is mounted. */
export function useScatter({ scene, overlay, drag, events }: ScatterProps): {
  host: RefObject<HTMLDivElement | null>;
  scatter: Scatter | undefined;
} {
  const host = useRef<HTMLDivElement>(null);
  const [scatter, setScatter] = useState<Scatter>();
  const onHover = useEffectEvent((point: number | undefined) => events.onHover(point));
  const onPick = useEffectEvent((point: number | undefined, isAdditive: boolean) =>
    events.onPick(point, isAdditive),
  );
  const onLasso = useEffectEvent((points: number[]) => events.onLasso(points));

  useEffect(() => {
    if (!host.current) return;
    const newScatter = new Scatter(host.current, {
      onHover: (point) => onHover(point),
      onPick: (point, isAdditive) => onPick(point, isAdditive),
      onLasso: (points) => onLasso(points),
    });
    setScatter(newScatter);
    // Fonts may load later than the map.
    void document.fonts.ready.then(() => newScatter.refresh());
    return () => {
      newScatter.destroy();
      setScatter(undefined);
    };
  }, []);
  useEffect(() => {
    if (scene) scatter?.setScene(scene, true);
  }, [scatter, scene]);
  useEffect(() => scatter?.setOverlay(overlay), [scatter, overlay]);
  useEffect(() => scatter?.setMode(drag), [scatter, drag]);
  useThemeChange(() => scatter?.refresh());
  return { host, scatter };
}
