/** Screen reader announcements for answers: when they are sent and end and, if enabled, sentence by sentence. */
import { formatList } from '../../lib/format.ts';
import { getEnding } from '../reply/ending.ts';
import { isLive } from '../reply/run.ts';
import { getLaneLetter, findTurnByRun } from './turn-tree.ts';
import type { Run, RunId, SessionData } from './types.ts';

/** Returns the letter of the lane that shows this run. */
export function getRunLetter(data: SessionData, runId: RunId): string {
  const turn = findTurnByRun(data, runId);
  return getLaneLetter(Math.max(0, data.session.laneIds.indexOf(turn?.laneId ?? '')));
}

function formatLanes(letters: readonly string[]): string {
  return `${letters.length === 1 ? 'Lane' : 'Lanes'} ${formatList(letters)}`;
}

/** Returns "Sent to lane A." or "Sent to 3 lanes." */
export function describeSentRuns(data: SessionData, runIds: readonly RunId[]): string {
  const [onlyRunId] = runIds;
  if (onlyRunId !== undefined && runIds.length === 1) return `Sent to lane ${getRunLetter(data, onlyRunId)}.`;
  return `Sent to ${runIds.length} lanes.`;
}

/**
 * Returns a text such as "Lanes A and B done. C failed: The provider is overloaded.", or an empty string if no run has
 * ended.
 */
export function describeEndedRuns(data: SessionData, runs: readonly Run[]): string {
  const endedRuns = runs
    .filter((run) => !isLive(run))
    .map((run) => ({ run, letter: getRunLetter(data, run.id), ending: getEnding(run) }))
    .toSorted((a, b) => (a.letter < b.letter ? -1 : 1));
  const doneLetters = [...new Set(endedRuns.filter(({ ending }) => !ending).map(({ letter }) => letter))];
  const otherSentences = endedRuns.flatMap(({ run, letter, ending }) => {
    if (!ending) return [];
    const name = doneLetters.length > 0 ? letter : `Lane ${letter}`;
    return [run.phase.name === 'failed' ? `${name} failed: ${ending.title}.` : `${name}: ${ending.title}.`];
  });
  return [...(doneLetters.length > 0 ? [`${formatLanes(doneLetters)} done.`] : []), ...otherSentences].join(
    ' ',
  );
}

const sentenceEndPattern =
  /(?<!^[^\S\n]*\d{1,3})[.!?…]["'”’)\]*_]*(?=\s)|\n(?:[^\S\n]*\n)+|\n(?=[^\S\n]*(?:[-*+>#|]|\d{1,3}[.)])\s)/gmu;
const fencePattern = /^[ \t]*(?:```|~~~)/gm;

/**
 * Returns the end of the last complete sentence after `startOffset`, or `startOffset` if there is none. A code block
 * counts as one sentence.
 */
export function findSentenceEnd(text: string, startOffset: number): number {
  const fenceEnds = Array.from(text.matchAll(fencePattern), ({ index, 0: match }) => index + match.length);
  let fenceCount = 0;
  let endOffset = startOffset;
  for (const { index, 0: match } of text.matchAll(sentenceEndPattern)) {
    const end = index + match.length;
    while ((fenceEnds[fenceCount] ?? Number.POSITIVE_INFINITY) <= end) fenceCount += 1;
    const isInCode = fenceCount % 2 === 1;
    if (end > startOffset && !isInCode) endOffset = end;
  }
  return endOffset;
}
