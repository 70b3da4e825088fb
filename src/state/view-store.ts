/** How the session on screen is looked at: gone with the page, nobody's data. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LaneId } from '../conversation/types.ts';

export interface View {
  /** Which lanes the sidebar edits; undefined is all of them. */
  scope?: LaneId | undefined;
  /** Lanes that the composer does not send to. */
  notTo: readonly LaneId[];
  /** A blind look: nothing on screen tells which model answers. */
  namesHidden: boolean;
  /** Below 1200 px the parameters lie over the conversation and are opened on purpose. */
  parametersOverlay: boolean;
}

export type ViewStore = StoreApi<View>;

export function createViewStore(): ViewStore {
  return createStore<View>(() => ({ notTo: [], namesHidden: false, parametersOverlay: false }));
}
