/** The sampling parameters of a chat request by their textbook definitions, on the scores of a whole vocabulary. */

export interface SamplingSettings {
  /** 0 takes the token with the highest score. */
  temperature: number;
  topP: number;
  /** 0 and below: no limit. */
  topK: number;
  frequencyPenalty: number;
  presencePenalty: number;
  repetitionPenalty: number;
  /** Added to the score of the token of this index. */
  bias: ReadonlyMap<number, number>;
}

/** What the penalties look at: tokens of the prompt, and how often each token is in the answer so far. */
export interface SeenTokens {
  prompt: ReadonlySet<number>;
  answer: ReadonlyMap<number, number>;
}

/** A token that may be chosen, with its probability among those that may. */
export interface Candidate {
  index: number;
  probability: number;
}

/**
 * The tokens among which chance decides, likeliest first; their probabilities sum to 1.
 * Order: bias, repetition, frequency and presence penalty, temperature, top_k, top_p.
 */
export function candidatesOf(
  probabilities: Float64Array,
  settings: SamplingSettings,
  seen: SeenTokens,
): Candidate[] {
  const scores = penalizedScores(probabilities, settings, seen);
  // Sorting is stable: of equal scores the token that was counted first comes first.
  const order = Uint32Array.from(scores, (_, index) => index).toSorted(
    (left, right) => (scores[right] ?? 0) - (scores[left] ?? 0),
  );
  const first = order[0];
  if (first === undefined) return [];
  if (settings.temperature === 0) return [{ index: first, probability: 1 }];
  const highest = scores[first] ?? 0;
  const kept = Array.from(settings.topK > 0 ? order.subarray(0, settings.topK) : order);
  const weights = kept.map((index) => Math.exp(((scores[index] ?? 0) - highest) / settings.temperature));
  return normalized(nucleus(kept, weights, settings.topP));
}

function penalizedScores(
  probabilities: Float64Array,
  settings: SamplingSettings,
  seen: SeenTokens,
): Float64Array {
  const scores = probabilities.map(Math.log);
  for (const [index, bias] of settings.bias) scores[index] = (scores[index] ?? 0) + bias;
  for (const index of new Set([...seen.prompt, ...seen.answer.keys()])) {
    const score = scores[index] ?? 0;
    const penalty = settings.repetitionPenalty;
    // A penalty of 0 can not divide: it is taken as none.
    if (penalty > 0) scores[index] = score > 0 ? score / penalty : score * penalty;
  }
  for (const [index, count] of seen.answer) {
    scores[index] = (scores[index] ?? 0) - count * settings.frequencyPenalty - settings.presencePenalty;
  }
  return scores;
}

/** The likeliest tokens whose probabilities together reach topP; at least one. */
function nucleus(order: readonly number[], weights: readonly number[], topP: number): Candidate[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const kept: Candidate[] = [];
  let reached = 0;
  for (const [rank, index] of order.entries()) {
    const probability = (weights[rank] ?? 0) / sum;
    kept.push({ index, probability });
    reached += probability;
    if (topP < 1 && reached >= topP) break;
  }
  return kept;
}

function normalized(candidates: readonly Candidate[]): Candidate[] {
  const sum = candidates.reduce((total, { probability }) => total + probability, 0);
  return candidates.map(({ index, probability }) => ({ index, probability: probability / sum }));
}

/** The candidate that a uniform number in [0, 1) falls on. */
export function chosen(candidates: readonly Candidate[], uniform: number): number {
  let reached = 0;
  for (const { index, probability } of candidates) {
    reached += probability;
    if (uniform < reached) return index;
  }
  return candidates.at(-1)?.index ?? 0;
}
