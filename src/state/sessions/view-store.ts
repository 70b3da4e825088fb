/** How the session on screen is looked at: nobody's data. A part of it waits with the draft and comes back with it. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { defaultDraftView, type DraftView } from '../../conversation/session/draft.ts';
import type { LaneId, PromptId } from '../../conversation/session/types.ts';

/** What is not kept with the draft is gone with the page. */
export interface View extends DraftView {
  /** Which lanes the sidebar edits; undefined is all of them. */
  scope?: LaneId | undefined;
  /** Below 1200 px the parameters lie over the conversation and are opened on purpose. */
  isParametersOverlayOpen: boolean;
  /** The prompt of the turn in view, where that is not the last one; `getRowInView` reads it. */
  promptInView?: PromptId | undefined;
  /** The session is new and has the lanes of the one before. */
  hasInheritedLanes: boolean;
  /** All lanes have the same width, without the sidebar. */
  fitsLanes: boolean;
  /** Widths that a person gave to lanes, in px. */
  laneWidths: Readonly<Record<LaneId, number>>;
  /** The lane that fills the window. */
  soloLane?: LaneId | undefined;
  /** The sidebar is drawn, and with it what of setups can be undone. */
  isSidebarVisible: boolean;
  /** What is written on the stage and not asked yet. */
  stageDraft?: string | undefined;
  /** What is open in the session, whoever has opened it. */
  openPanels: readonly OpenPanel[];
}

/** A dialog, or an editor: of a message or an answer, by the name of its draft, or of tools, by the name of their row. */
export type OpenPanel =
  | 'text difference'
  | 'summary'
  | 'share'
  | 'stage at the summary'
  | `editor of ${string}`;

export type ViewStore = StoreApi<View>;

export function createViewStore(): ViewStore {
  return createStore<View>(() => ({
    ...defaultDraftView,
    isParametersOverlayOpen: false,
    hasInheritedLanes: false,
    fitsLanes: false,
    laneWidths: {},
    isSidebarVisible: false,
    openPanels: [],
  }));
}

/** Opens what can be opened from several places, or closes it. */
export function setPanelOpen(view: ViewStore, panel: OpenPanel, isOpen = true): void {
  view.setState(({ openPanels }) => {
    if (openPanels.includes(panel) === isOpen) return {};
    return { openPanels: isOpen ? [...openPanels, panel] : openPanels.filter((other) => other !== panel) };
  });
}
