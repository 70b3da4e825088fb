/** Opens and closes the inspector; loaded after the first message. */
import type { SessionData, Turn } from '../../conversation/session/types.ts';
import type { ViewStore } from '../sessions/view-store.ts';
import type { InspectorStore, InspectorTab } from './inspector-store.ts';

interface InspectorDeps {
  inspector: InspectorStore;
  view: ViewStore;
}

/**
 * Opens the inspector for one answer. If it is the latest answer of its lane, the inspector follows to later answers.
 */
export function inspectTurn(store: InspectorStore, data: SessionData, turn: Turn, selectedMs?: number): void {
  const isLatest = data.lanes[turn.laneId]?.tip === turn.id;
  store.setState((state) => ({
    isOpen: true,
    laneId: turn.laneId,
    turnId: isLatest ? undefined : turn.id,
    tab: selectedMs === undefined ? state.tab : 'events',
    selectedEvent: selectedMs === undefined ? undefined : { atMs: selectedMs },
  }));
}

/** Opens the inspector for the latest answer of the lane in the sidebar, or of the first lane. */
export function openInspector({ inspector, view }: InspectorDeps, tab: InspectorTab): void {
  const { scope } = view.getState();
  inspector.setState({ isOpen: true, tab, laneId: scope, turnId: undefined, selectedEvent: undefined });
}

export function closeInspector(store: InspectorStore): void {
  store.setState({ isOpen: false, cursorMs: undefined, cursorShowsText: false });
}
