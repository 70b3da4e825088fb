/**
 * What the embeddings lab is about, for all of its views: the texts, the sets of vectors that the engine holds, and
 * one selection. Never a vector: those are the engine's, under the name of their slot.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Two models can be loaded at a time. The engine holds the matrix of each under this name. */
export type Slot = 'A' | 'B';

/** `overview` shows map, similarity, nearest and dimensions at once, each in a pane, where the window is wide enough. */
export const labTabs = [
  'overview',
  'texts',
  'map',
  'similarity',
  'nearest',
  'dimensions',
  'compare',
  'wire',
] as const;

export type LabTab = (typeof labTabs)[number];

/** One input, as it is embedded. Its place in `LabState.texts` is its name everywhere. */
export interface LabText {
  /** What people read; of a token input its numbers with commas. */
  text: string;
  /** Set in token mode: what is sent instead of the text. */
  tokens?: readonly number[];
  /** Index into `LabState.groups`. */
  group?: number;
}

/** A matrix in the engine, complete and normalised, under its slot's name. */
export interface LoadedSet {
  slot: Slot;
  /** Another number means other vectors: whatever was computed for an earlier one is stale. */
  version: number;
  model: string;
  /** Length of each vector, before any cut in the browser. */
  dimensions: number;
  /** The place in `texts` of each row of the matrix, ascending. Texts that failed have no row. */
  rows: readonly number[];
  /** It knows spelling, not meaning (the demo gateway): the badge says so. */
  isLexicalDemo: boolean;
}

interface Selection {
  /** The text that is pointed at: the crosshair, the needle, the row in view. Place in `texts`. */
  current?: number | undefined;
  /** More than one, ascending, `current` among them where it is set: a lasso or several rows of the table. */
  chosen: readonly number[];
}

export interface LabState {
  tab: LabTab;
  texts: readonly LabText[];
  /** Names of the labels in order of their first appearance; empty without labels. */
  groups: readonly string[];
  sets: Readonly<Partial<Record<Slot, LoadedSet>>>;
  /** Which set the single views show; `M` changes it. */
  shownSlot: Slot;
  /** The views look at this many leading coordinates of each vector, renormalised; undefined is all of them. */
  cut?: number | undefined;
  selection: Selection;
}

export type LabStore = StoreApi<LabState>;

export const nothingSelected: Selection = { chosen: [] };

export function createLabStore(): LabStore {
  return createStore<LabState>(() => ({
    tab: 'overview',
    texts: [],
    groups: [],
    sets: {},
    shownSlot: 'A',
    selection: nothingSelected,
  }));
}

/** The set that the single views show, if it is loaded. */
export function shownSet(state: LabState): LoadedSet | undefined {
  return state.sets[state.shownSlot] ?? state.sets.A ?? state.sets.B;
}

/** The row of a text in a set's matrix, or undefined where it has no vector. */
export function rowOf(set: LoadedSet, text: number): number | undefined {
  // Rows ascend, and mostly every text has one.
  if (set.rows[text] === text) return text;
  let low = 0;
  let high = set.rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = set.rows[middle] ?? 0;
    if (found === text) return middle;
    if (found < text) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Points at one text, or at none. */
export function select(store: LabStore, text: number | undefined): void {
  store.setState({ selection: text === undefined ? nothingSelected : { current: text, chosen: [text] } });
}

/** Points at several, as with a lasso; the first is the current one unless it was one of them already. */
export function selectMany(store: LabStore, texts: readonly number[]): void {
  const chosen = [...new Set(texts)].toSorted((one, other) => one - other);
  const { current } = store.getState().selection;
  const kept = current !== undefined && chosen.includes(current) ? current : chosen[0];
  store.setState({ selection: { current: kept, chosen } });
}
