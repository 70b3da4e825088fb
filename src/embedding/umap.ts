import type { UmapFrame, UmapMap, UmapSettings } from './engine.ts';
import { seededRandom } from './random.ts';
import type { Turns } from './turns.ts';
import { forceTables, umapCurveOf } from './umap-curve.ts';
import type { UmapGraph } from './umap-graph.ts';

const negativeSamples = 5;
/** The start spreads over this, as in the reference implementation. */
const startSize = 10;
const largestStep = 4;
/** Points of one epoch after which others may have their turn. */
const edgesBetweenRests = 20_000;

/**
 * The layout of a fuzzy graph: attraction along edges, repulsion from points drawn at random, step by step smaller.
 * The start is the PCA map, so that two runs look alike; seed and start make it reproducible to the bit.
 */
export async function layoutOf(
  graph: UmapGraph,
  start: Float32Array,
  settings: UmapSettings & { epochs: number },
  turns: Turns,
  onFrame?: (frame: UmapFrame) => void,
): Promise<UmapMap> {
  const { epochs, seed, minDistance } = settings;
  const count = start.length / 2;
  const random = seededRandom(seed);
  const points = spreadStart(start, random);
  const { pull, push, shift } = forceTables(umapCurveOf(minDistance));
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const strongest = graph.weights.reduce((most, weight) => Math.max(most, weight), 0);
  // Edges too weak to be drawn even once are left out.
  const edges = Int32Array.from(graph.weights.keys()).filter(
    (edge) => (graph.weights[edge] ?? 0) >= strongest / epochs,
  );
  const period = Float64Array.from(edges, (edge) => strongest / (graph.weights[edge] ?? 1));
  const due = Float64Array.from(period);
  const heads = Int32Array.from(edges, (edge) => graph.heads[edge] ?? 0);
  const tails = Int32Array.from(edges, (edge) => graph.tails[edge] ?? 0);

  const perState = count / 4_294_967_296;
  let state = Math.floor(random() * 4_294_967_295) | 1;
  /** Rested since the last frame: rests may always fall into the middle of an epoch, and the map is to be seen moving. */
  let isFrameDue = false;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = 1 - epoch / epochs;
    for (let edge = 0; edge < heads.length; edge++) {
      if ((due[edge] ?? 0) > epoch + 1) continue;
      due[edge] = (due[edge] ?? 0) + (period[edge] ?? 0);
      const h = 2 * (heads[edge] ?? 0);
      const t = 2 * (tails[edge] ?? 0);
      let x = points[h] ?? 0;
      let y = points[h + 1] ?? 0;
      let dx = x - (points[t] ?? 0);
      let dy = y - (points[t + 1] ?? 0);
      float[0] = dx * dx + dy * dy;
      const force = pull[(bits[0] ?? 0) >>> shift] ?? 0;
      const mx = clipped(force * dx) * rate;
      const my = clipped(force * dy) * rate;
      x += mx;
      y += my;
      points[t] = (points[t] ?? 0) - mx;
      points[t + 1] = (points[t + 1] ?? 0) - my;
      for (let sample = 0; sample < negativeSamples; sample++) {
        // xorshift32: the layout draws millions of these.
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        const o = 2 * Math.floor((state >>> 0) * perState);
        if (o === h) continue;
        dx = x - (points[o] ?? 0);
        dy = y - (points[o + 1] ?? 0);
        float[0] = dx * dx + dy * dy;
        if (float[0] === 0) continue;
        const away = push[(bits[0] ?? 0) >>> shift] ?? 0;
        x += clipped(away * dx) * rate;
        y += clipped(away * dy) * rate;
      }
      points[h] = x;
      points[h + 1] = y;
      if (edge % edgesBetweenRests === edgesBetweenRests - 1) {
        const rest = turns.rest((epoch + edge / heads.length) / epochs);
        if (rest) {
          isFrameDue = true;
          await rest;
        }
      }
    }
    const rest = turns.rest((epoch + 1) / epochs);
    if (rest || isFrameDue) onFrame?.({ points: points.slice(), epoch: epoch + 1, epochs });
    isFrameDue = false;
    if (rest) await rest;
  }
  return { points, epochs };
}

function clipped(step: number): number {
  return step > largestStep ? largestStep : step < -largestStep ? -largestStep : step;
}

/** PCA scaled to the size of a layout, with a little noise, so that equal texts do not lie on one point. */
function spreadStart(start: Float32Array, random: () => number): Float32Array<ArrayBuffer> {
  const most = start.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const scale = most === 0 ? 1 : startSize / most;
  return Float32Array.from(start, (value) => value * scale + (random() - 0.5) * 0.001);
}
