import { estimateTokens } from '../../conversation/request/request.ts';
import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import { assumedVectorLength, getMaxItems } from './build-embeddings-request.ts';
import { estimateRequests } from './embedding-batches.ts';
import { computeKeys } from './embedding-items.ts';
import type { JobSetup } from './embedding-job-types.ts';
import { readCeiling } from './embedding-notes.ts';

/** What embedding would cost, before anything is spent. */
export interface EmbeddingPlan {
  /** Inputs; the same one twice counts once. */
  inputCount: number;
  /** Stored already. */
  storedCount: number;
  sendCount: number;
  /** Their number depends on how many texts the server takes at once; the least is the likely one. */
  requests: { min: number; max: number };
  /** Of what is to be sent: exact of token lists, counted here of texts. */
  tokens: number;
}

/** Looks up what is stored; sends nothing. */
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
  const ceiling = await readCeiling(vectors, setup.model);
  const tokens = missingKeys.reduce((sum, key) => {
    const input = inputs[indexByKey.get(key) ?? 0] ?? '';
    return sum + (typeof input === 'string' ? estimateTokens(input) : input.length);
  }, 0);
  const [inputCount, sendCount] = [uniqueKeys.length, missingKeys.length];
  return {
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

/** What several models would cost together; undefined of none. */
export function sumPlans(plans: readonly EmbeddingPlan[]): EmbeddingPlan | undefined {
  return plans.length === 0
    ? undefined
    : plans.reduce((sum, plan) => ({
        inputCount: sum.inputCount + plan.inputCount,
        storedCount: sum.storedCount + plan.storedCount,
        sendCount: sum.sendCount + plan.sendCount,
        tokens: sum.tokens + plan.tokens,
        requests: {
          min: sum.requests.min + plan.requests.min,
          max: sum.requests.max + plan.requests.max,
        },
      }));
}
