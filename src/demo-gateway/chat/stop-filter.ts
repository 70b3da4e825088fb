/** Lets text through up to the first stop sequence. Text that may be the beginning of one is held back. */
interface StopFilter {
  /** The text that is now certain, and whether a stop sequence has been met: then nothing may follow. */
  push: (text: string) => { text: string; stopped: boolean };
  /** The text still held back, once it is certain that no stop sequence will follow. */
  flush: () => string;
}

/** §2.1 stop: the returned text never contains any of the sequences, however it was cut into pieces. */
export function createStopFilter(stops: readonly string[]): StopFilter {
  let held = '';
  return {
    push(text) {
      held += text;
      const match = firstCompleted(held, stops);
      const certain = match ?? held.length - heldBack(held, stops);
      const released = held.slice(0, certain);
      held = match === undefined ? held.slice(certain) : '';
      return { text: released, stopped: match !== undefined };
    },
    flush() {
      const released = held;
      held = '';
      return released;
    },
  };
}

/** Where the sequence starts that is complete first; of those complete at the same place, the longest. */
function firstCompleted(text: string, stops: readonly string[]): number | undefined {
  let best: { start: number; end: number } | undefined;
  for (const stop of stops) {
    const start = text.indexOf(stop);
    if (start === -1) continue;
    const end = start + stop.length;
    if (best === undefined || end < best.end || (end === best.end && start < best.start))
      best = { start, end };
  }
  return best?.start;
}

/** How many characters at the end of the text are the beginning of a stop sequence. */
function heldBack(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
