import { pluralize } from '../../lib/format.ts';
import { findNewestLeaf, getLanePath, getPathTo } from './turn-tree.ts';
import type { Lane, LaneId, PromptId, SessionData, Turn, TurnId } from './types.ts';

/** One band of the conversation with the replies beneath: a prompt and the turns that show it, in lane order. */
export interface PromptRow {
  promptId: PromptId;
  cells: { laneId: LaneId; turnId: TurnId }[];
  /** From 1, as people count. */
  number: number;
}

/** The conversation as shown: the prompts of all shown paths, each once, in the order they were said. */
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

/** The turn in view: the one with this prompt. It is the last one at the end, where no prompt is named, and where that prompt is not shown any more. */
export function getRowInView(
  rows: readonly PromptRow[],
  promptInView: PromptId | undefined,
): PromptRow | undefined {
  return rows.find(({ promptId }) => promptId === promptInView) ?? rows.at(-1);
}

/**
 * The number of the turn in view, the one with this prompt. It is the last one at the end, where no prompt is named, and
 * where that prompt is not shown any more; 0 where there is none.
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

/** Which turn that is, of how many: "Turn 57 of 300"; undefined where there are no messages yet. */
export function formatTurnPosition(
  data: SessionData,
  promptInView: PromptId | undefined,
): string | undefined {
  const turnCount = getTurnNumberInView(data, undefined);
  return turnCount === 0 ? undefined : `Turn ${getTurnNumberInView(data, promptInView)} of ${turnCount}`;
}

/** The turn of this lane with that number; its last one where it has fewer. */
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
 * Where the version that is shown ends its lane though another one goes on: "2 later turns are in version 1", which is
 * the newest such version. `versions`: of each the turn that a step to it shows.
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

/** How many turns go on below this one. */
function countLaterTurns(data: SessionData, turnId: TurnId): number {
  const leafId = findNewestLeaf(data, turnId);
  return leafId === turnId ? 0 : getPathTo(data, leafId).length - getPathTo(data, turnId).length;
}
