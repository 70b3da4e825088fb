/** Work that can pause: goes on to its end at once and gives its result. */
export function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const SLICE_MS = 8;

/** Does such work in slices of a few milliseconds with room for other tasks between, while `wanted` says so. */
export function runInSlices(steps: Generator<void, unknown>, wanted: () => boolean): void {
  setTimeout(() => {
    const end = performance.now() + SLICE_MS;
    while (wanted() && performance.now() < end) if (steps.next().done === true) return;
    if (wanted()) runInSlices(steps, wanted);
  }, 0);
}
