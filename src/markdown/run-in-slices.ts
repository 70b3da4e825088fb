const SLICE_MS = 8;

/** Does such work in slices of a few milliseconds with room for other tasks between, while `wanted` says so. */
export function runInSlices(steps: Generator<void, unknown>, wanted: () => boolean): void {
  setTimeout(() => {
    const end = performance.now() + SLICE_MS;
    while (wanted() && performance.now() < end) if (steps.next().done === true) return;
    if (wanted()) runInSlices(steps, wanted);
  }, 0);
}
