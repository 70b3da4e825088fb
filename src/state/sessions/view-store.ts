/** How the session on screen is looked at: nobody's data. A part of it waits with the draft and comes back with it. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LaneId } from '../../conversation/session/types.ts';

/** What belongs to the draft: where it would go, under whose name, and whether it is a blind look. */
export interface KeptView {
  /** Lanes that the composer does not send to. */
  notTo: readonly LaneId[];
  /** A blind look: nothing on screen tells which model answers. */
  namesHidden: boolean;
  /** Sent as `name` of what is written. */
  author: string;
}

/** The rest is gone with the page. */
export interface View extends KeptView {
  /** Which lanes the sidebar edits; undefined is all of them. */
  scope?: LaneId | undefined;
  /** Below 1200 px the parameters lie over the conversation and are opened on purpose. */
  parametersOverlay: boolean;
  /** The sidebar is drawn, and with it what of setups can be undone. */
  sidebarShown: boolean;
  /** What is open in the session, whoever has opened it. */
  opened: readonly Opened[];
}

/** A dialog, or an editor: of a message or an answer, by the name of its draft, or of tools, by the name of their row. */
export type Opened = 'text difference' | 'share' | `editor of ${string}`;

export type ViewStore = StoreApi<View>;

/** What a new session has. */
export const firstView: KeptView = { notTo: [], namesHidden: false, author: '' };

export function createViewStore(): ViewStore {
  return createStore<View>(() => ({
    ...firstView,
    parametersOverlay: false,
    sidebarShown: false,
    opened: [],
  }));
}

/** Opens what can be opened from several places, or closes it. */
export function setOpened(view: ViewStore, what: Opened, isOpen = true): void {
  view.setState(({ opened }) => {
    if (opened.includes(what) === isOpen) return {};
    return { opened: isOpen ? [...opened, what] : opened.filter((other) => other !== what) };
  });
}
