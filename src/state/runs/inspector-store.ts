/** State of the inspector, of the cursor on the traces and of replayed recordings. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { getPathTo, getRun } from '../../conversation/session/turn-tree.ts';
import type { LaneId, Run, SessionData, Turn, TurnId } from '../../conversation/session/types.ts';

export type InspectorTab = 'events' | 'request' | 'response';

export interface InspectorState {
  isOpen: boolean;
  tab: InspectorTab;
  /** Lane in the inspector; the first lane if absent or removed. */
  laneId?: LaneId | undefined;
  /** Answer of that lane; the latest one if absent. */
  turnId?: TurnId | undefined;
  /** Selected event: its number, or a time in ms that selects the last event received by then. */
  selectedEvent?: { number: number } | { atMs: number } | undefined;
  /** Cursor position on the traces in ms since the POST of each lane. */
  cursorMs?: number | undefined;
  /** True if the cursor is on a trace; lanes then show their text at that time. */
  cursorShowsText: boolean;
  /** Answers replayed side by side. */
  replay?: readonly TurnId[] | undefined;
}

export type InspectorStore = StoreApi<InspectorState>;

export function createInspectorStore(): InspectorStore {
  return createStore<InspectorState>(() => ({ isOpen: false, tab: 'events', cursorShowsText: false }));
}

/** Returns the lane and answer shown in the inspector; without a turn if the lane has no run. */
export function getInspectedTurn(
  data: SessionData,
  { laneId, turnId }: Pick<InspectorState, 'laneId' | 'turnId'>,
): { laneId: LaneId; turn?: Turn } {
  const { laneIds } = data.session;
  const inspectedLaneId = laneIds.find((id) => id === laneId) ?? laneIds[0] ?? '';
  const chosenTurn = turnId === undefined ? undefined : data.turns[turnId];
  const turn =
    chosenTurn?.laneId === inspectedLaneId ? chosenTurn : data.turns[data.lanes[inspectedLaneId]?.tip ?? ''];
  return turn ? { laneId: inspectedLaneId, turn } : { laneId: inspectedLaneId };
}

/** Another answer to the same prompt. */
export interface SiblingRun {
  laneId: LaneId;
  turnId: TurnId;
  run: Run;
}

/** Returns the visible answers of all lanes to the prompt of this turn, in lane order. */
export function getSiblingRuns(data: SessionData, turn: Turn): SiblingRun[] {
  const depth = getPathTo(data, turn.id).length;
  return data.session.laneIds.flatMap((laneId) => {
    const tip = data.lanes[laneId]?.tip;
    const siblingTurn = tip === undefined ? undefined : getPathTo(data, tip)[depth - 1];
    const run = getRun(data, siblingTurn);
    return siblingTurn && run && siblingTurn.promptId === turn.promptId
      ? [{ laneId, turnId: siblingTurn.id, run }]
      : [];
  });
}
