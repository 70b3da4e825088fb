/** Opening and closing the inspector; not needed before the first message. */
import type { SessionData, Turn } from '../../conversation/session/types.ts';
import type { InspectorStore } from './inspector.ts';

/** Opens the inspector on one answer; the latest of a lane stays the latest when another one comes. */
export function inspectTurn(store: InspectorStore, data: SessionData, turn: Turn, pickedMs?: number): void {
  const isLatest = data.lanes[turn.laneId]?.tip === turn.id;
  store.setState((state) => ({
    open: true,
    laneId: turn.laneId,
    turnId: isLatest ? undefined : turn.id,
    tab: pickedMs === undefined ? state.tab : 'events',
    picked: pickedMs === undefined ? undefined : { atMs: pickedMs },
  }));
}

export function closeInspector(store: InspectorStore): void {
  store.setState({ open: false, cursorMs: undefined, cursorShowsText: false });
}
