import { pluralize } from '../../lib/format.ts';
import { findNewestLeaf, getLanePath, getPathTo } from './turn-tree.ts';
import type { Lane, LaneId, PromptId, SessionData, Turn, TurnId } from './types.ts';

/** Row of the conversation: a prompt and its turns in lane order. */
export interface PromptRow {
  promptId: PromptId;
  cells: { laneId: LaneId; turnId: TurnId }[];
  /** Number of the turn, from 1. */
  number: number;
}

/** Returns the prompts of all shown paths in order, without duplicates. */
export function buildPromptRows(data: SessionData): PromptRow[] {
  const rows = new Map<PromptId, PromptRow>();
  for (const laneId of data.session.laneIds) {
    const lane = data.lanes[laneId];
    if (!lane) continue;
    for (const [index, turn] of getLanePath(data, lane).entries()) {
      const row = rows.get(turn.promptId) ?? { promptId: turn.promptId, cells: [], number: index + 1 };
      row.cells.push({ laneId, turnId: turn.id });
      rows.set(turn.promptId, row);
    }
  }
  const getSeq = (row: PromptRow) => data.prompts[row.promptId]?.seq ?? 0;
  return [...rows.values()].toSorted((a, b) => a.number - b.number || getSeq(a) - getSeq(b));
}

/** Returns the row of this prompt, or the last row if no prompt is given or the prompt is no longer shown. */
export function getRowInView(
  rows: readonly PromptRow[],
  promptInView: PromptId | undefined,
): PromptRow | undefined {
  return rows.find(({ promptId }) => promptId === promptInView) ?? rows.at(-1);
}

/**
 * Returns the turn number of this prompt, or the last number if no prompt is given or the prompt is no longer shown; 0
 * without turns.
 */
export function getTurnNumberInView(data: SessionData, promptInView: PromptId | undefined): number {
  const paths = data.session.laneIds.flatMap((id) => {
    const lane = data.lanes[id];
    return lane ? [getLanePath(data, lane)] : [];
  });
  const lastNumber = Math.max(0, ...paths.map(({ length }) => length));
  if (promptInView === undefined) return lastNumber;
  const indexes = paths.map((path) => path.findIndex(({ promptId }) => promptId === promptInView));
  return indexes.find((index) => index >= 0) === undefined ? lastNumber : Math.max(...indexes) + 1;
}

/** Returns the position of the turn, such as "Turn 57 of 300", or `undefined` without messages. */
export function formatTurnPosition(
  data: SessionData,
  promptInView: PromptId | undefined,
): string | undefined {
  const turnCount = getTurnNumberInView(data, undefined);
  return turnCount === 0 ? undefined : `Turn ${getTurnNumberInView(data, promptInView)} of ${turnCount}`;
}

/** Returns the turn of this lane with the current turn number, or its last turn if it has fewer. */
export function getTurnInView(
  data: SessionData,
  lane: Lane,
  promptInView: PromptId | undefined,
): Turn | undefined {
  if (promptInView === undefined) return data.turns[lane.tip ?? ''];
  const path = getLanePath(data, lane);
  return path[Math.min(getTurnNumberInView(data, promptInView), path.length) - 1];
}

/**
 * Returns a text such as "2 later turns are in version 1" if the shown version ends its lane but another version
 * continues. Names the newest such version; `versions` contains the turn shown for each version.
 */
export function describeLaterTurns(
  data: SessionData,
  versions: readonly (Turn | undefined)[],
  shownTurnId: TurnId,
): string | undefined {
  if (countLaterTurns(data, shownTurnId) > 0) return undefined;
  const counts = versions.map((turn) => (turn ? countLaterTurns(data, turn.id) : 0));
  const versionIndex = counts.findLastIndex((count) => count > 0);
  const count = counts[versionIndex];
  if (count === undefined) return undefined;
  return `${pluralize(count, 'later turn')} ${count === 1 ? 'is' : 'are'} in version ${versionIndex + 1}`;
}

/** Counts the turns that follow this one. */
function countLaterTurns(data: SessionData, turnId: TurnId): number {
  const leafId = findNewestLeaf(data, turnId);
  return leafId === turnId ? 0 : getPathTo(data, leafId).length - getPathTo(data, turnId).length;
}
