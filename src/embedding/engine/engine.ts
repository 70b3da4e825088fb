/**
 * Computations on vectors, off the main thread. React holds IDs and view state; the vectors stay here.
 *
 * Rows are numbered from 0 in the order in which they were appended. Vectors are scaled to length 1 when they arrive,
 * so every similarity is a plain dot product, -1 to 1. A row of zeros stays zero and has a similarity of 0 to
 * everything.
 *
 * Long computations run in slices: a search during a layout is answered within a few ms. A call rejects with the
 * signal's reason when aborted, or with an `EngineError`, whose message is a sentence for the user, if the computation is
 * impossible. There are no other rejections.
 *
 * Everything random is seeded: the same rows, settings and seed give the same bits with the same kernel.
 */
export interface VectorEngine {
  /** Reports which kernel is used and, if it is not WebAssembly, why not. */
  getInfo(): Promise<EngineInfo>;

  /** Creates an empty set, or empties the existing one. The caller chooses the name, for example model and size. */
  create(set: string, dimensions: number): Promise<void>;
  /**
   * Adds rows, row-major, `dimensions` numbers each. The array's buffer is transferred and empty afterwards. Rejects if
   * a number is not finite, if the length is not a multiple of the dimensions, or if the set would exceed
   * `maxSetBytes`.
   */
  append(set: string, vectors: Float32Array<ArrayBuffer>): Promise<SetInfo>;
  /** Removes a set; an unknown name is not an error. */
  drop(set: string): Promise<void>;

  /** Returns the k most similar rows. A row used as the query is left out. */
  search(view: SetView, query: Query, k: number): Promise<SearchResult>;
  /** Returns the similarity to every row, by row. */
  computeScores(view: SetView, query: Query): Promise<Float32Array<ArrayBuffer>>;
  /** Returns the cosine similarity of two rows. */
  computePairScore(view: SetView, row: number, other: number): Promise<number>;
  /**
   * Returns similarities of different rows in ascending order: every pair of a small set, 20,000 random pairs of a
   * large one. Together with `computePercentileRank` they show what a score means for this model and these texts.
   */
  samplePairScores(view: SetView): Promise<Float32Array<ArrayBuffer>>;

  /**
   * Returns the exact k nearest neighbours of every row. Cached: the same view with the same or a smaller k is
   * immediate.
   */
  findNeighbours(view: SetView, k: number, task?: Task): Promise<Neighbours>;

  /**
   * Returns the whole matrix as `blocks` × `blocks` exact means, row-major; for a set smaller than `blocks`, its cells.
   */
  computeOverview(view: SetView, order: RowOrder | undefined, blocks: number): Promise<MatrixOverview>;
  /** Returns single cells of the ordered matrix, exact and row-major. Regions are clipped to the matrix. */
  computeTile(view: SetView, order: RowOrder | undefined, region: MatrixRegion): Promise<MatrixTile>;
  /** Returns an order of rows in which similar rows are close together. */
  orderRows(view: SetView, by: OrderBy, task?: Task): Promise<RowOrder>;

  /** Returns the two directions of largest variance. Cached for `project`. */
  computePca(view: SetView, task?: Task): Promise<PcaMap>;
  /** Returns the position on the set's PCA map of a vector with at least the view's dimensions. */
  project(view: SetView, vector: Float32Array): Promise<Point>;
  /** Returns a layout that keeps similar texts close. Starts from PCA; `onFrame` receives intermediate states. */
  computeUmap(view: SetView, settings: UmapSettings, task?: UmapTask): Promise<UmapMap>;
  /** Returns how far a map (x, y, x, y, …) can be trusted: how many true neighbours it keeps. */
  computeTrust(view: SetView, points: Float32Array, k: number, task?: Task): Promise<Trust>;

  /**
   * Runs k-means on the sphere; clusters are numbered from 0, the largest first. Callers may share one computation, so
   * progress is not reported.
   */
  computeClusters(view: SetView, count: number, seed: number, task?: Task): Promise<Clusters>;

  /** Returns the quality loss for each shorter size, computed from the full vectors without a request. */
  sweep(set: string, settings: SweepSettings, task?: Task): Promise<SweepStep[]>;

  /** Measures how far two models agree on the same texts, without ever comparing cosines across models. */
  compare(a: SetView, b: SetView, settings: CompareSettings, task?: Task): Promise<ModelComparison>;

  /**
   * Called by another engine: returns the neighbours found in one part of all pairs of these rows (unit vectors, row-major,
   * transferred). The lists of all parts together contain the nearest neighbours; empty positions are −1.
   */
  computeNeighboursShare(
    rows: Float32Array<ArrayBuffer>,
    dimensions: number,
    part: NeighboursPart,
    task?: Task,
  ): Promise<Neighbours>;

  /**
   * Called by another engine for a sweep: returns the contribution of one part of all pairs to each size, ascending.
   * `queryRows` are the rows used as queries.
   */
  computeSweepShare(
    rows: Float32Array<ArrayBuffer>,
    sizes: readonly number[],
    queryRows: Int32Array,
    part: NeighboursPart,
    task?: Task,
  ): Promise<Neighbours[]>;

  /**
   * Registers a listener for the loss of all sets because their worker has stopped; never called for an engine in this
   * page.
   */
  onLost(listener: (message: string) => void): void;
  /** Ends the worker; all pending calls reject. */
  close(): void;
}

/** Methods through which an engine shares the work of another one. */
export type EngineHelper = Pick<VectorEngine, 'computeNeighboursShare' | 'computeSweepShare'>;

/** An error with a sentence for the user: what is not possible, and what to do instead. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** Maximum number of bytes in the rows of a set; beyond it, a tab is likely to crash. */
export const maxSetBytes = 512 * 1024 * 1024;

export interface EngineInfo {
  kernel: 'webassembly' | 'javascript';
  /** Sentence that explains why WebAssembly is not used. */
  reason?: string;
}

export interface SetInfo {
  rowCount: number;
  dimensions: number;
  /** Length of each appended vector before it was scaled to 1. */
  norms: Float32Array<ArrayBuffer>;
}

/** A set, possibly with shorter vectors: the first `dimensions` numbers of each, scaled to length 1 again. */
export interface SetView {
  set: string;
  /** The set's own dimensions by default. */
  dimensions?: number;
}

/** A row of the set, or a vector with at least the view's dimensions, cut and scaled like a row. */
export type Query = { row: number } | { vector: Float32Array };

/** Rows by position in the matrix. */
export type RowOrder = Int32Array<ArrayBuffer>;

export interface SearchResult {
  /** Best first; fewer than k if there are fewer rows. Equal scores are in the order of rows. */
  rows: Int32Array<ArrayBuffer>;
  /** Scores of `rows`, in the same order. */
  scores: Float32Array<ArrayBuffer>;
}

/** Row i's neighbours are at i·k to i·k + k − 1, best first. */
export interface Neighbours {
  /** The requested k, or rows − 1 if that is less. */
  k: number;
  rows: Int32Array<ArrayBuffer>;
  scores: Float32Array<ArrayBuffer>;
}

/** Part `index` of `partCount` equal parts of the work. */
export interface NeighboursPart {
  k: number;
  index: number;
  partCount: number;
}

export interface MatrixRegion {
  /** First row and column, as positions in the order. */
  top: number;
  left: number;
  height: number;
  width: number;
}

export interface MatrixTile extends MatrixRegion {
  values: Float32Array<ArrayBuffer>;
}

export interface MatrixOverview {
  /** Cells per side. Cell c is the mean over positions floor(c · rows / size) to floor((c + 1) · rows / size) − 1. */
  size: number;
  values: Float32Array<ArrayBuffer>;
}

export type OrderBy =
  | { by: 'input' }
  /** A group number per row, −1 for none. Groups ascend, ungrouped rows come last, input order within a group. */
  | { by: 'label'; labels: Int32Array }
  | { by: 'pc1' }
  /** Clusters ordered by their position on PC1; rows within a cluster by similarity to its centre. */
  | { by: 'cluster'; count: number; seed: number };

export interface Point {
  x: number;
  y: number;
}

export interface PcaMap {
  /** x, y, x, y, … in row order. The sign of each axis is fixed: the largest component of its direction is positive. */
  points: Float32Array<ArrayBuffer>;
  /** Share of the variance shown by each axis, 0 to 1. */
  explained: { x: number; y: number };
}

export interface UmapSettings {
  /** Number of neighbours per point, usually 15. */
  neighbours: number;
  /** Minimum distance between points, usually 0.1. */
  minDistance: number;
  /** Number of epochs of the layout; by default 500, or 200 for 10,000 rows or more. */
  epochs?: number;
  seed: number;
}

export interface UmapMap {
  points: Float32Array<ArrayBuffer>;
  epochs: number;
}

/** An intermediate state of a layout. */
export interface UmapFrame extends UmapMap {
  /** Number of finished rounds. */
  epoch: number;
}

export interface Task {
  signal?: AbortSignal;
  /** Fraction done, 0 to 1. */
  onProgress?: (fraction: number) => void;
}

export interface UmapTask extends Task {
  /** Called at most about every 16 ms. */
  onFrame?: (frame: UmapFrame) => void;
}

export interface Trust {
  k: number;
  /** 1 means that every neighbour on the map is a true neighbour (Venna and Kaski). */
  trustworthiness: number;
  /** Share of true neighbours that are also neighbours on the map. */
  keptShare: number;
  /** Number of rows examined: all, or a seeded sample of a large set. */
  sampledRows: number;
}

export interface Clusters {
  /** Cluster by row. */
  labels: Int32Array<ArrayBuffer>;
  sizes: number[];
  /** The row nearest to the centre of each cluster; −1 for an empty cluster. */
  centralRows: number[];
}

/** A mean over texts with its bootstrap 95% interval. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

export interface SweepSettings {
  /** Sizes in ascending order, each at most the set's own. */
  dimensions: readonly number[];
  /** Number of neighbours, usually 10. */
  k: number;
  seed: number;
  /** A group per row, −1 for none; required for `sameLabelShare`. */
  labels?: Int32Array;
}

export interface SweepStep {
  dimensions: number;
  /** Size as float32, in bytes. */
  bytesPerVector: number;
  k: number;
  /** Share of a text's k true nearest neighbours (at full size) that are among its k nearest at this size. */
  recall: Estimate;
  /** Share of texts whose nearest neighbour is unchanged. */
  sameNearestShare: Estimate;
  /** Spearman correlation with the similarities at full size, among near pairs and among random pairs. */
  rankCorrelation: { near: number; random: number };
  /** Share of labelled texts whose k nearest neighbours vote for their own group. */
  sameLabelShare?: number;
  /** Texts that were examined: all rows, or a seeded sample of a large set. */
  queries: Int32Array<ArrayBuffer>;
  /** Number of kept neighbours, by position in `queries`. */
  keptCounts: Uint16Array<ArrayBuffer>;
}

export interface CompareSettings {
  k: number;
  seed: number;
  /** Rows of a and b with the same text; row by row by default. Results refer to positions in these arrays. */
  pairing?: { a: Int32Array; b: Int32Array };
}

export interface ModelComparison {
  k: number;
  /** Number of texts that both models have. */
  textCount: number;
  /** Share of a text's k nearest neighbours that both models agree on. */
  overlap: Estimate;
  /** Overlap by position in the pairing. */
  overlapByText: Float32Array<ArrayBuffer>;
  /**
   * Spearman correlation of both models' similarities, among pairs that are near in one of them and among random pairs.
   */
  rankCorrelation: { near: number; random: number };
  /** Linear centred kernel alignment, 0 to 1. */
  cka: number;
  /** Size of the seeded sample for `cka`. */
  ckaTextCount: number;
  /** Pairs of texts whose rank differs most between the models, largest difference first; at most 50. */
  movers: Mover[];
}

/** `other` is the rankA-th nearest neighbour of `text` with model a and the rankB-th with model b; 1 is the nearest. */
export interface Mover {
  text: number;
  other: number;
  rankA: number;
  rankB: number;
}
