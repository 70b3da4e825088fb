/** What is said of answers to who cannot see them: when they are sent and end, and, where asked for, sentence by sentence. */
import { endingOf } from '../reply/ending.ts';
import { isLive } from '../reply/run.ts';
import { laneLetter, turnOfRun } from './turn-tree.ts';
import type { Run, RunId, SessionData } from './types.ts';

/** The letter of the lane that shows this run. */
export function letterOfRun(data: SessionData, runId: RunId): string {
  const turn = turnOfRun(data, runId);
  return laneLetter(Math.max(0, data.session.laneIds.indexOf(turn?.laneId ?? '')));
}

/** "A", "A and B", "A, B and C" */
function listed(letters: readonly string[]): string {
  return letters.length < 2 ? letters.join('') : `${letters.slice(0, -1).join(', ')} and ${letters.at(-1)}`;
}

function laneWords(letters: readonly string[]): string {
  return `${letters.length === 1 ? 'Lane' : 'Lanes'} ${listed(letters)}`;
}

/** "Sent to lane A." or "Sent to 3 lanes." */
export function sentSentence(data: SessionData, runIds: readonly RunId[]): string {
  const [only] = runIds;
  if (only !== undefined && runIds.length === 1) return `Sent to lane ${letterOfRun(data, only)}.`;
  return `Sent to ${runIds.length} lanes.`;
}

/** "Lanes A and B done. C failed: The provider is overloaded." Empty where none has ended. */
export function endSentence(data: SessionData, runs: readonly Run[]): string {
  const ended = runs
    .filter((run) => !isLive(run))
    .map((run) => ({ run, letter: letterOfRun(data, run.id), ending: endingOf(run) }))
    .toSorted((one, other) => (one.letter < other.letter ? -1 : 1));
  const done = ended.filter(({ ending }) => !ending).map(({ letter }) => letter);
  const others = ended.flatMap(({ run, letter, ending }) => {
    if (!ending) return [];
    const name = done.length > 0 ? letter : `Lane ${letter}`;
    return [run.phase.name === 'failed' ? `${name} failed: ${ending.title}.` : `${name}: ${ending.title}.`];
  });
  return [...(done.length > 0 ? [`${laneWords(done)} done.`] : []), ...others].join(' ');
}

const sentenceEnd =
  /(?<!^[^\S\n]*\d{1,3})[.!?…]["'”’)\]*_]*(?=\s)|\n(?:[^\S\n]*\n)+|\n(?=[^\S\n]*(?:[-*+>#|]|\d{1,3}[.)])\s)/gmu;
const fence = /^[ \t]*(?:```|~~~)/gm;

/** Up to where the text holds whole sentences, from `from` on; `from` itself where there is none yet. Code is one piece. */
export function wholeSentencesUpTo(text: string, from: number): number {
  const fenceEnds = Array.from(text.matchAll(fence), ({ index, 0: found }) => index + found.length);
  let fences = 0;
  let upTo = from;
  for (const { index, 0: found } of text.matchAll(sentenceEnd)) {
    const end = index + found.length;
    while ((fenceEnds[fences] ?? Number.POSITIVE_INFINITY) <= end) fences += 1;
    const isInCode = fences % 2 === 1;
    if (end > from && !isInCode) upTo = end;
  }
  return upTo;
}
