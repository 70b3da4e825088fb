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
export interface TokenCandidate {
  index: number;
  probability: number;
}

/**
 * The tokens among which chance decides; their probabilities sum to 1. Likeliest first, but in any order
 * where neither top_k nor top_p limits them.
 * Order of the parameters: bias, repetition, frequency and presence penalty, temperature, top_k, top_p.
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

/** At least as many of the likeliest tokens as top_k and top_p can keep, likeliest first. Sorting all would take long. */
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

/** The first tokens whose weights together reach this sum; at least one. */
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
    // A penalty of 0 cannot divide: it is taken as none.
    if (penalty > 0) scores[index] = score > 0 ? score / penalty : score * penalty;
  }
  for (const [index, count] of seen.answer) {
    scores[index] = (scores[index] ?? 0) - count * settings.frequencyPenalty - settings.presencePenalty;
  }
  return scores;
}

/** The candidate that a uniform number in [0, 1) falls on. */
export function pickCandidate(candidates: readonly TokenCandidate[], uniform: number): number {
  let cumulativeProbability = 0;
  for (const { index, probability } of candidates) {
    cumulativeProbability += probability;
    if (uniform < cumulativeProbability) return index;
  }
  return candidates.at(-1)?.index ?? 0;
}
