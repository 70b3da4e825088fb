const SLICE_MS = 6;

interface Work {
  steps: Generator<void, unknown>;
  isWanted: () => boolean;
}

const waiting: Work[] = [];

/**
 * Does such work in slices of a few milliseconds with room for other tasks between, while `isWanted` says so. All of it
 * shares the slices, one piece of work after the other: many messages take no more of a moment than one.
 */
export function runInSlices(steps: Generator<void, unknown>, isWanted: () => boolean): void {
  if (waiting.push({ steps, isWanted }) === 1) setTimeout(slice, 0);
}

function slice(): void {
  const end = performance.now() + SLICE_MS;
  for (let work = waiting[0]; work !== undefined && performance.now() < end; work = waiting[0])
    if (!work.isWanted() || isThrough(work)) waiting.shift();
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
