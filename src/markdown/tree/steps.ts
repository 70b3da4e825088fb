/** Work that can pause: goes on to its end at once and gives its result. */
export function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
