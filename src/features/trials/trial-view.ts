/** UI state of an open trial. Not persisted. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LazyTrials } from '../../state/trials/lazy-trials.ts';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import type { CaseFilter } from '../../trials/result-table.ts';
import type { CaseId, CellKey, CheckId, ColumnId } from '../../trials/trial.ts';
import type { FixedWidths } from './grid/grid-layout.ts';

export interface TrialView {
  filter: CaseFilter;
  /** Value of a field that the listed cases have, in addition to the filter. */
  valueFilter?: ValueFilter | undefined;
  searchQuery: string;
  order: 'in order' | 'newest first';
  /** Position in the grid; `column` is the index of the grid column from 0. */
  cursor: { caseId?: CaseId; column: number };
  columnWidths: FixedWidths;
  /** Content of the panel beside the cases. */
  panel?: TrialPanel | undefined;
  pane: 'cases' | 'checks';
  /** True if the setup is open; if undefined, it is open only in a draft. */
  isSetupOpen?: boolean | undefined;
  /** Panel opened below the verdict. */
  disclosure?: 'method' | 'breakdown' | undefined;
  /** Field of the breakdown, or empty for the first one; undefined until the breakdown has been opened. */
  breakdownField?: string | undefined;
  /** True if the panel takes the focus when it is mounted. */
  shouldFocusPanel: boolean;
  /** Number of times that a replay of the open cell was requested; each increment starts a replay. */
  replayRequests: number;
  dialog?: TrialDialog | undefined;
  /** IDs of the pause cards that the user has dismissed. */
  dismissedCardIds: readonly string[];
  /** Column whose answers are listed on phones; undefined for all. */
  phoneColumn?: ColumnId | undefined;
  phoneStep: PhoneStep;
}

export interface ValueFilter {
  field: string;
  value: string;
}

export type TrialPanel =
  | { name: 'cell'; key: CellKey }
  | { name: 'check'; id: CheckId }
  | { name: 'column'; id: ColumnId };

export type TrialDialog =
  | { name: 'values' | 'retired' | 'copied baseline' | 'presentation' }
  | { name: 'case'; caseId?: CaseId }
  | {
      name: 'import cases';
      /** File or text to read at first. */
      source?: File | string | undefined;
    };

export const phoneSteps = ['Cases', 'Columns', 'Checks', 'Plan'] as const;
export type PhoneStep = (typeof phoneSteps)[number];

export type TrialViewStore = StoreApi<TrialView>;

const views = new WeakMap<OpenTrial, TrialViewStore>();

/** Returns the view store of this trial, always the same one. */
export function getTrialView(trial: OpenTrial): TrialViewStore {
  const existingView = views.get(trial);
  if (existingView) return existingView;
  const view = createStore<TrialView>(() => ({
    filter: { name: 'all' },
    searchQuery: '',
    order: 'in order',
    cursor: { column: 0 },
    columnWidths: {},
    pane: 'cases',
    shouldFocusPanel: false,
    replayRequests: 0,
    dismissedCardIds: [],
    phoneStep: 'Cases',
  }));
  views.set(trial, view);
  return view;
}

/** Actions on the current trial that commands, keys and buttons share. */
export interface TrialShortcuts {
  trial: OpenTrial;
  view: TrialViewStore;
  /** Runs or resumes the trial; rejects with a readable reason if that is not possible. */
  run: () => Promise<void>;
  retryMissing: () => Promise<void>;
  /** Moves to the next disagreement; returns its case number, or `undefined` if there is none. */
  goToDisagreement: (step: 1 | -1) => number | undefined;
  goToRepeat: (step: 1 | -1) => void;
  setMark: (mark: 'right' | 'wrong' | undefined) => void;
  openAsLanes: () => Promise<void>;
  focusFilters: () => void;
}

const shortcutStores = new WeakMap<LazyTrials, StoreApi<{ shortcuts?: TrialShortcuts }>>();

/** Returns the store of the current trial's shortcuts, always the same one. */
export function getShortcutStore(lazyTrials: LazyTrials): StoreApi<{ shortcuts?: TrialShortcuts }> {
  const existingStore = shortcutStores.get(lazyTrials);
  if (existingStore) return existingStore;
  const store = createStore<{ shortcuts?: TrialShortcuts }>(() => ({}));
  shortcutStores.set(lazyTrials, store);
  return store;
}

/** Returns the shortcuts of the current trial; `undefined` on other screens. */
export function getTrialShortcuts(lazyTrials: LazyTrials): TrialShortcuts | undefined {
  return getShortcutStore(lazyTrials).getState().shortcuts;
}

/** Registers the shortcuts of the current trial. Returns a function that unregisters them. */
export function registerTrialShortcuts(lazyTrials: LazyTrials, shortcuts: TrialShortcuts): () => void {
  const store = getShortcutStore(lazyTrials);
  store.setState({ shortcuts });
  return () => {
    if (store.getState().shortcuts === shortcuts) store.setState({}, true);
  };
}

/** Returns why the trial cannot be presented; `undefined` if it can. */
export function getPresentationBlocker(state: OpenTrialState | undefined): string | undefined {
  if (!state) return 'Open a session or a trial first';
  if (!state.hasAnswers) return 'Run the trial first';
  return state.verdict ? undefined : 'No verdict yet';
}
