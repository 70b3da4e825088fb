import { createSeededRandom } from '../../lib/random.ts';
import type { Neighbours, UmapFrame, UmapMap, UmapSettings } from '../engine/engine.ts';
import { createSubSlices, type TimeSlices } from '../engine/time-slices.ts';

/** Extent of the initial layout, as in the reference implementation. */
const startSize = 10;
/** Number of rows from which a layout has fewer rounds. */
const minLargeRows = 10_000;
/** Number of edges drawn before yielding to other tasks. */
const edgesPerSlice = 20_000;

/** Computes a map from nearest neighbours; `start` is the PCA map. */
export async function computeUmap(
  neighbours: Neighbours,
  start: Float32Array,
  settings: UmapSettings,
  slices: TimeSlices,
  onFrame?: (frame: UmapFrame) => void,
): Promise<UmapMap> {
  const count = start.length / 2;
  const graph = await buildUmapGraph(neighbours, count, createSubSlices(slices, 0, 0.1));
  const epochs = settings.epochs ?? (count < minLargeRows ? 500 : 200);
  return computeLayout(graph, start, { ...settings, epochs }, createSubSlices(slices, 0.1, 1), onFrame);
}

interface Layout {
  /** In float64, since values that are read millions of times should not be converted each time. */
  points: Float64Array;
  tables: ForceTables;
  /** Index 2 · edge: where its head and tail begin in `points`. */
  ends: Int32Array;
  /** Index 2 · edge: when it is due next, and the interval after that. */
  dueEpochs: Float64Array;
  /** The first edge due in an epoch, or −1, and the next edge after each edge, so that only due edges are visited. */
  firstEdges: Int32Array;
  nextEdges: Int32Array;
  /** State of xorshift32, since the layout draws millions of numbers. */
  state: number;
}

/**
 * Lays out a fuzzy graph: attraction along edges, repulsion from random points, with decreasing steps. Starts from the
 * PCA map, so that two runs look alike; seed and start make the layout reproducible bit by bit.
 */
export async function computeLayout(
  graph: UmapGraph,
  start: Float32Array,
  settings: UmapSettings & { epochs: number },
  slices: TimeSlices,
  onFrame?: (frame: UmapFrame) => void,
): Promise<UmapMap> {
  const { epochs, seed, minDistance } = settings;
  const random = createSeededRandom(seed);
  const points = spreadStart(start, random);
  const tables = buildForceTables(fitUmapCurve(minDistance));
  const layout = { points, tables, ...scheduleEdges(graph, epochs), state: 1 };
  layout.state = Math.floor(random() * 4_294_967_295) | 1;
  const edgeCount = layout.nextEdges.length;
  /**
   * True after a pause since the last frame. All pauses may fall into the middle of epochs, so this flag ensures that a
   * frame is still drawn at the end of the epoch.
   */
  let isFrameDue = false;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let drawnEdgeCount = 0; !drawEdges(layout, epoch, epochs);) {
      drawnEdgeCount += edgesPerSlice;
      const pause = slices.yieldIfDue((epoch + drawnEdgeCount / edgeCount) / epochs);
      if (pause) {
        isFrameDue = true;
        await pause;
      }
    }
    const pause = slices.yieldIfDue((epoch + 1) / epochs);
    if (pause || isFrameDue) onFrame?.({ points: new Float32Array(points), epoch: epoch + 1, epochs });
    isFrameDue = false;
    if (pause) await pause;
  }
  return { points: new Float32Array(points), epochs };
}

/**
 * Schedules the edges: the strongest are drawn in every epoch, and those too weak to be drawn even once are left out.
 */
function scheduleEdges(
  { heads, tails, weights }: UmapGraph,
  epochs: number,
): Pick<Layout, 'ends' | 'dueEpochs' | 'firstEdges' | 'nextEdges'> {
  const maxWeight = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const edges = Int32Array.from(weights.keys()).filter((edge) => (weights[edge] ?? 0) >= maxWeight / epochs);
  const ends = new Int32Array(2 * edges.length);
  const dueEpochs = new Float64Array(2 * edges.length);
  // One more than the number of epochs, for edges due after the last one.
  const firstEdges = new Int32Array(epochs + 1).fill(-1);
  const nextEdges = new Int32Array(edges.length);
  for (const [index, edge] of edges.entries()) {
    ends[2 * index] = 2 * (heads[edge] ?? 0);
    ends[2 * index + 1] = 2 * (tails[edge] ?? 0);
    const period = maxWeight / (weights[edge] ?? 1);
    dueEpochs.fill(period, 2 * index, 2 * index + 2);
    const epoch = Math.ceil(period) - 1;
    nextEdges[index] = firstEdges[epoch] ?? -1;
    firstEdges[epoch] = index;
  }
  return { ends, dueEpochs, firstEdges, nextEdges };
}

/**
 * Draws edges of an epoch. Returns true when the epoch is finished, false when other tasks should run. Both ends move
 * towards each other, and the head away from five random points, all based on their earlier positions.
 */
function drawEdges(layout: Layout, epoch: number, epochs: number): boolean {
  const { points, ends, dueEpochs, firstEdges, nextEdges } = layout;
  const { pull, push, shift } = layout.tables;
  const rate = 1 - epoch / epochs;
  const perState = points.length / 2 / 4_294_967_296;
  const squares = new Float32Array(6);
  const bits = new Uint32Array(squares.buffer);
  let state = layout.state;
  let edge = firstEdges[epoch] ?? -1;
  for (let remaining = edgesPerSlice; edge >= 0 && remaining > 0; remaining--) {
    const h = ends[2 * edge] ?? 0;
    const t = ends[2 * edge + 1] ?? 0;
    const due = (dueEpochs[2 * edge] ?? 0) + (dueEpochs[2 * edge + 1] ?? 0);
    dueEpochs[2 * edge] = due;
    const nextEpoch = Math.max(epoch + 1, Math.min(epochs, Math.ceil(due) - 1));
    const nextEdge = nextEdges[edge] ?? -1;
    nextEdges[edge] = firstEdges[nextEpoch] ?? -1;
    firstEdges[nextEpoch] = edge;
    edge = nextEdge;

    // Unrolled, since a processor works on all six points in parallel and the layout spends most of its time here.
    const x = points[h] ?? 0;
    const y = points[h + 1] ?? 0;
    const tx = x - (points[t] ?? 0);
    const ty = y - (points[t + 1] ?? 0);
    squares[5] = tx * tx + ty * ty;
    state = nextState(state);
    const a = ((state >>> 0) * perState) << 1;
    const ax = x - (points[a] ?? 0);
    const ay = y - (points[a + 1] ?? 0);
    squares[0] = ax * ax + ay * ay;
    state = nextState(state);
    const b = ((state >>> 0) * perState) << 1;
    const bx = x - (points[b] ?? 0);
    const by = y - (points[b + 1] ?? 0);
    squares[1] = bx * bx + by * by;
    state = nextState(state);
    const c = ((state >>> 0) * perState) << 1;
    const cx = x - (points[c] ?? 0);
    const cy = y - (points[c + 1] ?? 0);
    squares[2] = cx * cx + cy * cy;
    state = nextState(state);
    const d = ((state >>> 0) * perState) << 1;
    const dx = x - (points[d] ?? 0);
    const dy = y - (points[d + 1] ?? 0);
    squares[3] = dx * dx + dy * dy;
    state = nextState(state);
    const e = ((state >>> 0) * perState) << 1;
    const ex = x - (points[e] ?? 0);
    const ey = y - (points[e + 1] ?? 0);
    squares[4] = ex * ex + ey * ey;

    const force = rate * (pull[(bits[5] ?? 0) >>> shift] ?? 0);
    const fa = push[(bits[0] ?? 0) >>> shift] ?? 0;
    const fb = push[(bits[1] ?? 0) >>> shift] ?? 0;
    const fc = push[(bits[2] ?? 0) >>> shift] ?? 0;
    const fd = push[(bits[3] ?? 0) >>> shift] ?? 0;
    const fe = push[(bits[4] ?? 0) >>> shift] ?? 0;
    points[t] = (points[t] ?? 0) - force * tx;
    points[t + 1] = (points[t + 1] ?? 0) - force * ty;
    points[h] = x + force * tx + rate * (fa * ax + fb * bx + fc * cx + fd * dx + fe * ex);
    points[h + 1] = y + force * ty + rate * (fa * ay + fb * by + fc * cy + fd * dy + fe * ey);
  }
  firstEdges[epoch] = edge;
  layout.state = state;
  return edge < 0;
}

function nextState(state: number): number {
  const one = state ^ (state << 13);
  const two = one ^ (one >>> 17);
  return two ^ (two << 5);
}

/** Scales the PCA map to the size of a layout and adds a little noise, so that equal texts do not coincide. */
function spreadStart(start: Float32Array, random: () => number): Float64Array {
  const maxAbs = start.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const scale = maxAbs === 0 ? 1 : startSize / maxAbs;
  return Float64Array.from(start, (value) => value * scale + (random() - 0.5) * 0.001);
}

/** Edges of the fuzzy graph, once per direction, ordered by head. */
interface UmapGraph {
  heads: Int32Array;
  tails: Int32Array;
  /** Above 0, at most 1. */
  weights: Float32Array;
}

const maxRounds = 64;
const sumTolerance = 1e-5;
const minScale = 1e-3;

/** Builds UMAP's fuzzy union over exact neighbours; the distance is 1 − cosine. */
async function buildUmapGraph(neighbours: Neighbours, count: number, slices: TimeSlices): Promise<UmapGraph> {
  const { k, rows, scores } = neighbours;
  const memberships = new Float64Array(count * k);
  const distances = Float64Array.from(scores, (score) => Math.max(0, 1 - score));
  const overallMean = distances.reduce((sum, value) => sum + value, 0) / Math.max(1, distances.length);
  for (let point = 0; point < count; point++) {
    const pointDistances = distances.subarray(point * k, (point + 1) * k);
    const nearest = pointDistances.find((distance) => distance > 0) ?? 0;
    const membershipScale = findScale(pointDistances, nearest, Math.log2(k + 1), overallMean);
    for (let index = 0; index < k; index++) {
      memberships[point * k + index] = Math.exp(
        -Math.max(0, (pointDistances[index] ?? 0) - nearest) / membershipScale,
      );
    }
    const pause = slices.yieldIfDue(point / count / 2);
    if (pause) await pause;
  }
  return buildUnion(rows, memberships, count, k, slices);
}

/** Finds the scale at which the memberships of a point add up to the target sum. */
function findScale(distances: Float64Array, nearest: number, targetSum: number, overallMean: number): number {
  let [low, high, middle] = [0, Infinity, 1];
  for (let round = 0; round < maxRounds; round++) {
    let sum = 0;
    for (const distance of distances) sum += Math.exp(-Math.max(0, distance - nearest) / middle);
    if (Math.abs(sum - targetSum) < sumTolerance) break;
    if (sum > targetSum) {
      high = middle;
      middle = (low + high) / 2;
    } else {
      low = middle;
      middle = high === Infinity ? middle * 2 : (low + high) / 2;
    }
  }
  const mean =
    nearest > 0 ? distances.reduce((sum, value) => sum + value, 0) / (distances.length + 1) : overallMean;
  return Math.max(middle, minScale * mean, Number.MIN_VALUE);
}

/** Computes a + b − a·b for each pair by sorting each point's incoming edges next to its outgoing edges. */
async function buildUnion(
  rows: Int32Array,
  memberships: Float64Array,
  count: number,
  k: number,
  slices: TimeSlices,
): Promise<UmapGraph> {
  const getMembership = (head: number, tail: number): number => {
    for (let index = head * k; index < (head + 1) * k; index++) {
      if (rows[index] === tail) return memberships[index] ?? 0;
    }
    return 0;
  };
  const incoming: number[][] = Array.from({ length: count }, () => []);
  for (let edge = 0; edge < rows.length; edge++) incoming[rows[edge] ?? 0]?.push(Math.floor(edge / k));
  const heads: number[] = [];
  const tails: number[] = [];
  const weights: number[] = [];
  for (let point = 0; point < count; point++) {
    const neighbourRows = new Set([...rows.subarray(point * k, (point + 1) * k), ...(incoming[point] ?? [])]);
    for (const neighbour of [...neighbourRows].toSorted((a, b) => a - b)) {
      const forward = getMembership(point, neighbour);
      const backward = getMembership(neighbour, point);
      heads.push(point);
      tails.push(neighbour);
      weights.push(forward + backward - forward * backward);
    }
    const pause = slices.yieldIfDue(0.5 + point / count / 2);
    if (pause) await pause;
  }
  return {
    heads: Int32Array.from(heads),
    tails: Int32Array.from(tails),
    weights: Float32Array.from(weights),
  };
}

/** Strength of attraction and repulsion at a squared distance: 1 / (1 + a · d^2b), fitted to a minimum distance. */
interface UmapCurve {
  a: number;
  b: number;
}

/**
 * Fits the curve that is 1 up to the minimum distance and then falls as e^−d: least squares over 300 points up to a
 * distance of three, by damped Gauss-Newton steps.
 */
function fitUmapCurve(minDistance: number): UmapCurve {
  const distances = Array.from({ length: 300 }, (_, index) => ((index + 1) * 3) / 300);
  const targets = distances.map((d) => (d < minDistance ? 1 : Math.exp(-(d - minDistance))));
  let [a, b, damping] = [1, 1, 1e-3];
  const computeError = (curveA: number, curveB: number) =>
    distances.reduce((sum, d, index) => {
      const residual = 1 / (1 + curveA * d ** (2 * curveB)) - (targets[index] ?? 0);
      return sum + residual * residual;
    }, 0);
  for (let round = 0; round < 100; round++) {
    let [aa, ab, bb, ra, rb] = [0, 0, 0, 0, 0];
    for (const [index, d] of distances.entries()) {
      const power = d ** (2 * b);
      const value = 1 / (1 + a * power);
      const byA = -power * value * value;
      const byB = -2 * a * power * Math.log(d) * value * value;
      const residual = (targets[index] ?? 0) - value;
      aa += byA * byA;
      ab += byA * byB;
      bb += byB * byB;
      ra += byA * residual;
      rb += byB * residual;
    }
    const [daa, dbb] = [aa * (1 + damping), bb * (1 + damping)];
    const determinant = daa * dbb - ab * ab;
    const nextA = a + (dbb * ra - ab * rb) / determinant;
    const nextB = b + (daa * rb - ab * ra) / determinant;
    if (nextA > 0 && nextB > 0 && computeError(nextA, nextB) <= computeError(a, b)) {
      const change = Math.abs(nextA - a) + Math.abs(nextB - b);
      [a, b] = [nextA, nextB];
      damping /= 10;
      if (change < 1e-12) break;
    } else damping *= 10;
  }
  return { a, b };
}

/**
 * Number of low bits dropped for the table index. The entries per octave of squared distances keep the error of a force
 * below one per cent.
 */
const tableShift = 17;

/** Maximum step of a point, before it is scaled by the rate of an epoch. */
const maxStep = 4;

interface ForceTables {
  pull: Float32Array;
  push: Float32Array;
  shift: number;
}

/**
 * Tabulates forces by the bits of the squared distance as float32: its exponent and the first six bits of its fraction
 * are the index. Computing powers would dominate the time of a layout.
 */
function buildForceTables({ a, b }: UmapCurve): ForceTables {
  const size = 1 << (31 - tableShift);
  const bits = new Uint32Array(1);
  const value = new Float32Array(bits.buffer);
  const pull = new Float32Array(size);
  const push = new Float32Array(size);
  for (let index = 0; index < size; index++) {
    bits[0] = (index << tableShift) | (1 << (tableShift - 1));
    const d2 = value[0] ?? 0;
    if (!Number.isFinite(d2)) continue;
    const power = d2 ** b;
    const denominator = 1 + a * power;
    const maxForce = maxStep / Math.sqrt(d2);
    pull[index] = Math.max(-maxForce, (-2 * a * b * (power / d2)) / denominator);
    push[index] = Math.min(maxForce, (2 * b) / ((0.001 + d2) * denominator));
  }
  return { pull, push, shift: tableShift };
}
