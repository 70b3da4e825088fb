import { groupBy } from 'es-toolkit';

import { estimateTokens } from '../../conversation/request/request.ts';
import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import { assumedVectorLength, getMaxItems } from './build-embeddings-request.ts';
import { estimateRequests } from './embedding-batches.ts';
import { computeKeys } from './embedding-items.ts';
import type { JobSetup } from './embedding-job-types.ts';
import { readCeiling } from './embedding-notes.ts';

/** Cost of an embedding job, estimated before it starts. */
export interface EmbeddingPlan {
  /** Name of the gateway; absent for the first one. */
  gateway?: string;
  /** Number of inputs; duplicates count once. */
  inputCount: number;
  /** Number of inputs already stored. */
  storedCount: number;
  sendCount: number;
  /** Number of requests, depending on the batch size that the server accepts; `min` is the likely one. */
  requests: { min: number; max: number };
  /** Tokens to be sent: exact for token lists, estimated for texts. */
  tokens: number;
}

/** Plans a job by looking up stored vectors; sends nothing. */
export async function planEmbedding(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  vectors: VectorStore,
): Promise<EmbeddingPlan> {
  const keys = await computeKeys(setup, inputs);
  const indexByKey = new Map(keys.map((key, index) => [key, index]));
  const uniqueKeys = [...indexByKey.keys()];
  const stored = await vectors.has(uniqueKeys);
  const missingKeys = uniqueKeys.filter((_, index) => stored[index] !== true);
  const ceiling = await readCeiling(vectors, setup);
  const tokens = missingKeys.reduce((sum, key) => {
    const input = inputs[indexByKey.get(key) ?? 0] ?? '';
    return sum + (typeof input === 'string' ? estimateTokens(input) : input.length);
  }, 0);
  const [inputCount, sendCount] = [uniqueKeys.length, missingKeys.length];
  return {
    ...(setup.gateway === undefined ? {} : { gateway: setup.gateway }),
    inputCount,
    storedCount: inputCount - sendCount,
    sendCount,
    requests: estimateRequests(
      sendCount,
      ceiling,
      getMaxItems(setup.format, setup.dimensions ?? assumedVectorLength),
    ),
    tokens,
  };
}

/** Returns the sum of the plans of several models for each gateway, since each gateway has its own rate limit. */
export function sumPlansByGateway(plans: readonly EmbeddingPlan[]): EmbeddingPlan[] {
  return Object.values(groupBy(plans, ({ gateway = '' }) => gateway)).map((group) =>
    group.reduce((sum, plan) => ({
      ...plan,
      inputCount: sum.inputCount + plan.inputCount,
      storedCount: sum.storedCount + plan.storedCount,
      sendCount: sum.sendCount + plan.sendCount,
      tokens: sum.tokens + plan.tokens,
      requests: {
        min: sum.requests.min + plan.requests.min,
        max: sum.requests.max + plan.requests.max,
      },
    })),
  );
}
