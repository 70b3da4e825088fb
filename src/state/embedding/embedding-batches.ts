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
  /** Requests that are likely still to be answered, those under way among them. */
  likelyRequests: () => number;
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
  let underWay = 0;
  /** Halves and batches that came back, the next one last. */
  const first: Batch[] = [];

  return {
    next: () => {
      const waiting = first.pop();
      if (waiting) {
        underWay += 1;
        return waiting;
      }
      const taken: number[] = [];
      let characters = 0;
      for (let item = items[at]; item !== undefined && taken.length < size; item = items[at]) {
        characters += options.lengthOf(item);
        if (taken.length > 0 && characters > mostCharacters) break;
        taken.push(item);
        at += 1;
      }
      if (taken.length === 0) return undefined;
      underWay += 1;
      return { items: taken };
    },
    giveBack: (batch) => {
      underWay -= 1;
      first.push(batch);
    },
    succeeded: ({ items: sent, before }) => {
      underWay -= 1;
      if (!before && sent.length >= size) size = Math.min(ceiling, size * 2);
    },
    refused: ({ items: sent, before = { size, ceiling } }) => {
      underWay -= 1;
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
    likelyRequests: () => underWay + first.length + growingRequests(items.length - at, size, ceiling),
  };
}

/** So many inputs in requests that double in size as long as they are answered. */
function growingRequests(count: number, firstRequest: number, ceiling: number): number {
  let requests = 0;
  for (let left = count, size = firstRequest; left > 0; size = Math.min(ceiling, size * 2)) {
    left -= Math.max(1, size);
    requests += 1;
  }
  return requests;
}

/** The likely and the most requests that so many inputs may take, from what is known of the server and of its answers. */
export function requestsFor(
  count: number,
  knownCeiling?: number,
  mostItems = largestSize,
): { least: number; most: number } {
  if (count === 0) return { least: 0, most: 0 };
  if (knownCeiling !== undefined) {
    const exact = Math.ceil(count / Math.min(knownCeiling, mostItems));
    return { least: exact, most: exact };
  }
  const most = Math.min(largestSize, mostItems);
  const least = growingRequests(count, Math.min(firstSize, most), most);
  return { least, most: Math.ceil(count / Math.min(firstSize, most)) };
}
