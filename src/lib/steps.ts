/** Long work in steps: between two of them, what is more pressing goes first. */

/** Work that yields wherever it may be left for a while. */
export type Steps<T> = Generator<undefined, T>;

/** All of it at once. */
export function runToCompletion<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Calls back when nothing more pressing waits, with the milliseconds that may be taken then. */
export type WhenIdle = (run: (ms: number) => void) => void;

/** As much of it at a time as there is time for. */
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

/** Resolves when nothing more pressing waits, with the milliseconds that may be taken then. */
export function waitForIdle(whenIdle: WhenIdle): Promise<number> {
  return new Promise((resolve) => {
    whenIdle(resolve);
  });
}
