/** What is being looked into: the inspector, the moment that the cursor points at, and the recording that is replayed. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LaneId, SessionData, Turn, TurnId } from '../../conversation/session/types.ts';

export type InspectorTab = 'events' | 'request' | 'response';

export interface InspectorState {
  open: boolean;
  tab: InspectorTab;
  /** The lane looked into; the first one where it is absent or gone. */
  laneId?: LaneId | undefined;
  /** One answer of that lane; its latest where absent. */
  turnId?: TurnId | undefined;
  /** The event looked at: by its number, or the last one that had come at a moment, ms. */
  picked?: { number: number } | { atMs: number } | undefined;
  /** The moment pointed at on the traces, ms since the POST of each lane. */
  cursorMs?: number | undefined;
  /** Pointed at on a trace: then the lanes show their text as it was at that moment. */
  cursorShowsText: boolean;
  /** The answers that are replayed, beside each other. */
  replay?: readonly TurnId[] | undefined;
}

export type InspectorStore = StoreApi<InspectorState>;

export function createInspectorStore(): InspectorStore {
  return createStore<InspectorState>(() => ({ open: false, tab: 'events', cursorShowsText: false }));
}

/** The answer that the inspector shows in this session, and its lane; no turn where nothing was run in the lane. */
export function inspectedIn(
  data: SessionData,
  { laneId, turnId }: Pick<InspectorState, 'laneId' | 'turnId'>,
): { laneId: LaneId; turn?: Turn } {
  const { laneIds } = data.session;
  const lane = laneIds.find((id) => id === laneId) ?? laneIds[0] ?? '';
  const chosen = turnId === undefined ? undefined : data.turns[turnId];
  const turn = chosen?.laneId === lane ? chosen : data.turns[data.lanes[lane]?.tip ?? ''];
  return turn ? { laneId: lane, turn } : { laneId: lane };
}
