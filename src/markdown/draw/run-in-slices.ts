const MIN_SLICE_MS = 6;
const MAX_SLICE_MS = 16;

interface SlicedTask {
  steps: Generator<void, unknown>;
  isNeeded: () => boolean;
}

const queue: SlicedTask[] = [];
let lastSliceEndMs = 0;

/**
 * Runs work in slices of a few ms, with room for other tasks in between, while `isNeeded` returns true. All work shares
 * the slices, one item after another, so many messages block the page no longer than one. If the gaps between slices
 * are long, for example because of layout, a slice lasts half as long as a gap.
 */
export function runInSlices(steps: Generator<void, unknown>, isNeeded: () => boolean): void {
  if (queue.push({ steps, isNeeded }) > 1) return;
  lastSliceEndMs = performance.now();
  setTimeout(runSlice, 0);
}

/** Finishes all pending work immediately, since printing cannot be delayed. */
export function finishSlices(): void {
  for (let task = queue[0]; task !== undefined; task = queue[0])
    if (!task.isNeeded() || runTaskStep(task)) queue.shift();
}

function runSlice(): void {
  const nowMs = performance.now();
  const sliceMs = Math.min(Math.max((nowMs - lastSliceEndMs) / 2, MIN_SLICE_MS), MAX_SLICE_MS);
  const deadlineMs = nowMs + sliceMs;
  for (let task = queue[0]; task !== undefined && performance.now() < deadlineMs; task = queue[0])
    if (!task.isNeeded() || runTaskStep(task)) queue.shift();
  lastSliceEndMs = performance.now();
  if (queue.length > 0) setTimeout(runSlice, 0);
}

/** Runs one step. Work that throws is treated as finished and does not block the rest. */
function runTaskStep({ steps }: SlicedTask): boolean {
  try {
    return steps.next().done === true;
  } catch (error) {
    reportError(error);
    return true;
  }
}
