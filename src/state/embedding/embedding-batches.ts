/**
 * Which inputs go into one request. How many a server takes differs from 10 to 2,048 and is nowhere said: the size
 * doubles with each success and halves with each refusal, and one bad text is found by halving, so that it never
 * costs the others.
 */

/** Some of the inputs, by their number. */
export interface Batch {
  items: readonly number[];
  /** Set on the halves of a refused batch: what held before, if it turns out that one input was to blame. */
  before?: { size: number; ceiling: number };
}

export interface Batches {
  /** What to send next; undefined when all have been handed out. */
  next: () => Batch | undefined;
  /** It was not sent: it comes first again. */
  giveBack: (batch: Batch) => void;
  succeeded: (batch: Batch) => void;
  /** Refused for what is in it. Returns the input that is to blame once it stands alone. */
  refused: (batch: Batch) => number | undefined;
  /** How many inputs the next request may have. */
  size: () => number;
  /** As many as this server was found to take; undefined where it has refused none for their number. */
  ceiling: () => number | undefined;
  /** Not handed out yet, halves of refused batches among them. */
  left: () => number;
}

const firstSize = 32;
/** The largest batch that any known server takes. */
const largestSize = 2048;
/** Of one request's body. */
const mostCharacters = 400_000;

interface BatchOptions {
  /** Characters of each input, by its number. */
  lengthOf: (item: number) => number;
  /** As many as the server was found to take at an earlier time. */
  knownCeiling?: number;
  /** More than these would make an answer too large to read. */
  mostItems?: number;
}

export function createBatches(items: readonly number[], options: BatchOptions): Batches {
  const most = Math.max(1, Math.min(largestSize, options.mostItems ?? largestSize));
  let ceiling = Math.min(most, options.knownCeiling ?? most);
  let size = Math.min(ceiling, options.knownCeiling ?? firstSize);
  let at = 0;
  /** Halves and batches that came back, the next one last. */
  const first: Batch[] = [];

  return {
    next: () => {
      const waiting = first.pop();
      if (waiting) return waiting;
      const taken: number[] = [];
      let characters = 0;
      for (let item = items[at]; item !== undefined && taken.length < size; item = items[at]) {
        characters += options.lengthOf(item);
        if (taken.length > 0 && characters > mostCharacters) break;
        taken.push(item);
        at += 1;
      }
      return taken.length === 0 ? undefined : { items: taken };
    },
    giveBack: (batch) => void first.push(batch),
    succeeded: ({ items: sent, before }) => {
      if (!before && sent.length >= size) size = Math.min(ceiling, size * 2);
    },
    refused: ({ items: sent, before = { size, ceiling } }) => {
      if (sent.length === 1) {
        ({ size, ceiling } = before);
        return sent[0];
      }
      const half = Math.ceil(sent.length / 2);
      ceiling = Math.min(ceiling, half);
      size = Math.min(size, half);
      first.push({ items: sent.slice(half), before }, { items: sent.slice(0, half), before });
      return undefined;
    },
    size: () => size,
    ceiling: () => (ceiling < most ? ceiling : undefined),
    left: () => items.length - at + first.reduce((sum, batch) => sum + batch.items.length, 0),
  };
}

/** The fewest and the most requests that so many inputs may take, from what is known of the server. */
export function requestsFor(count: number, knownCeiling?: number): { least: number; most: number } {
  if (count === 0) return { least: 0, most: 0 };
  if (knownCeiling !== undefined) {
    const exact = Math.ceil(count / knownCeiling);
    return { least: exact, most: exact };
  }
  let least = 0;
  for (let left = count, size = firstSize; left > 0; least += 1, size = Math.min(largestSize, size * 2))
    left -= size;
  return { least, most: Math.ceil(count / firstSize) };
}
