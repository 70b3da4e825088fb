import { estimateTokens } from '../../conversation/request/request.ts';
import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import { longestLength, mostItemsOf } from './build-embeddings-request.ts';
import { requestsFor } from './embedding-batches.ts';
import { keysOf } from './embedding-items.ts';
import type { JobSetup } from './embedding-job-types.ts';
import { readCeiling } from './embedding-notes.ts';

/** What embedding would cost, before anything is spent. */
export interface EmbeddingPlan {
  /** Inputs; the same one twice counts once. */
  inputs: number;
  /** Stored already. */
  known: number;
  toSend: number;
  /** Their number depends on how many texts the server takes at once; the least is the likely one. */
  requests: { least: number; most: number };
  /** Of what is to be sent: exact of token lists, counted here of texts. */
  tokens: number;
}

/** Looks up what is stored; sends nothing. */
export async function planEmbedding(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  vectors: VectorStore,
): Promise<EmbeddingPlan> {
  const keys = await keysOf(setup, inputs);
  const first = new Map(keys.map((key, index) => [key, index]));
  const unique = [...first.keys()];
  const stored = await vectors.has(unique);
  const missing = unique.filter((_, index) => stored[index] !== true);
  const ceiling = await readCeiling(vectors, setup.model);
  const tokens = missing.reduce((sum, key) => {
    const input = inputs[first.get(key) ?? 0] ?? '';
    return sum + (typeof input === 'string' ? estimateTokens(input) : input.length);
  }, 0);
  const [inputCount, toSend] = [unique.length, missing.length];
  return {
    inputs: inputCount,
    known: inputCount - toSend,
    toSend,
    requests: requestsFor(toSend, ceiling, mostItemsOf(setup.format, setup.dimensions ?? longestLength)),
    tokens,
  };
}

/** What several models would cost together; undefined of none. */
export function sumOfPlans(plans: readonly EmbeddingPlan[]): EmbeddingPlan | undefined {
  return plans.length === 0
    ? undefined
    : plans.reduce((sum, plan) => ({
        inputs: sum.inputs + plan.inputs,
        known: sum.known + plan.known,
        toSend: sum.toSend + plan.toSend,
        tokens: sum.tokens + plan.tokens,
        requests: {
          least: sum.requests.least + plan.requests.least,
          most: sum.requests.most + plan.requests.most,
        },
      }));
}
