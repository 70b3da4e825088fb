import { useRef } from 'react';
import { metricsOf } from '../../../conversation/metrics.ts';
import type { Run } from '../../../conversation/types.ts';
import { formatDuration } from '../../../lib/format.ts';
import { useTraceCanvas } from './use-trace-canvas.ts';

/** One tick an event on the seconds axis: wait, first token, reasoning, answer, end, failure, live needle. */
export function TraceView({ run }: { run: Run }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useTraceCanvas(canvas, run);
  const first = metricsOf(run).timeToFirstToken;
  const measure = 'value' in first ? formatDuration(first.value) : undefined;
  const words = measure ? `first token after ${measure.number} ${measure.unit}` : 'no token yet';
  return <canvas className="trace" ref={canvas} role="img" aria-label={`Stream trace, ${words}`} />;
}
