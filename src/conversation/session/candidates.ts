/** Which candidates a run has, and which of them a turn means. */
import { countRequestedCandidates, isLive } from '../reply/run.ts';
import type { Choice, Run } from './types.ts';

/**
 * The places of the candidates that there are, in order: an index that no event named is none, and a gateway may begin
 * to count anywhere. While several that were asked for arrive, those that have not begun are there, too.
 */
export function listCandidateIndexes(run: Run): number[] {
  const allIndexes = run.choices.map((_, index) => index);
  if (isLive(run) && countRequestedCandidates(run) > 1) return allIndexes;
  const begunIndexes = allIndexes.filter((index) => hasBegun(run.choices[index]));
  return begunIndexes.length > 0 ? begunIndexes : allIndexes.slice(0, 1);
}

function hasBegun(candidate: Choice | undefined): boolean {
  return (
    candidate !== undefined &&
    (candidate.parts.length > 0 || candidate.finishReason !== undefined || candidate.held !== undefined)
  );
}

/** The place of the candidate that is meant by `requestedIndex`; the first that there is where its index was left out. */
export function getCandidateIndex(run: Run, requestedIndex = 0): number {
  const candidateIndexes = listCandidateIndexes(run);
  const isIndexMissing = requestedIndex < run.choices.length && !candidateIndexes.includes(requestedIndex);
  return isIndexMissing ? (candidateIndexes[0] ?? 0) : requestedIndex;
}

/** The candidate that is meant by `requestedIndex`, a turn's shownChoice or a parent's. */
export function getCandidate(run: Run | undefined, requestedIndex: number | undefined): Choice | undefined {
  return run?.choices[getCandidateIndex(run, requestedIndex)];
}
