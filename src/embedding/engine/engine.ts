/**
 * What is computed about vectors, off the main thread. React holds ids and view state; the vectors live here.
 *
 * Rows are numbered from 0 in the order in which they were appended. Vectors are scaled to length 1 when they
 * arrive, so that every similarity is a plain dot product, -1 to 1. A row without a direction (all zero) stays
 * zero and has the similarity 0 to everything.
 *
 * Long work is done in slices: a search that is asked for while a map is being laid out is answered within a
 * few milliseconds. It rejects with the signal's reason when it is aborted, with an `EngineError` whose message
 * is a sentence for the person when it cannot be done, and with nothing else.
 *
 * Everything random is seeded: the same rows, settings and seed give the same bits with the same kernel.
 */
export interface VectorEngine {
  /** What does the arithmetic, and why it is not WebAssembly where it is not. */
  getInfo(): Promise<EngineInfo>;

  /** Makes an empty set, or empties the one of that name. The name is yours: model and size, say. */
  create(set: string, dimensions: number): Promise<void>;
  /**
   * Adds rows, row-major, `dimensions` numbers each. The array's buffer is transferred: it is empty afterwards.
   * Rejects where a number is not finite, where the length is not a multiple of the dimensions, and over `maxSetBytes`.
   */
  append(set: string, vectors: Float32Array<ArrayBuffer>): Promise<SetInfo>;
  /** Forgets a set; none of that name is not an error. */
  drop(set: string): Promise<void>;

  /** The k most similar rows. A row that is its own query is left out. */
  search(view: SetView, query: Query, k: number): Promise<SearchResult>;
  /** The similarity to every row, by row. */
  computeScores(view: SetView, query: Query): Promise<Float32Array<ArrayBuffer>>;
  /** The cosine of two rows. */
  computePairScore(view: SetView, row: number, other: number): Promise<number>;
  /**
   * Similarities of different rows, sorted ascending: every pair of a small set, 20,000 random pairs of a large
   * one. What a score is worth with this model on these texts: see `computePercentileRank`.
   */
  samplePairScores(view: SetView): Promise<Float32Array<ArrayBuffer>>;

  /** The exact k nearest neighbours of every row. Kept: asked again for the same view and k, or a smaller k, it is there at once. */
  findNeighbours(view: SetView, k: number, task?: Task): Promise<Neighbours>;

  /** The whole matrix as `blocks` × `blocks` exact means, row-major; a smaller set than `blocks` gives its cells. */
  computeOverview(view: SetView, order: RowOrder | undefined, blocks: number): Promise<MatrixOverview>;
  /** Single cells of the ordered matrix, exact, row-major. Out of the matrix nothing is returned: rows and columns are clipped. */
  computeTile(view: SetView, order: RowOrder | undefined, region: MatrixRegion): Promise<MatrixTile>;
  /** An order of rows in which like stands near like. */
  orderRows(view: SetView, by: OrderBy, task?: Task): Promise<RowOrder>;

  /** The two directions of most variance. Kept for `project`. */
  computePca(view: SetView, task?: Task): Promise<PcaMap>;
  /** Where a vector of any length ≥ the view's dimensions lies on the set's PCA map. */
  project(view: SetView, vector: Float32Array): Promise<Point>;
  /** A layout in which near texts stay near. Starts from PCA; `onFrame` sees it move. */
  computeUmap(view: SetView, settings: UmapSettings, task?: UmapTask): Promise<UmapMap>;
  /** How far a map may be believed: what a map of these points (x, y, x, y, …) keeps of the true neighbours. */
  computeTrust(view: SetView, points: Float32Array, k: number, task?: Task): Promise<Trust>;

  /** k-means on the sphere; numbered from 0, largest group first. Several may wait for the same: no progress is told. */
  computeClusters(view: SetView, count: number, seed: number, task?: Task): Promise<Clusters>;

  /** What each shorter size would lose: every size from the one full vector, without a request. */
  sweep(set: string, settings: SweepSettings, task?: Task): Promise<SweepStep[]>;

  /** How far two models agree about the same texts. Never compares a cosine of one with a cosine of the other. */
  compare(a: SetView, b: SetView, settings: CompareSettings, task?: Task): Promise<ModelComparison>;

  /**
   * For engines among themselves: the neighbours that are found in one part of all pairs of these rows (unit
   * vectors, row-major, taken over). Lists of all parts together hold the neighbours; a place left empty is −1.
   */
  computeNeighboursShare(
    rows: Float32Array<ArrayBuffer>,
    dimensions: number,
    part: NeighboursPart,
    task?: Task,
  ): Promise<Neighbours>;

  /** The same for a sweep: of each size, ascending, what one part of all pairs holds. `queryRows`: the rows that are queries. */
  computeSweepShare(
    rows: Float32Array<ArrayBuffer>,
    sizes: readonly number[],
    queryRows: Int32Array,
    part: NeighboursPart,
    task?: Task,
  ): Promise<Neighbours[]>;

  /** Ends the worker; everything under way rejects. */
  /** Told when all sets are lost because what held them has stopped; one in this page never does. */
  onLost(listener: (message: string) => void): void;
  close(): void;
}

/** What an engine is asked by another one that it helps. */
export type EngineHelper = Pick<VectorEngine, 'computeNeighboursShare' | 'computeSweepShare'>;

/** A sentence for the person: what cannot be done, and what to do instead. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** Rows of a set take no more than this; above it a tab is likely to die. */
export const maxSetBytes = 512 * 1024 * 1024;

export interface EngineInfo {
  kernel: 'webassembly' | 'javascript';
  /** Why WebAssembly is not used, as a sentence. */
  reason?: string;
}

export interface SetInfo {
  rowCount: number;
  dimensions: number;
  /** Of the appended rows, as they arrived: the length of each vector before it was scaled to 1. */
  norms: Float32Array<ArrayBuffer>;
}

/** A set, or what it would be with shorter vectors: the first `dimensions` numbers of each, scaled to length 1 again. */
export interface SetView {
  set: string;
  /** The set's own where left out. */
  dimensions?: number;
}

/** A row of the set, or a vector of at least the view's dimensions, cut and scaled like a row. */
export type Query = { row: number } | { vector: Float32Array };

/** Rows in the order of the matrix: position → row. */
export type RowOrder = Int32Array<ArrayBuffer>;

export interface SearchResult {
  /** Best first; fewer than k where there are fewer rows. Equal scores in the order of rows. */
  rows: Int32Array<ArrayBuffer>;
  /** Of `rows`, in the same order. */
  scores: Float32Array<ArrayBuffer>;
}

/** Row i's neighbours at i·k to i·k + k − 1, best first. */
export interface Neighbours {
  /** The k that was asked for, or rows − 1 where that is less. */
  k: number;
  rows: Int32Array<ArrayBuffer>;
  scores: Float32Array<ArrayBuffer>;
}

/** The part `index` of `partCount` equal parts of the work. */
export interface NeighboursPart {
  k: number;
  index: number;
  partCount: number;
}

export interface MatrixRegion {
  /** The first row and column by position in the order. */
  top: number;
  left: number;
  height: number;
  width: number;
}

export interface MatrixTile extends MatrixRegion {
  values: Float32Array<ArrayBuffer>;
}

export interface MatrixOverview {
  /** Cells a side. Cell c is the mean over positions from floor(c · rows / size) to floor((c + 1) · rows / size) − 1. */
  size: number;
  values: Float32Array<ArrayBuffer>;
}

export type OrderBy =
  | { by: 'input' }
  /** A group number for each row, −1 for none; groups ascend, none last, input order within. */
  | { by: 'label'; labels: Int32Array }
  | { by: 'pc1' }
  /** Groups of `clusters`, in the order of their place on PC1; within a group by similarity to its middle. */
  | { by: 'cluster'; count: number; seed: number };

export interface Point {
  x: number;
  y: number;
}

export interface PcaMap {
  /** x, y, x, y, … by row. The sign of each axis is fixed: the direction's largest number is positive. */
  points: Float32Array<ArrayBuffer>;
  /** The share of all variance that each axis shows, 0 to 1. */
  explained: { x: number; y: number };
}

export interface UmapSettings {
  /** Of each point, 15 by custom. */
  neighbours: number;
  /** How close points may lie, 0.1 by custom. */
  minDistance: number;
  /** Rounds of the layout; left out: 500, or 200 from 10,000 rows. */
  epochs?: number;
  seed: number;
}

export interface UmapMap {
  points: Float32Array<ArrayBuffer>;
  epochs: number;
}

/** A moment of a layout under way. */
export interface UmapFrame extends UmapMap {
  /** Rounds done. */
  epoch: number;
}

export interface Task {
  signal?: AbortSignal;
  /** 0 to 1. */
  onProgress?: (fraction: number) => void;
}

export interface UmapTask extends Task {
  /** At most once every 16 ms or so. */
  onFrame?: (frame: UmapFrame) => void;
}

export interface Trust {
  k: number;
  /** 1: no point on the map has a neighbour that is none in truth (Venna and Kaski). */
  trustworthiness: number;
  /** The share of true neighbours that are neighbours on the map as well. */
  keptShare: number;
  /** How many rows were looked at: all, or a seeded sample of a large set. */
  sampledRows: number;
}

export interface Clusters {
  /** By row. */
  labels: Int32Array<ArrayBuffer>;
  sizes: number[];
}

/** A mean over texts with its bootstrap 95 % interval. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

export interface SweepSettings {
  /** Ascending; each at most the set's own. */
  dimensions: readonly number[];
  /** How many neighbours, 10 by custom. */
  k: number;
  seed: number;
  /** A group for each row, −1 for none: then `sameLabelShare` is told. */
  labels?: Int32Array;
}

export interface SweepStep {
  dimensions: number;
  /** float32. */
  bytesPerVector: number;
  k: number;
  /** The share of a text's k true nearest (at full size) that are among its k nearest at this size. */
  recall: Estimate;
  /** The share of texts whose nearest is still the same one. */
  sameNearestShare: Estimate;
  /** Spearman of similarities with those at full size: among near pairs, and among random pairs. */
  rankCorrelation: { near: number; random: number };
  /** The share of labelled texts that a vote of their k nearest puts into their own group. */
  sameLabelShare?: number;
  /** The texts that were looked at: all rows, or a seeded sample of a large set. */
  queries: Int32Array<ArrayBuffer>;
  /** By place in `queries`: how many of the k were kept. */
  keptCounts: Uint16Array<ArrayBuffer>;
}

export interface CompareSettings {
  k: number;
  seed: number;
  /** Which row of a is the same text as which row of b; left out: row by row. Results count places in these. */
  pairing?: { a: Int32Array; b: Int32Array };
}

export interface ModelComparison {
  k: number;
  /** How many texts both have. */
  textCount: number;
  /** The share of a text's k nearest that both models name. */
  overlap: Estimate;
  /** By place in the pairing. */
  overlapByText: Float32Array<ArrayBuffer>;
  /** Spearman of the two models' similarities: among pairs that are near in one of them, and among random pairs. */
  rankCorrelation: { near: number; random: number };
  /** Linear centred kernel alignment, 0 to 1. */
  cka: number;
  /** Over a seeded sample of so many texts. */
  ckaTextCount: number;
  /** Pairs of texts whose rank moved most between the models, largest move first; at most 50. */
  movers: Mover[];
}

/** `other` is the rankA-th nearest of `text` with model a, the rankB-th with model b; 1 is the nearest. */
export interface Mover {
  text: number;
  other: number;
  rankA: number;
  rankB: number;
}
