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
 * The tokens among which chance decides; their probabilities sum to 1. Likeliest first, but in any order
 * where neither top_k nor top_p limits them.
 * Order of the parameters: bias, repetition, frequency and presence penalty, temperature, top_k, top_p.
 */
export function candidatesOf(
  probabilities: Float64Array,
  settings: SamplingSettings,
  seen: SeenTokens,
): Candidate[] {
  const scores = penalizedScores(probabilities, settings, seen);
  const highest = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  if (settings.temperature === 0) return [{ index: scores.indexOf(highest), probability: 1 }];
  const weights = scores.map((score) => Math.exp((score - highest) / settings.temperature));
  const { topK, topP } = settings;
  if (topK <= 0 && topP >= 1) return normalized(Array.from(weights.keys()), weights);
  const ranked = likeliest(weights, settings);
  const kept = topK > 0 ? ranked.slice(0, topK) : ranked;
  const all = topK > 0 ? sumOf(kept, weights) : weights.reduce((sum, weight) => sum + weight, 0);
  return normalized(nucleus(kept, weights, topP * all), weights);
}

/** At least as many of the likeliest tokens as top_k and top_p can keep, likeliest first. Sorting all would take long. */
function likeliest(weights: Float64Array, { topK, topP }: SamplingSettings): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const indexes = Array.from(weights.keys());
  const byWeight = (left: number, right: number) => (weights[right] ?? 0) - (weights[left] ?? 0);
  for (let least = 0.01; least > 1e-9; least /= 100) {
    const heavy = indexes.filter((index) => (weights[index] ?? 0) >= least);
    const areEnough = topK > 0 ? heavy.length >= topK : sumOf(heavy, weights) >= topP * all;
    if (areEnough) return heavy.toSorted(byWeight);
  }
  return indexes.toSorted(byWeight);
}

/** The first tokens whose weights together reach this sum; at least one. */
function nucleus(ranked: readonly number[], weights: Float64Array, enough: number): number[] {
  let reached = 0;
  const end = ranked.findIndex((index) => {
    reached += weights[index] ?? 0;
    return reached >= enough;
  });
  return end < 0 ? [...ranked] : ranked.slice(0, end + 1);
}

function sumOf(indexes: readonly number[], weights: Float64Array): number {
  return indexes.reduce((sum, index) => sum + (weights[index] ?? 0), 0);
}

function normalized(indexes: readonly number[], weights: Float64Array): Candidate[] {
  const sum = sumOf(indexes, weights);
  return indexes.map((index) => ({ index, probability: (weights[index] ?? 0) / sum }));
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
    // A penalty of 0 cannot divide: it is taken as none.
    if (penalty > 0) scores[index] = score > 0 ? score / penalty : score * penalty;
  }
  for (const [index, count] of seen.answer) {
    scores[index] = (scores[index] ?? 0) - count * settings.frequencyPenalty - settings.presencePenalty;
  }
  return scores;
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
