/** Lists the candidates of a run and resolves which one a turn shows. */
import { countRequestedCandidates, isLive } from '../reply/run.ts';
import type { Choice, Run } from './types.ts';

/**
 * Returns the indexes of existing candidates in order. Indexes without events are skipped, because a gateway may start
 * counting anywhere. While several requested candidates are streaming, those that have not started are included.
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

/** Resolves `requestedIndex` to an existing candidate; a skipped index resolves to the first candidate. */
export function getCandidateIndex(run: Run, requestedIndex = 0): number {
  const candidateIndexes = listCandidateIndexes(run);
  const isIndexMissing = requestedIndex < run.choices.length && !candidateIndexes.includes(requestedIndex);
  return isIndexMissing ? (candidateIndexes[0] ?? 0) : requestedIndex;
}

/** Returns the candidate for `requestedIndex`, a turn's shownChoice or the choice of a parent. */
export function getCandidate(run: Run | undefined, requestedIndex: number | undefined): Choice | undefined {
  return run?.choices[getCandidateIndex(run, requestedIndex)];
}
