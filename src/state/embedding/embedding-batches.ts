/**
 * Which inputs go into one request. How many a server takes differs from 10 to 2,048 and is nowhere said: the size
 * doubles with each success and halves with each refusal, and one bad text is found by halving, so that it never
 * costs the others.
 */

/** Some of the inputs, by their number. */
export interface Batch {
  items: readonly number[];
  /** Set on the halves of a refused batch: what held before, if it turns out that one input was to blame. */
  beforeSplit?: { size: number; ceiling: number };
}

export interface Batches {
  /** What to send next; undefined when all have been handed out. */
  next: () => Batch | undefined;
  /** It was not sent: it comes first again. */
  requeue: (batch: Batch) => void;
  onSuccess: (batch: Batch) => void;
  /** Refused for what is in it. Returns the input that is to blame once it stands alone. */
  onRejected: (batch: Batch) => number | undefined;
  /** How many inputs the next request may have. */
  getNextSize: () => number;
  /** As many as this server was found to take; undefined where it has refused none for their number. */
  getCeiling: () => number | undefined;
  /** Not handed out yet, halves of refused batches among them. */
  countRemaining: () => number;
  /** Requests that are likely still to be answered, those under way among them. */
  countLikelyRequests: () => number;
}

const initialBatchSize = 32;
/** The largest batch that any known server takes. */
const maxBatchSize = 2048;
/** Of one request's body. */
const maxRequestChars = 400_000;

interface BatchOptions {
  /** Characters of each input, by its number. */
  getLength: (item: number) => number;
  /** As many as the server was found to take at an earlier time. */
  knownCeiling?: number;
  /** More than these would make an answer too large to read. */
  maxItems?: number;
}

export function createBatches(items: readonly number[], options: BatchOptions): Batches {
  const maxSize = Math.max(1, Math.min(maxBatchSize, options.maxItems ?? maxBatchSize));
  let ceiling = Math.min(maxSize, options.knownCeiling ?? maxSize);
  let size = Math.min(ceiling, options.knownCeiling ?? initialBatchSize);
  let nextIndex = 0;
  let inFlightCount = 0;
  /** Halves and batches that came back, the next one last. */
  const requeued: Batch[] = [];

  return {
    next: () => {
      const requeuedBatch = requeued.pop();
      if (requeuedBatch) {
        inFlightCount += 1;
        return requeuedBatch;
      }
      const batchItems: number[] = [];
      let charCount = 0;
      for (
        let item = items[nextIndex];
        item !== undefined && batchItems.length < size;
        item = items[nextIndex]
      ) {
        charCount += options.getLength(item);
        if (batchItems.length > 0 && charCount > maxRequestChars) break;
        batchItems.push(item);
        nextIndex += 1;
      }
      if (batchItems.length === 0) return undefined;
      inFlightCount += 1;
      return { items: batchItems };
    },
    requeue: (batch) => {
      inFlightCount -= 1;
      requeued.push(batch);
    },
    onSuccess: ({ items: batchItems, beforeSplit }) => {
      inFlightCount -= 1;
      if (!beforeSplit && batchItems.length >= size) size = Math.min(ceiling, size * 2);
    },
    onRejected: ({ items: batchItems, beforeSplit = { size, ceiling } }) => {
      inFlightCount -= 1;
      if (batchItems.length === 1) {
        ({ size, ceiling } = beforeSplit);
        return batchItems[0];
      }
      const half = Math.ceil(batchItems.length / 2);
      ceiling = Math.min(ceiling, half);
      size = Math.min(size, half);
      requeued.push(
        { items: batchItems.slice(half), beforeSplit },
        { items: batchItems.slice(0, half), beforeSplit },
      );
      return undefined;
    },
    getNextSize: () => size,
    getCeiling: () => (ceiling < maxSize ? ceiling : undefined),
    countRemaining: () =>
      items.length - nextIndex + requeued.reduce((sum, batch) => sum + batch.items.length, 0),
    countLikelyRequests: () =>
      inFlightCount + requeued.length + countGrowingRequests(items.length - nextIndex, size, ceiling),
  };
}

/** So many inputs in requests that double in size as long as they are answered. */
function countGrowingRequests(count: number, initialSize: number, ceiling: number): number {
  let requests = 0;
  for (let remaining = count, size = initialSize; remaining > 0; size = Math.min(ceiling, size * 2)) {
    remaining -= Math.max(1, size);
    requests += 1;
  }
  return requests;
}

/** The likely and the most requests that so many inputs may take, from what is known of the server and of its answers. */
export function estimateRequests(
  count: number,
  knownCeiling?: number,
  maxItems = maxBatchSize,
): { min: number; max: number } {
  if (count === 0) return { min: 0, max: 0 };
  if (knownCeiling !== undefined) {
    const exact = Math.ceil(count / Math.min(knownCeiling, maxItems));
    return { min: exact, max: exact };
  }
  const maxSize = Math.min(maxBatchSize, maxItems);
  const min = countGrowingRequests(count, Math.min(initialBatchSize, maxSize), maxSize);
  return { min, max: Math.ceil(count / Math.min(initialBatchSize, maxSize)) };
}
