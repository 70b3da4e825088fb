/** Splits long tasks into steps, so that more urgent work can run in between. */

/** Task that yields wherever it can be paused. */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps without pausing and returns the result. */
export function runToCompletion<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Calls back when the page is idle, with the available time in ms. */
export type WhenIdle = (run: (ms: number) => void) => void;

/** Runs the steps while the page is idle, for as long as each idle period lasts. */
export async function runWhenIdle<T>(
  steps: Steps<T>,
  { whenIdle, clock }: { whenIdle: WhenIdle; clock: () => number },
): Promise<T> {
  for (;;) {
    const deadline = clock() + (await waitForIdle(whenIdle));
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (clock() < deadline);
  }
}

/** Resolves when the page is idle, with the available time in ms. */
export function waitForIdle(whenIdle: WhenIdle): Promise<number> {
  return new Promise((resolve) => {
    whenIdle(resolve);
  });
}
