import { pathOf } from './tree.ts';
import type { LaneId, PromptId, SessionData, TurnId } from './types.ts';

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
