/** Answers that can be compared in one turn: each lane's, and each version of it. */
import { getAnswerText, isLive } from '../reply/run.ts';
import { getContentText } from '../request/request.ts';
import { getCandidate } from '../session/candidates.ts';
import { getAnswerVersions, getLaneLetter, getManualReply, getPathTo, getRun } from '../session/turn-tree.ts';
import type { SessionData, Turn, TurnId } from '../session/types.ts';
import { hasVersions, listLaneTurns } from './comparison-blocker.ts';

export interface ComparedAnswer {
  turnId: TurnId;
  laneIndex: number;
  /** Such as "Lane A", or "A, version 2" if there are several versions. */
  label: string;
  /** True for the version that the conversation shows. */
  isShown: boolean;
}

/** Indexes of two lanes, or twice the same index to compare versions in one lane. */
export type LanePair = readonly [first: number, second: number];

/** Returns the number of turns of the longest lane. */
export function countTurns(data: SessionData): number {
  return Math.max(0, ...data.session.laneIds.map((_, index) => listLaneTurns(data, index).length));
}

/** Returns all pairs of lanes, then each lane with several versions of an answer. */
export function listLanePairs(data: SessionData): LanePair[] {
  const indexes = data.session.laneIds.map((_, index) => index);
  return [
    ...indexes.flatMap((first) => indexes.slice(first + 1).map((second): LanePair => [first, second])),
    ...indexes.filter((index) => hasVersions(data, index)).map((index): LanePair => [index, index]),
  ];
}

/** Returns all versions of the answers in the turn with this number, from 1, in the order of the lanes. */
export function listComparedAnswers(data: SessionData, turnNumber: number): ComparedAnswer[] {
  return data.session.laneIds.flatMap((_, laneIndex) => {
    const shownTurn = listLaneTurns(data, laneIndex)[turnNumber - 1];
    const versions = shownTurn ? getAnswerVersions(data, shownTurn) : [];
    const letter = getLaneLetter(laneIndex);
    return versions.map(({ id }, index) => ({
      turnId: id,
      laneIndex,
      label: versions.length > 1 ? `${letter}, version ${index + 1}` : `Lane ${letter}`,
      isShown: id === shownTurn?.id,
    }));
  });
}

/** Returns the shown answers of two lanes, or the shown answer of one lane and the version before or after it. */
export function getDefaultAnswers(
  answers: readonly ComparedAnswer[],
  [first, second]: LanePair,
): [ComparedAnswer | undefined, ComparedAnswer | undefined] {
  const findShown = (laneIndex: number) =>
    answers.find((answer) => answer.laneIndex === laneIndex && answer.isShown);
  if (first !== second) return [findShown(first), findShown(second)];
  const versions = answers.filter(({ laneIndex }) => laneIndex === first);
  const start = Math.max(0, versions.findIndex(({ isShown }) => isShown) - 1);
  return [versions[start], versions[start + 1]];
}

/** Returns the text of this answer; empty while it streams, because only complete answers are compared. */
export function getComparedText(data: SessionData, turnId: TurnId | undefined): string {
  const turn = turnId === undefined ? undefined : data.turns[turnId];
  const manualReply = getManualReply(turn);
  if (manualReply) return getContentText(manualReply.content);
  const run = getRun(data, turn);
  return run && isLive(run) ? '' : getAnswerText(getCandidate(run, turn?.shownChoice));
}

/** Describes where an answer is, such as "B, turn 2, version 1". The letter is omitted if there is only one lane. */
export function describeAnswer(data: SessionData, turn: Turn): string {
  const versions = getAnswerVersions(data, turn);
  return [
    ...(data.session.laneIds.length > 1 ? [getLaneLetter(data.session.laneIds.indexOf(turn.laneId))] : []),
    `turn ${getPathTo(data, turn.id).length}`,
    ...(versions.length > 1 ? [`version ${versions.indexOf(turn) + 1}`] : []),
  ].join(', ');
}
