/**
 * Chooses the inputs of each request. Server limits vary from 10 to 2,048 and are not documented, so the size doubles
 * after a success and halves after a rejection. Halving also isolates a bad text, so the others are not lost.
 */

/** A batch of inputs, given by their indexes. */
export interface Batch {
  items: readonly number[];
  /** Set on the halves of a rejected batch: size and ceiling to restore if a single input turns out to be the cause. */
  beforeSplit?: { size: number; ceiling: number };
}

export interface Batches {
  /** Returns the next batch, or undefined if none is left. */
  next: () => Batch | undefined;
  /** Puts back a batch that was not sent; it comes first again. */
  requeue: (batch: Batch) => void;
  onSuccess: (batch: Batch) => void;
  /** Handles a batch that was rejected for its content. Returns the faulty input once it was sent alone. */
  onRejected: (batch: Batch) => number | undefined;
  /** Returns the maximum number of inputs of the next request. */
  getNextSize: () => number;
  /** Returns the largest size known to be accepted; undefined if the server has not rejected a batch for its size. */
  getCeiling: () => number | undefined;
  /** Returns the number of inputs not yet sent, including halves of rejected batches. */
  countRemaining: () => number;
  /** Returns the expected number of remaining requests, including those in flight. */
  countLikelyRequests: () => number;
}

const initialBatchSize = 32;
/** Largest batch accepted by any known server. */
const maxBatchSize = 2048;
/** Maximum characters in a request body. */
const maxRequestChars = 400_000;

interface BatchOptions {
  /** Returns the characters of an input, by index. */
  getLength: (item: number) => number;
  /** Batch size that the server accepted earlier. */
  knownCeiling?: number;
  /** Maximum number of inputs per request, so that the response stays readable. */
  maxItems?: number;
}

export function createBatches(items: readonly number[], options: BatchOptions): Batches {
  const maxSize = Math.max(1, Math.min(maxBatchSize, options.maxItems ?? maxBatchSize));
  let ceiling = Math.min(maxSize, options.knownCeiling ?? maxSize);
  let size = Math.min(ceiling, options.knownCeiling ?? initialBatchSize);
  let nextIndex = 0;
  let inFlightCount = 0;
  /** Halves of rejected batches and requeued batches; the last one is sent next. */
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

/** Returns the number of requests for `count` inputs if the batch size doubles each time. */
function countGrowingRequests(count: number, initialSize: number, ceiling: number): number {
  let requests = 0;
  for (let remaining = count, size = initialSize; remaining > 0; size = Math.min(ceiling, size * 2)) {
    remaining -= Math.max(1, size);
    requests += 1;
  }
  return requests;
}

/** Returns the likely and the maximum number of requests for `count` inputs, based on known limits of the server. */
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
