/** Finds out if a session has two answers to compare, without the comparison itself, which is loaded on demand. */
import { getAnswerVersions, getLanePath } from '../session/turn-tree.ts';
import type { SessionData, Turn } from '../session/types.ts';

/** Returns the turns that a lane shows. */
export function listLaneTurns(data: SessionData, laneIndex: number): readonly Turn[] {
  const lane = data.lanes[data.session.laneIds[laneIndex] ?? ''];
  return lane ? getLanePath(data, lane) : [];
}

/** Returns whether an answer in the shown turns of this lane has several versions. */
export function hasVersions(data: SessionData, laneIndex: number): boolean {
  return listLaneTurns(data, laneIndex).some((turn) => getAnswerVersions(data, turn).length > 1);
}

/** Returns the reason why no two answers can be compared. */
export function getComparisonBlocker(data: SessionData): string | undefined {
  if (!Object.values(data.turns).some((turn) => turn.reply)) return 'No answers yet';
  if (data.session.laneIds.length > 1 || hasVersions(data, 0)) return undefined;
  return 'Add another lane or regenerate an answer first';
}
