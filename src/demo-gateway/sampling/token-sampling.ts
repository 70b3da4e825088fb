/** Sampling parameters of a chat request as defined in textbooks, applied to the scores of a whole vocabulary. */

export interface SamplingSettings {
  /** Temperature; 0 selects the token with the highest score. */
  temperature: number;
  topP: number;
  /** Maximum number of candidates; no limit if 0 or negative. */
  topK: number;
  frequencyPenalty: number;
  presencePenalty: number;
  repetitionPenalty: number;
  /** Additions to the scores, by token index. */
  bias: ReadonlyMap<number, number>;
}

/** Tokens to penalise: tokens of the prompt, and counts of tokens in the answer so far. */
export interface SeenTokens {
  prompt: ReadonlySet<number>;
  answer: ReadonlyMap<number, number>;
}

/** A token that can be sampled, with its probability among all candidates. */
export interface TokenCandidate {
  index: number;
  probability: number;
}

/**
 * Returns the tokens to sample from; their probabilities sum to 1. The most likely come first, but the order is
 * arbitrary if neither top_k nor top_p applies. Parameters are applied in this order: bias, repetition, frequency and
 * presence penalty, temperature, top_k, top_p.
 */
export function getTokenCandidates(
  probabilities: Float64Array,
  settings: SamplingSettings,
  seen: SeenTokens,
): TokenCandidate[] {
  const scores = computeAdjustedScores(probabilities, settings, seen);
  const highest = scores.reduce((max, score) => Math.max(max, score), Number.NEGATIVE_INFINITY);
  if (settings.temperature === 0) return [{ index: scores.indexOf(highest), probability: 1 }];
  const weights = scores.map((score) => Math.exp((score - highest) / settings.temperature));
  const { topK, topP } = settings;
  if (topK <= 0 && topP >= 1) return toNormalizedCandidates(Array.from(weights.keys()), weights);
  const rankedIndexes = rankLikeliest(weights, settings);
  const topKIndexes = topK > 0 ? rankedIndexes.slice(0, topK) : rankedIndexes;
  const totalWeight =
    topK > 0 ? sumWeights(topKIndexes, weights) : weights.reduce((sum, weight) => sum + weight, 0);
  return toNormalizedCandidates(selectNucleus(topKIndexes, weights, topP * totalWeight), weights);
}

/**
 * Returns the most likely tokens in order, at least as many as top_k and top_p can keep. Sorting the whole vocabulary
 * would be slow.
 */
function rankLikeliest(weights: Float64Array, { topK, topP }: SamplingSettings): number[] {
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const indexes = Array.from(weights.keys());
  const compareByWeight = (left: number, right: number) => (weights[right] ?? 0) - (weights[left] ?? 0);
  for (let minWeight = 0.01; minWeight > 1e-9; minWeight /= 100) {
    const heavyIndexes = indexes.filter((index) => (weights[index] ?? 0) >= minWeight);
    const hasEnough =
      topK > 0 ? heavyIndexes.length >= topK : sumWeights(heavyIndexes, weights) >= topP * totalWeight;
    if (hasEnough) return heavyIndexes.toSorted(compareByWeight);
  }
  return indexes.toSorted(compareByWeight);
}

/** Returns the first tokens whose total weight reaches the target, at least one. */
function selectNucleus(
  rankedIndexes: readonly number[],
  weights: Float64Array,
  targetWeight: number,
): number[] {
  let cumulativeWeight = 0;
  const end = rankedIndexes.findIndex((index) => {
    cumulativeWeight += weights[index] ?? 0;
    return cumulativeWeight >= targetWeight;
  });
  return end < 0 ? [...rankedIndexes] : rankedIndexes.slice(0, end + 1);
}

function sumWeights(indexes: readonly number[], weights: Float64Array): number {
  return indexes.reduce((sum, index) => sum + (weights[index] ?? 0), 0);
}

function toNormalizedCandidates(indexes: readonly number[], weights: Float64Array): TokenCandidate[] {
  const sum = sumWeights(indexes, weights);
  return indexes.map((index) => ({ index, probability: (weights[index] ?? 0) / sum }));
}

function computeAdjustedScores(
  probabilities: Float64Array,
  settings: SamplingSettings,
  seen: SeenTokens,
): Float64Array {
  const scores = probabilities.map(Math.log);
  for (const [index, bias] of settings.bias) scores[index] = (scores[index] ?? 0) + bias;
  for (const index of new Set([...seen.prompt, ...seen.answer.keys()])) {
    const score = scores[index] ?? 0;
    const penalty = settings.repetitionPenalty;
    // A penalty of 0 is ignored, since it cannot be a divisor.
    if (penalty > 0) scores[index] = score > 0 ? score / penalty : score * penalty;
  }
  for (const [index, count] of seen.answer) {
    scores[index] = (scores[index] ?? 0) - count * settings.frequencyPenalty - settings.presencePenalty;
  }
  return scores;
}

/** Returns the candidate selected by a uniform number in [0, 1). */
export function pickCandidate(candidates: readonly TokenCandidate[], uniform: number): number {
  let cumulativeProbability = 0;
  for (const { index, probability } of candidates) {
    cumulativeProbability += probability;
    if (uniform < cumulativeProbability) return index;
  }
  return candidates.at(-1)?.index ?? 0;
}
