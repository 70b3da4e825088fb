/**
 * State of the embeddings lab: its input, its jobs and the content of its views. Vectors are kept in the engine under
 * the name of their slot, never here.
 */
import type { ModelChoice } from '../../conversation/session/types.ts';
import type { UmapSettings } from '../../embedding/engine/engine.ts';
import type { ParsedTexts } from '../../embedding/items/text-items.ts';
import type { EmbeddingJob, FieldProblem, JobSetup } from '../embedding/embedding-job-types.ts';
import type { EmbeddingPlan } from '../embedding/embedding-plan.ts';
import type { Gateways } from '../gateways.ts';
import { readExtraFields } from './lab-fields.ts';
import { parseInput, type LabInput } from './lab-input.ts';

/** Up to two models can be loaded. The engine holds the matrix of each under this name. */
export type ModelSlot = 'A' | 'B';

export const modelSlots: readonly ModelSlot[] = ['A', 'B'];

/** `overview` shows map, similarity, nearest and dimensions side by side if the viewport is wide enough. */
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

/** One input as it is embedded, identified everywhere by its index in `LabState.texts`. */
export interface LabText {
  /** Text for display; for token inputs, the token numbers separated by commas. */
  text: string;
  /** Sent instead of the text in token mode. */
  tokens?: readonly number[];
  /** Index into `LabState.groups`. */
  group?: number;
}

/** A complete, normalised matrix in the engine, stored under the name of its slot. */
export interface LoadedSet extends ModelChoice {
  slot: ModelSlot;
  /** Changes with the vectors, so results computed for another version are stale. */
  version: number;
  /** Number of dimensions of each vector before it is cut in the browser. */
  dimensions: number;
  /** Index in `texts` of each row of the matrix, ascending. Failed texts have no row. */
  rows: readonly number[];
  /** Norm of each vector as received, by row. */
  norms: Float32Array;
  /** Maps a text to a different text with exactly the same vector. */
  sameVector: ReadonlyMap<number, number>;
}

interface Selection {
  /**
   * Current text in all views, as an index into `texts`: marked by the crosshair and the needle, and its row is in
   * view.
   */
  current?: number | undefined;
  /** Several texts selected by lasso or table rows, ascending; includes `current` if that is set. */
  chosen: readonly number[];
}

/** State of the query. */
export interface LabFindState {
  /** Text of the query field. */
  query: string;
  /** Text around `{query}`, since some models need an instruction for queries. */
  template: string;
  /** JSON of extra request fields for the query, as typed. */
  fields: string;
  /** True if every pause in typing may send one request for an unknown query. */
  shouldEmbedWhileTyping: boolean;
  /** The visible query as it was sent, with its vector for a model and its dimensions. */
  activeQuery?:
    | {
        slot: ModelSlot;
        version: number;
        query: string;
        input: string;
        /** JSON text of the extra fields that were sent. */
        fields: string;
        vector: Float32Array;
      }
    | undefined;
  /** True while a request for the query is in flight. */
  isSearching: boolean;
  problem?: string | undefined;
  /** Request field that caused the problem. */
  fieldProblem?: FieldProblem | undefined;
  /** Number of nearest texts listed. */
  neighbourCount: number;
}

export type MapLayout = 'pca' | 'umap';
export type MapColor = 'group' | 'cluster' | 'similarity';

/** Map settings, which are included in reports. */
export interface MapState {
  layout: MapLayout;
  /** Undefined: groups if the texts have labels, otherwise clusters. */
  color?: MapColor | undefined;
  drag: 'pan' | 'lasso';
  umap: UmapSettings;
  /** Completed epochs of the layout being computed. */
  progress?: { epoch: number; epochs: number } | undefined;
}

/** Texts being embedded while results of other texts are still visible. */
export interface PendingTexts {
  texts: readonly LabText[];
  groups: readonly string[];
}

/** `fixed`: colours span 0 to 1. `stretch`: they span the range of the scores. */
export type ColorScale = 'fixed' | 'stretch';

export interface LabState {
  input: LabInput;
  /** Texts parsed from `input`. */
  parsedInput: ParsedTexts;
  /**
   * Number of duplicates in `parsedInput`; 0 until it has been counted together with the plans, because counting is slow
   * for a million texts.
   */
  duplicates: number;
  /** Plan for each gateway; undefined during the lookup. */
  plans?: readonly EmbeddingPlan[] | undefined;
  jobs: Partial<Record<ModelSlot, EmbeddingJob>>;
  /** Slot whose job is running. */
  activeSlot?: ModelSlot | undefined;
  /** Set while texts other than the visible ones are being embedded. */
  pendingTexts?: PendingTexts | undefined;
  /** True if a second model is enabled, even before it is chosen. */
  hasSecondModel: boolean;
  /** True if the results match the current texts, models and sizes. */
  isUpToDate: boolean;
  /** Notice that an action had a different result than requested. */
  notice?: string | undefined;
  /** Reason why existing vectors could not be loaded. */
  problem?: string | undefined;

  texts: readonly LabText[];
  /** Labels in order of first appearance; empty without labels. */
  groups: readonly string[];
  /** Setups used for the visible texts, by model; set even if no vector was returned. */
  setups: Readonly<Partial<Record<ModelSlot, JobSetup>>>;
  sets: Readonly<Partial<Record<ModelSlot, LoadedSet>>>;

  tab: LabTab;
  /** Set shown in views of a single set; the M key switches between sets. */
  shownSlot: ModelSlot;
  /** Number of leading coordinates used by the views, renormalised; undefined uses all. */
  shownDimensions?: number | undefined;
  /** Colour scale of each set's matrix; `fixed` by default. */
  scales: Readonly<Partial<Record<ModelSlot, ColorScale>>>;
  selection: Selection;
  find: LabFindState;
  map: MapState;
}

export const emptySelection: Selection = { chosen: [] };
export const plainTemplate = '{query}';

/** Seed of k-means, UMAP and samples, so that results are reproducible. */
export const labSeed = 42;
/** Customary default values of UMAP. */
export const defaultUmap: UmapSettings = { neighbours: 15, minDistance: 0.1, seed: labSeed };

const emptyFind: LabFindState = {
  query: '',
  template: plainTemplate,
  fields: '',
  shouldEmbedWhileTyping: false,
  isSearching: false,
  neighbourCount: 5,
};

/** Parts of the lab that are restored on the next visit. */
export interface SavedLabState {
  input: LabInput;
  tab: LabTab;
  find: Pick<LabFindState, 'query' | 'template' | 'fields'>;
}

/** Creates the state of a lab that has not embedded anything yet. */
export function createInitialLabState({ input, tab, find }: SavedLabState): LabState {
  return {
    input,
    parsedInput: parseInput(input),
    duplicates: 0,
    jobs: {},
    isUpToDate: false,
    hasSecondModel: input.models.B.model !== '',
    texts: [],
    groups: [],
    setups: {},
    sets: {},
    tab,
    shownSlot: 'A',
    scales: {},
    selection: emptySelection,
    find: { ...emptyFind, ...find },
    map: { layout: 'pca', drag: 'pan', umap: defaultUmap },
  };
}

/** Returns the set for views of a single set if it is loaded, otherwise the other set. */
export function getShownSet(state: Pick<LabState, 'sets' | 'shownSlot'>): LoadedSet | undefined {
  return state.sets[state.shownSlot] ?? state.sets.A ?? state.sets.B;
}

/** Returns the row of a text in a set's matrix, or undefined if it has no vector. */
export function getTextRow(set: LoadedSet, textIndex: number): number | undefined {
  // Fast path: rows ascend, and usually every text has one.
  if (set.rows[textIndex] === textIndex) return textIndex;
  let low = 0;
  let high = set.rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const middleText = set.rows[middle] ?? 0;
    if (middleText === textIndex) return middle;
    if (middleText < textIndex) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Returns the texts of the current or last job: pending ones if there are any, otherwise the visible ones. */
export function getJobTexts({
  pendingTexts,
  texts,
  groups,
}: Pick<LabState, 'pendingTexts' | 'texts' | 'groups'>): PendingTexts {
  return pendingTexts ?? { texts, groups };
}

/** Returns the number of visible texts with outdated results while a job runs; undefined if the results are current. */
export function countStaleTexts(
  state: Pick<LabState, 'activeSlot' | 'pendingTexts' | 'sets' | 'shownSlot'>,
): number | undefined {
  const set = getShownSet(state);
  if (state.activeSlot === undefined || !set) return undefined;
  return state.pendingTexts || set.slot === state.activeSlot ? set.rows.length : undefined;
}

/** Returns the reason why nothing is sent to a model, as a sentence: the server does not have its gateway. */
export function getGatewayBlocker(
  { gateway }: ModelChoice,
  { isUnknown }: Pick<Gateways, 'isUnknown'>,
): string | undefined {
  return isUnknown(gateway)
    ? `This server has no gateway named ${gateway}. Choose another model.`
    : undefined;
}

/** Returns the reason why embedding is not possible now, as a sentence. */
export function getEmbedBlocker(
  { parsedInput, input, hasSecondModel }: Pick<LabState, 'parsedInput' | 'input' | 'hasSecondModel'>,
  gateways: Pick<Gateways, 'isUnknown'>,
): string | undefined {
  if (parsedInput.items.length === 0) return 'Enter at least one text.';
  if (input.models.A.model === '') return 'Choose a model.';
  if (hasSecondModel && input.models.B.model === '') return 'Choose the second model, or remove it.';
  for (const slot of modelSlots) {
    const gatewayProblem = getGatewayBlocker(input.models[slot], gateways);
    if (gatewayProblem !== undefined) return gatewayProblem;
  }
  const fields = readExtraFields(input.fields);
  return fields.ok ? undefined : `Extra fields for texts: ${fields.problem}`;
}
