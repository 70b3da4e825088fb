import { useQuery } from '@tanstack/react-query';
import { useEffect, type RefObject } from 'react';
import { isLive } from '../../../conversation/run.ts';
import { ticksOfTape } from '../../../conversation/trace.ts';
import type { Run } from '../../../conversation/types.ts';
import { usePlayground } from '../../../state/react.tsx';
import { paintTrace } from './paint-trace.ts';

const paintEveryMs = 50;

/** Keeps the canvas drawn: at most twenty times a second while live, once when ended, again when it is resized. */
export function useTraceCanvas(canvas: RefObject<HTMLCanvasElement | null>, run: Run): void {
  const { traces, library } = usePlayground();
  const live = isLive(run);
  const seen = traces.of(run.id);
  const stored = useQuery({
    queryKey: ['trace', run.id],
    queryFn: async () => ticksOfTape(await library.readTape(run.id)),
    enabled: !live && seen === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const ticks = seen ?? stored.data;

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const paint = () => {
      const nowMs = run.sentAt === undefined ? 0 : Date.now() - run.sentAt;
      paintTrace(element, {
        ticks: traces.of(run.id) ?? ticks ?? [],
        ...(run.firstTokenMs === undefined ? {} : { firstMs: run.firstTokenMs }),
        endMs: run.endedMs ?? 0,
        failed: run.phase.name === 'failed' || run.phase.name === 'truncated',
        ...(live && run.sentAt !== undefined ? { nowMs } : {}),
      });
    };
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const timer = live ? setInterval(paint, paintEveryMs) : undefined;
    return () => {
      observer.disconnect();
      theme.disconnect();
      clearInterval(timer);
    };
    // A live run changes each frame; the interval reads it through traces, so only these restart it.
  }, [canvas, traces, ticks, live, run.id, run.sentAt, run.firstTokenMs, run.phase.name, run.endedMs]);
}
