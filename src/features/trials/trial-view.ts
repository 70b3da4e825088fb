/** How a trial on screen is looked at: nobody's data. It is kept for as long as the trial is open. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Playground } from '../../state/create-playground.ts';
import type { OpenTrial } from '../../state/trials/open-trial.ts';
import type { CaseFilter } from '../../trials/result-table.ts';
import type { CaseId, CellKey, CheckId, ColumnId } from '../../trials/trial.ts';

export interface TrialView {
  filter: CaseFilter;
  searchQuery: string;
  order: 'in order' | 'newest first';
  /** Where one is in the grid; `column` counts the columns of the grid from 0. */
  cursor: { caseId?: CaseId; column: number };
  /** What stands beside the cases. */
  panel?: TrialPanel | undefined;
  pane: 'cases' | 'checks';
  /** Whether the setup is open; undefined: only in a draft. */
  isSetupOpen?: boolean | undefined;
  isMethodOpen: boolean;
  /** The focus goes into the panel once it is there. */
  shouldFocusPanel: boolean;
  /** Counts up whenever the recording of the open cell is to be played. */
  replayRequests: number;
  dialog?: TrialDialog | undefined;
  /** IDs of the pause cards that the user has dismissed. */
  dismissedCardIds: readonly string[];
  /** On a phone: the column whose answers are listed, or undefined for all. */
  phoneColumn?: ColumnId | undefined;
  phoneStep: PhoneStep;
}

export type TrialPanel =
  | { name: 'cell'; key: CellKey }
  | { name: 'check'; id: CheckId }
  | { name: 'column'; id: ColumnId };

export type TrialDialog = { name: 'import cases' | 'values' | 'retired' } | { name: 'case'; caseId?: CaseId };

export const phoneSteps = ['Cases', 'Columns', 'Checks', 'Plan'] as const;
export type PhoneStep = (typeof phoneSteps)[number];

export type TrialViewStore = StoreApi<TrialView>;

const views = new WeakMap<OpenTrial, TrialViewStore>();

/** The view of this trial, the same one each time. */
export function getTrialView(trial: OpenTrial): TrialViewStore {
  const existingView = views.get(trial);
  if (existingView) return existingView;
  const view = createStore<TrialView>(() => ({
    filter: { name: 'all' },
    searchQuery: '',
    order: 'in order',
    cursor: { column: 0 },
    pane: 'cases',
    isMethodOpen: false,
    shouldFocusPanel: false,
    replayRequests: 0,
    dismissedCardIds: [],
    phoneStep: 'Cases',
  }));
  views.set(trial, view);
  return view;
}

/** What can be done with the trial on screen, by commands and keys as by its buttons. */
export interface TrialShortcuts {
  trial: OpenTrial;
  view: TrialViewStore;
  /** The number of the case that it leads to; undefined where there is none further on. */
  goToDisagreement: (step: 1 | -1) => number | undefined;
  goToRepeat: (step: 1 | -1) => void;
  setMark: (mark: 'right' | 'wrong' | undefined) => void;
  openAsLanes: () => Promise<void>;
  focusFilters: () => void;
}

const shortcutsByPlayground = new WeakMap<Playground, TrialShortcuts>();

/** The shortcuts of the trial on screen; undefined on other screens. */
export function getTrialShortcuts(playground: Playground): TrialShortcuts | undefined {
  return shortcutsByPlayground.get(playground);
}

/** Registers the shortcuts of the trial on screen. Returns a function that unregisters them. */
export function registerTrialShortcuts(playground: Playground, shortcuts: TrialShortcuts): () => void {
  shortcutsByPlayground.set(playground, shortcuts);
  return () => {
    if (shortcutsByPlayground.get(playground) === shortcuts) shortcutsByPlayground.delete(playground);
  };
}
