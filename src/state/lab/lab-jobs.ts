/** Embeds the edited texts with one model after the other and passes the vectors to the views. */
import { chunk } from 'es-toolkit';
import type { StoreApi } from 'zustand/vanilla';

import { createModelChoice, isSameModel } from '../../conversation/setup/model-key.ts';
import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { listGroups, type TextItem } from '../../embedding/items/text-items.ts';
import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import { formatError } from '../../lib/format-error.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { EmbeddingJob, JobSetup, JobRunOptions } from '../embedding/embedding-job-types.ts';
import { toEmbeddingInput, isSameSetup, type LabInput } from './lab-input.ts';
import {
  emptySelection,
  modelSlots,
  type PendingTexts,
  type LabState,
  type LabText,
  type LoadedSet,
  type ModelSlot,
} from './lab-state.ts';

export interface LabJobs {
  /** Embeds the texts with each model whose results are missing or outdated, then loads the vectors. */
  runAll: (options: JobRunOptions) => Promise<void>;
  /** Resumes unfinished jobs; resolves with false if one paused again. */
  resume: (options?: JobRunOptions) => Promise<boolean>;
  pause: () => Promise<void>;
  /** Aborts the current job; vectors received so far are kept and loaded. */
  stop: () => Promise<void>;
  /** Aborts the current job, which stores nothing more, and clears the texts. */
  stopAndClear: () => Promise<void>;
  /** Compares the edited input with the visible results. */
  checkUpToDate: () => void;
}

export interface LabJobsDeps {
  vectors: VectorStore;
  /** Returns the job setup for a slot. */
  getSetup: (input: LabInput, slot: ModelSlot) => JobSetup | undefined;
  /** Creates a job that sends its requests to the gateway of the setup. */
  createJob: (setup: JobSetup, inputs: readonly EmbeddingInput[]) => EmbeddingJob;
}

/** Creates the jobs of a lab, one per model. Their results and errors are written to its state. */
export function createLabJobs(
  { vectors, getSetup, createJob }: LabJobsDeps,
  engine: VectorEngine,
  state: StoreApi<LabState>,
): LabJobs {
  let currentItems: readonly TextItem[] = [];
  let pendingItems: readonly TextItem[] = [];
  let version = 0;

  function isCurrentSetup(slot: ModelSlot, setup: JobSetup | undefined): boolean {
    return isSameSetup(state.getState().setups[slot], setup);
  }

  function checkUpToDate(): void {
    const { input, parsedInput, jobs } = state.getState();
    const isSame =
      areSameItems(parsedInput.items, currentItems) &&
      modelSlots.every((slot) => isCurrentSetup(slot, getSetup(input, slot)));
    state.setState({ isUpToDate: isSame && Object.values(jobs).every(isDone) });
  }

  /** Passes the stored vectors of this slot's job to the views. */
  async function loadSet(slot: ModelSlot, job: EmbeddingJob): Promise<void> {
    const { pendingTexts } = state.getState();
    if (pendingTexts) {
      replaceTexts(pendingItems, pendingTexts);
      state.setState({ jobs: { [slot]: job } });
    }
    state.setState(({ sets }) => ({ sets: withoutSlot(sets, slot) }));
    const rows = await loadRows(slot, job.getKeys(), vectors, engine);
    // Everything may have been deleted in the meantime.
    if (state.getState().jobs[slot] !== job) return;
    state.setState(({ setups }) => ({ setups: { ...setups, [slot]: job.setup } }));
    if (!rows) return;
    version += 1;
    const { model, gateway } = job.setup;
    const set: LoadedSet = { slot, version, ...createModelChoice(model, gateway), ...rows };
    state.setState(({ sets, shownDimensions }) => ({
      sets: { ...sets, [slot]: set },
      ...(shownDimensions !== undefined && shownDimensions > set.dimensions
        ? { shownDimensions: undefined }
        : {}),
    }));
  }

  /** Replaces the texts that the views show. */
  function replaceTexts(items: readonly TextItem[], { texts, groups } = buildPendingTexts(items)): void {
    currentItems = items;
    state.setState({
      texts,
      groups,
      pendingTexts: undefined,
      setups: {},
      sets: {},
      jobs: {},
      selection: emptySelection,
    });
  }

  /** Sets the texts to embed next. Results of earlier texts stay visible until new ones arrive. */
  function prepareTexts(items: readonly TextItem[]): void {
    if (areSameItems(items, currentItems)) return;
    if (Object.keys(state.getState().sets).length === 0) {
      replaceTexts(items);
      return;
    }
    pendingItems = items;
    state.setState({ pendingTexts: buildPendingTexts(items), jobs: {} });
  }

  function buildPendingTexts(items: readonly TextItem[]): PendingTexts {
    const groups = listGroups(items);
    const groupIndexes = new Map(groups.map((name, index) => [name, index]));
    const texts = items.map((item): LabText => {
      const group = item.label === undefined ? undefined : groupIndexes.get(item.label);
      return {
        text: item.text,
        ...(item.tokens ? { tokens: item.tokens } : {}),
        ...(group === undefined ? {} : { group }),
      };
    });
    return { texts, groups };
  }

  async function runJob(slot: ModelSlot, job: EmbeddingJob, options?: JobRunOptions): Promise<void> {
    state.setState(({ jobs }) => ({ activeSlot: slot, jobs: { ...jobs, [slot]: job } }));
    try {
      await job.run(options);
      await loadSet(slot, job);
      reportDimensionMismatch(slot, job);
    } catch (error) {
      state.setState({ problem: formatError(error) });
    } finally {
      state.setState({ activeSlot: undefined });
    }
  }

  /** Applies the chosen size in the views if the server ignored it or the field was omitted. */
  function reportDimensionMismatch(slot: ModelSlot, { setup }: EmbeddingJob): void {
    const { input, sets } = state.getState();
    const isOmitted = input.leftOut?.some(
      (omitted) => isSameModel(omitted, setup) && omitted.of === 'texts' && omitted.field === 'dimensions',
    );
    const requestedDimensions = setup.dimensions ?? (isOmitted === true ? input.dimensions : undefined);
    const receivedDimensions = sets[slot]?.dimensions;
    if (
      requestedDimensions === undefined ||
      receivedDimensions === undefined ||
      requestedDimensions === receivedDimensions
    )
      return;
    const isLonger = receivedDimensions > requestedDimensions;
    const effect = isLonger
      ? `The views truncate them to ${requestedDimensions}.`
      : 'Vectors cannot be made longer.';
    const reason =
      setup.dimensions === undefined
        ? 'because dimensions was not sent'
        : `although ${requestedDimensions} were requested`;
    state.setState({
      ...(isLonger ? { shownDimensions: requestedDimensions } : {}),
      notice: `The server returned ${receivedDimensions} dimensions ${reason}. ${effect}`,
    });
  }

  async function dropSet(slot: ModelSlot): Promise<void> {
    state.setState(({ setups, sets, jobs }) => ({
      setups: withoutSlot(setups, slot),
      sets: withoutSlot(sets, slot),
      jobs: withoutSlot(jobs, slot),
      shownSlot: 'A',
    }));
    await engine.drop(slot);
  }

  async function stop(): Promise<void> {
    const { activeSlot, jobs } = state.getState();
    const job = activeSlot && jobs[activeSlot];
    // The second call aborts the requests in flight.
    if (job) await Promise.all([job.pause(), job.pause()]);
  }

  return {
    checkUpToDate,
    runAll: async (options) => {
      const { input, parsedInput } = state.getState();
      state.setState({ notice: undefined, problem: undefined });
      prepareTexts(parsedInput.items);
      const inputs = parsedInput.items.map(toEmbeddingInput);
      for (const slot of modelSlots) {
        const setup = getSetup(input, slot);
        if (!setup) {
          if (state.getState().setups[slot]) await dropSet(slot);
          continue;
        }
        const currentJob = state.getState().jobs[slot];
        if (currentJob && isDone(currentJob) && isCurrentSetup(slot, setup)) continue;
        if (!isCurrentSetup(slot, setup)) state.setState({ shownDimensions: undefined });
        await runJob(slot, createJob(setup, inputs), options);
        // Stops, since the next job would pause for the same reason.
        const latest = state.getState().jobs[slot];
        if (!latest || !isDone(latest)) break;
      }
      checkUpToDate();
    },
    resume: async (options) => {
      for (const slot of modelSlots) {
        const job = state.getState().jobs[slot];
        if (!job || (isDone(job) && options?.retryFailed !== true)) continue;
        await runJob(slot, job, options);
        // Stops, since the next job would pause for the same reason.
        if (!isDone(job)) return false;
      }
      return true;
    },
    pause: async () => {
      const { activeSlot, jobs } = state.getState();
      if (activeSlot) await jobs[activeSlot]?.pause();
    },
    stop,
    stopAndClear: async () => {
      await stop();
      replaceTexts([]);
    },
  };
}

function isDone(job: EmbeddingJob): boolean {
  return job.state.getState().phase.name === 'done';
}

function withoutSlot<T>(
  record: Readonly<Partial<Record<ModelSlot, T>>>,
  slot: ModelSlot,
): Partial<Record<ModelSlot, T>> {
  const { [slot]: _removed, ...others } = record;
  return others;
}

function areSameItems(a: readonly TextItem[], b: readonly TextItem[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const bItem = b[index];
      return (
        bItem?.text === item.text &&
        bItem.label === item.label &&
        (bItem.tokens === undefined) === (item.tokens === undefined)
      );
    })
  );
}

/** Number of vectors read per slice: about 4 MB at 4,096 dimensions. */
const sliceSize = 256;

/**
 * Loads the stored vectors of the most common length into the engine's set of this slot; undefined if none is stored.
 * Rejects with engine errors.
 */
async function loadRows(
  slot: ModelSlot,
  keys: readonly string[],
  vectors: VectorStore,
  engine: VectorEngine,
): Promise<Pick<LoadedSet, 'dimensions' | 'rows' | 'norms' | 'sameVector'> | undefined> {
  const dimensions = await findCommonLength(keys, vectors);
  if (dimensions === undefined) {
    await engine.drop(slot);
    return undefined;
  }
  await engine.create(slot, dimensions);
  const rows: number[] = [];
  const norms: number[] = [];
  const textsByVector = new Map<string, number[]>();
  for (let start = 0; start < keys.length; start += sliceSize) {
    const slice = await vectors.get(keys.slice(start, start + sliceSize));
    const usableVectors = slice.flatMap((stored, index) =>
      stored?.vector.length === dimensions ? [{ textIndex: start + index, vector: stored.vector }] : [],
    );
    if (usableVectors.length === 0) continue;
    const matrix = new Float32Array(usableVectors.length * dimensions);
    for (const [index, { textIndex, vector }] of usableVectors.entries()) {
      matrix.set(vector, index * dimensions);
      rows.push(textIndex);
      const fingerprint = computeFingerprint(vector);
      const sameTexts = textsByVector.get(fingerprint);
      if (sameTexts) sameTexts.push(textIndex);
      else textsByVector.set(fingerprint, [textIndex]);
    }
    norms.push(...(await engine.append(slot, matrix)).norms);
  }
  const sameVector = new Map<number, number>();
  for (const texts of textsByVector.values()) {
    // Equal texts correctly share one key and one vector.
    const [firstText = 0] = texts;
    const differentText = texts.find((text) => keys[text] !== keys[firstText]);
    if (differentText === undefined) continue;
    for (const text of texts)
      sameVector.set(text, keys[text] === keys[firstText] ? differentText : firstText);
  }
  return { dimensions, rows, norms: Float32Array.from(norms), sameVector };
}

/** Computes 64 bits of a vector; a collision among a million vectors is very unlikely. */
function computeFingerprint(vector: Float32Array<ArrayBuffer>): string {
  let [hashA, hashB] = [0x811c9dc5, 0x9e3779b9];
  for (const word of new Uint32Array(vector.buffer)) {
    hashA = Math.imul(hashA ^ word, 0x01000193);
    hashB = Math.imul((hashB << 5) ^ (hashB >>> 27) ^ word, 0x85ebca6b);
  }
  return `${hashA} ${hashB}`;
}

/** Returns the most common length among the first stored vectors. */
async function findCommonLength(keys: readonly string[], vectors: VectorStore): Promise<number | undefined> {
  for (const slice of chunk(keys, sliceSize)) {
    const counts = new Map<number, number>();
    for (const stored of await vectors.get(slice)) {
      if (stored) counts.set(stored.vector.length, (counts.get(stored.vector.length) ?? 0) + 1);
    }
    const [topEntry] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (topEntry) return topEntry[0];
  }
  return undefined;
}
