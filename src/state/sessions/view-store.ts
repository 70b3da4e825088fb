/** UI state of the current session. Not persisted, except the part that is stored with the draft. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { defaultDraftView, type DraftView } from '../../conversation/session/draft.ts';
import type { LaneId, PromptId } from '../../conversation/session/types.ts';
import type { HelpTarget } from '../../lib/help-link.ts';

/** Fields that are not part of the draft's view are lost with the page. */
export interface View extends DraftView {
  /** Lane that the sidebar edits; undefined edits all lanes. */
  scope?: LaneId | undefined;
  /** True if each lane shows its own field for the system prompt, even while all prompts are equal. */
  splitsSystemPrompt: boolean;
  /** True if the parameters are open as an overlay, which is used below 1200 px. */
  isParametersOverlayOpen: boolean;
  /** Prompt of the turn in view, unless that is the last one; read by `getRowInView`. */
  promptInView?: PromptId | undefined;
  /** True if the session is new and has the lanes of the previous one. */
  hasInheritedLanes: boolean;
  /** True if all lanes have the same width and the sidebar is hidden. */
  fitsLanes: boolean;
  /** Lane widths set by the user, in px. */
  laneWidths: Readonly<Record<LaneId, number>>;
  /** Lane that last had the focus or was pressed. */
  focusedLaneId?: LaneId | undefined;
  /** Lane that was just added and slides in. */
  addedLaneId?: LaneId | undefined;
  /** Lane that fills the viewport. */
  soloLane?: LaneId | undefined;
  /** True if the sidebar, which offers Undo for setups, is visible. */
  isSidebarVisible: boolean;
  /** Unsent text on the stage. */
  stageDraft?: string | undefined;
  /** The help, while it is open. */
  help?: OpenHelp | undefined;
  /** Panels open in the session. */
  openPanels: readonly OpenPanel[];
}

/** The open help. Every opening is a new object, so that the same section can be shown again. */
export interface OpenHelp {
  /** Section to show; the contents if absent. */
  target?: HelpTarget | undefined;
  /** True if a modal dialog was open, which the help then covers. */
  isOverDialog: boolean;
}

/**
 * A dialog or an editor. Editors of messages and answers are named after their draft, editors of tools after their row,
 * editors of names after their lane.
 */
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
    splitsSystemPrompt: false,
    isParametersOverlayOpen: false,
    hasInheritedLanes: false,
    fitsLanes: false,
    laneWidths: {},
    isSidebarVisible: false,
    openPanels: [],
  }));
}

/** Opens or closes a panel. */
export function setPanelOpen(view: ViewStore, panel: OpenPanel, isOpen = true): void {
  view.setState(({ openPanels }) => {
    if (openPanels.includes(panel) === isOpen) return {};
    return { openPanels: isOpen ? [...openPanels, panel] : openPanels.filter((other) => other !== panel) };
  });
}
