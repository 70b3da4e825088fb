/** Which candidates a run has, and which of them a turn means. */
import { countRequestedCandidates, isLive } from '../reply/run.ts';
import type { Choice, Run } from './types.ts';

/**
 * The places of the candidates that there are, in order: an index that no event named is none, and a gateway may begin
 * to count anywhere. While several that were asked for arrive, those that have not begun are there, too.
 */
export function listCandidates(run: Run): number[] {
  const allIndexes = run.choices.map((_, index) => index);
  if (isLive(run) && countRequestedCandidates(run) > 1) return allIndexes;
  const begunIndexes = allIndexes.filter((index) => hasBegun(run.choices[index]));
  return begunIndexes.length > 0 ? begunIndexes : allIndexes.slice(0, 1);
}

function hasBegun(choice: Choice | undefined): boolean {
  return (
    choice !== undefined &&
    (choice.parts.length > 0 || choice.finishReason !== undefined || choice.held !== undefined)
  );
}

/** The place of the candidate that is meant by `choice`; the first that there is where its index was left out. */
export function getCandidateIndex(run: Run, choice = 0): number {
  const candidates = listCandidates(run);
  const isIndexMissing = choice < run.choices.length && !candidates.includes(choice);
  return isIndexMissing ? (candidates[0] ?? 0) : choice;
}

/** The candidate that is meant by `choice`, a turn's shownChoice or a parent's. */
export function getCandidate(run: Run | undefined, choice: number | undefined): Choice | undefined {
  return run?.choices[getCandidateIndex(run, choice)];
}
