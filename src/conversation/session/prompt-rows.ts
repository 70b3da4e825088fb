import { pluralize } from '../../lib/format.ts';
import { newestLeaf, pathOf, pathTo } from './turn-tree.ts';
import type { Lane, LaneId, PromptId, SessionData, Turn, TurnId } from './types.ts';

/** One band of the conversation with the replies beneath: a prompt and the turns that show it, in lane order. */
export interface Row {
  promptId: PromptId;
  cells: { laneId: LaneId; turnId: TurnId }[];
  /** From 1, as people count. */
  number: number;
}

/** The conversation as shown: the prompts of all shown paths, each once, in the order they were said. */
export function rowsOf(data: SessionData): Row[] {
  const rows = new Map<PromptId, Row>();
  for (const laneId of data.session.laneIds) {
    const lane = data.lanes[laneId];
    if (!lane) continue;
    for (const [index, turn] of pathOf(data, lane).entries()) {
      const row = rows.get(turn.promptId) ?? { promptId: turn.promptId, cells: [], number: index + 1 };
      row.cells.push({ laneId, turnId: turn.id });
      rows.set(turn.promptId, row);
    }
  }
  const seq = (row: Row) => data.prompts[row.promptId]?.seq ?? 0;
  return [...rows.values()].toSorted((one, other) => one.number - other.number || seq(one) - seq(other));
}

/** The turn in view: the one with this prompt. It is the last one at the end, where no prompt is named, and where that prompt is not shown any more. */
export function rowInView(rows: readonly Row[], promptInView: PromptId | undefined): Row | undefined {
  return rows.find(({ promptId }) => promptId === promptInView) ?? rows.at(-1);
}

/**
 * The number of the turn in view, the one with this prompt. It is the last one at the end, where no prompt is named, and
 * where that prompt is not shown any more; 0 where there is none.
 */
export function turnNumberInView(data: SessionData, promptInView: PromptId | undefined): number {
  const paths = data.session.laneIds.flatMap((id) => {
    const lane = data.lanes[id];
    return lane ? [pathOf(data, lane)] : [];
  });
  const last = Math.max(0, ...paths.map(({ length }) => length));
  if (promptInView === undefined) return last;
  const index = paths.map((path) => path.findIndex(({ promptId }) => promptId === promptInView));
  return index.find((at) => at >= 0) === undefined ? last : Math.max(...index) + 1;
}

/** Which turn that is, of how many: "Turn 57 of 300"; undefined where there are no messages yet. */
export function turnWords(data: SessionData, promptInView: PromptId | undefined): string | undefined {
  const last = turnNumberInView(data, undefined);
  return last === 0 ? undefined : `Turn ${turnNumberInView(data, promptInView)} of ${last}`;
}

/** The turn of this lane with that number; its last one where it has fewer. */
export function turnInView(
  data: SessionData,
  lane: Lane,
  promptInView: PromptId | undefined,
): Turn | undefined {
  if (promptInView === undefined) return data.turns[lane.tip ?? ''];
  const path = pathOf(data, lane);
  return path[Math.min(turnNumberInView(data, promptInView), path.length) - 1];
}

/**
 * Where the version that is shown ends its lane though another one goes on: "2 later turns are in version 1", which is
 * the newest such version. `versions`: of each the turn that a step to it shows.
 */
export function laterWords(
  data: SessionData,
  versions: readonly (Turn | undefined)[],
  shown: TurnId,
): string | undefined {
  if (laterTurns(data, shown) > 0) return undefined;
  const counts = versions.map((turn) => (turn ? laterTurns(data, turn.id) : 0));
  const at = counts.findLastIndex((count) => count > 0);
  const count = counts[at];
  if (count === undefined) return undefined;
  return `${pluralize(count, 'later turn')} ${count === 1 ? 'is' : 'are'} in version ${at + 1}`;
}

/** How many turns go on below this one. */
function laterTurns(data: SessionData, turnId: TurnId): number {
  const leaf = newestLeaf(data, turnId);
  return leaf === turnId ? 0 : pathTo(data, leaf).length - pathTo(data, turnId).length;
}
