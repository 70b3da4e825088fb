/** What is being looked into: the inspector, the moment that the cursor points at, and the recording that is replayed. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { getPathTo, getRun } from '../../conversation/session/turn-tree.ts';
import type { LaneId, Run, SessionData, Turn, TurnId } from '../../conversation/session/types.ts';

export type InspectorTab = 'events' | 'request' | 'response';

export interface InspectorState {
  isOpen: boolean;
  tab: InspectorTab;
  /** The lane looked into; the first one where it is absent or gone. */
  laneId?: LaneId | undefined;
  /** One answer of that lane; its latest where absent. */
  turnId?: TurnId | undefined;
  /** The event looked at: by its number, or the last one that had come at a moment, ms. */
  selectedEvent?: { number: number } | { atMs: number } | undefined;
  /** The moment pointed at on the traces, ms since the POST of each lane. */
  cursorMs?: number | undefined;
  /** Pointed at on a trace: then the lanes show their text as it was at that moment. */
  cursorShowsText: boolean;
  /** The answers that are replayed, beside each other. */
  replay?: readonly TurnId[] | undefined;
}

export type InspectorStore = StoreApi<InspectorState>;

export function createInspectorStore(): InspectorStore {
  return createStore<InspectorState>(() => ({ isOpen: false, tab: 'events', cursorShowsText: false }));
}

/** The answer that the inspector shows in this session, and its lane; no turn where nothing was run in the lane. */
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

/** An answer beside others to the same prompt. */
export interface SiblingRun {
  laneId: LaneId;
  turnId: TurnId;
  run: Run;
}

/** What the lanes answered at this place of the conversation to the prompt of this turn, in lane order, as shown. */
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
