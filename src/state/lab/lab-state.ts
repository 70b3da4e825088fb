/**
 * What the embeddings lab is about: what is edited, the jobs that embed it, and what its views show. Never a vector:
 * those are the engine's, under the name of their slot.
 */
import type { UmapSettings } from '../../embedding/engine/engine.ts';
import type { ParsedTexts } from '../../embedding/items/text-items.ts';
import type { EmbeddingJob, FieldProblem, JobSetup } from '../embedding/embedding-job-types.ts';
import type { EmbeddingPlan } from '../embedding/embedding-plan.ts';
import { readExtraFields } from './lab-fields.ts';
import { parseInput, type LabInput } from './lab-input.ts';

/** Two models can be loaded at a time. The engine holds the matrix of each under this name. */
export type ModelSlot = 'A' | 'B';

export const modelSlots: readonly ModelSlot[] = ['A', 'B'];

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
  slot: ModelSlot;
  /** Another number means other vectors: whatever was computed for an earlier one is stale. */
  version: number;
  model: string;
  /** Length of each vector, before any cut in the browser. */
  dimensions: number;
  /** The place in `texts` of each row of the matrix, ascending. Texts that failed have no row. */
  rows: readonly number[];
  /** By row: the length of the vector as received. */
  norms: Float32Array;
  /** Maps a text to a different text with exactly the same vector. */
  sameVector: ReadonlyMap<number, number>;
}

interface Selection {
  /** The text that is pointed at: the crosshair, the needle, the row in view. Place in `texts`. */
  current?: number | undefined;
  /** More than one, ascending, `current` among them where it is set: a lasso or several rows of the table. */
  chosen: readonly number[];
}

/** What the person looks for. */
export interface LabFindState {
  /** The text of the field. */
  query: string;
  /** `{query}` stands for it. Some models want an instruction on the side of the query. */
  template: string;
  /** JSON of further request fields for the query, as typed. */
  fields: string;
  /** Each pause in typing embeds what is not known yet: one request each. */
  shouldEmbedWhileTyping: boolean;
  /** The query that is shown, as it was sent, with its vector in the model and size of a set. */
  activeQuery?:
    | {
        slot: ModelSlot;
        version: number;
        query: string;
        input: string;
        /** JSON text of the further fields that were sent. */
        fields: string;
        vector: Float32Array;
      }
    | undefined;
  /** A request for the query is under way. */
  isSearching: boolean;
  problem?: string | undefined;
  /** The field of the request that the problem is about. */
  fieldProblem?: FieldProblem | undefined;
  /** How many of the nearest are listed. */
  neighbourCount: number;
}

export type MapLayout = 'pca' | 'umap';
export type MapColor = 'group' | 'cluster' | 'similarity';

/** How the map is drawn; reports name it. */
export interface MapState {
  layout: MapLayout;
  /** Undefined: groups where the texts have labels, else clusters. */
  color?: MapColor | undefined;
  drag: 'pan' | 'lasso';
  umap: UmapSettings;
  /** Of the layout under way: rounds done. */
  progress?: { epoch: number; epochs: number } | undefined;
}

/** What a job embeds while the results of other texts still stand. */
export interface PendingTexts {
  texts: readonly LabText[];
  groups: readonly string[];
}

/** `fixed`: colours run from 0 to 1. `stretch`: over the scores that there are. */
export type ColorScale = 'fixed' | 'stretch';

export interface LabState {
  input: LabInput;
  /** What `input` holds. */
  parsedInput: ParsedTexts;
  /** Of `parsedInput`; counted with the plan, since a million texts take a while. 0 until then. */
  duplicates: number;
  /** Of all models together; undefined while it is being looked up. */
  plan?: EmbeddingPlan | undefined;
  jobs: Partial<Record<ModelSlot, EmbeddingJob>>;
  /** The slot whose job is under way. */
  activeSlot?: ModelSlot | undefined;
  /** Other texts than those of the views are being embedded. */
  pendingTexts?: PendingTexts | undefined;
  /** A second model is wanted, whether or not it is chosen. */
  hasSecondModel: boolean;
  /** The texts in the field are those that are embedded, with the same models and sizes. */
  isUpToDate: boolean;
  /** Something was done otherwise than asked, and is worth a sentence. */
  notice?: string | undefined;
  /** Vectors are there and could not be loaded. */
  problem?: string | undefined;

  texts: readonly LabText[];
  /** Names of the labels in order of their first appearance; empty without labels. */
  groups: readonly string[];
  /** How the shown texts were embedded with each model, whether or not any vector came of it. */
  setups: Readonly<Partial<Record<ModelSlot, JobSetup>>>;
  sets: Readonly<Partial<Record<ModelSlot, LoadedSet>>>;

  tab: LabTab;
  /** Which set the single views show; `M` changes it. */
  shownSlot: ModelSlot;
  /** The views look at this many leading coordinates of each vector, renormalised; undefined is all of them. */
  shownDimensions?: number | undefined;
  /** Of the matrix of each set; `fixed` where it was never chosen. */
  scales: Readonly<Partial<Record<ModelSlot, ColorScale>>>;
  selection: Selection;
  find: LabFindState;
  map: MapState;
}

export const emptySelection: Selection = { chosen: [] };
export const plainTemplate = '{query}';

/** Of k-means, UMAP and samples: the same pictures every time. */
export const labSeed = 42;
/** By custom. */
export const defaultUmap: UmapSettings = { neighbours: 15, minDistance: 0.1, seed: labSeed };

const emptyFind: LabFindState = {
  query: '',
  template: plainTemplate,
  fields: '',
  shouldEmbedWhileTyping: false,
  isSearching: false,
  neighbourCount: 5,
};

/** What is kept of a visit: the next one begins with it. */
export interface SavedLabState {
  input: LabInput;
  tab: LabTab;
  find: Pick<LabFindState, 'query' | 'template' | 'fields'>;
}

/** A lab in which nothing was embedded yet. */
export function createInitialLabState({ input, tab, find }: SavedLabState): LabState {
  return {
    input,
    parsedInput: parseInput(input),
    duplicates: 0,
    jobs: {},
    isUpToDate: false,
    hasSecondModel: input.models.B !== '',
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

/** The set that the single views show, if it is loaded. */
export function getShownSet(state: Pick<LabState, 'sets' | 'shownSlot'>): LoadedSet | undefined {
  return state.sets[state.shownSlot] ?? state.sets.A ?? state.sets.B;
}

/** The row of a text in a set's matrix, or undefined where it has no vector. */
export function getTextRow(set: LoadedSet, textIndex: number): number | undefined {
  // Rows ascend, and mostly every text has one.
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

/** The texts of the job that is under way, or was last: those to come, else those of the views. */
export function getJobTexts({
  pendingTexts,
  texts,
  groups,
}: Pick<LabState, 'pendingTexts' | 'texts' | 'groups'>): PendingTexts {
  return pendingTexts ?? { texts, groups };
}

/** How many texts the views show the results of while a job makes others; undefined where they are current. */
export function countStaleTexts(
  state: Pick<LabState, 'activeSlot' | 'pendingTexts' | 'sets' | 'shownSlot'>,
): number | undefined {
  const set = getShownSet(state);
  if (state.activeSlot === undefined || !set) return undefined;
  return state.pendingTexts || set.slot === state.activeSlot ? set.rows.length : undefined;
}

/** Why nothing can be embedded now, as a sentence. */
export function getEmbedBlocker({
  parsedInput,
  input,
  hasSecondModel,
}: Pick<LabState, 'parsedInput' | 'input' | 'hasSecondModel'>): string | undefined {
  if (parsedInput.items.length === 0) return 'Enter at least one text.';
  if (input.models.A === '') return 'Choose a model.';
  if (hasSecondModel && input.models.B === '') return 'Choose the second model, or remove it.';
  const fields = readExtraFields(input.fields);
  return fields.ok ? undefined : `Extra fields for texts: ${fields.problem}`;
}
