const SHORTEST_SLICE_MS = 6;
const LONGEST_SLICE_MS = 16;

interface Work {
  steps: Generator<void, unknown>;
  isWanted: () => boolean;
}

const waiting: Work[] = [];
let lastEndedAt = 0;

/**
 * Does such work in slices of a few milliseconds with room for other tasks between, while `isWanted` says so. All of it
 * shares the slices, one piece of work after the other: many messages take no more of a moment than one. Where what is
 * between two slices takes long, as the layout of much that is new does, they are half as long as that.
 */
export function runInSlices(steps: Generator<void, unknown>, isWanted: () => boolean): void {
  if (waiting.push({ steps, isWanted }) > 1) return;
  lastEndedAt = performance.now();
  setTimeout(slice, 0);
}

/** Finishes all waiting work at once, since printing does not wait. */
export function finishSlices(): void {
  for (let work = waiting[0]; work !== undefined; work = waiting[0])
    if (!work.isWanted() || isThrough(work)) waiting.shift();
}

function slice(): void {
  const now = performance.now();
  const length = Math.min(Math.max((now - lastEndedAt) / 2, SHORTEST_SLICE_MS), LONGEST_SLICE_MS);
  const end = now + length;
  for (let work = waiting[0]; work !== undefined && performance.now() < end; work = waiting[0])
    if (!work.isWanted() || isThrough(work)) waiting.shift();
  lastEndedAt = performance.now();
  if (waiting.length > 0) setTimeout(slice, 0);
}

/** Takes one step. Work that throws is over, and does not keep the others waiting. */
function isThrough({ steps }: Work): boolean {
  try {
    return steps.next().done === true;
  } catch (error) {
    reportError(error);
    return true;
  }
}
