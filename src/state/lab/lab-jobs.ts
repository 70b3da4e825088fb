/** Embeds what is edited, one model after the other, and gives the views what came of it. */
import type { StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { listGroups, type TextItem } from '../../embedding/items/text-items.ts';
import { formatError } from '../../lib/format-error.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type {
  EmbeddingJob,
  EmbeddingJobDeps,
  JobSetup,
  RunOptions,
} from '../embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../embedding/embedding-job.ts';
import { toEmbeddingInput, isSameSetup, getJobSetup } from './lab-input.ts';
import {
  emptySelection,
  slots,
  type PendingTexts,
  type LabState,
  type LabText,
  type LoadedSet,
  type Slot,
} from './lab-state.ts';

export interface LabJobs {
  /** Embeds the texts with each model that has not done so, then loads. */
  runAll: (options: RunOptions) => Promise<void>;
  /** Goes on with what is open; false where it paused again. */
  resume: (options?: RunOptions) => Promise<boolean>;
  pause: () => Promise<void>;
  /** Ends what is under way; what has come is kept and loaded. */
  stop: () => Promise<void>;
  /** Gives up what is under way: it stores nothing more. */
  stopAndClear: () => Promise<void>;
  /** Compares what is edited with what is shown. */
  checkUpToDate: () => void;
}

/** The jobs of a lab, one for each model; what comes of them, and what went wrong, goes into its state. */
export function createLabJobs(
  deps: EmbeddingJobDeps,
  engine: VectorEngine,
  state: StoreApi<LabState>,
): LabJobs {
  let currentItems: readonly TextItem[] = [];
  let pendingItems: readonly TextItem[] = [];
  let version = 0;

  function isCurrentSetup(slot: Slot, setup: JobSetup | undefined): boolean {
    return isSameSetup(state.getState().setups[slot], setup);
  }

  function checkUpToDate(): void {
    const { input, reading, jobs } = state.getState();
    const isSame =
      areSameItems(reading.items, currentItems) &&
      slots.every((slot) => isCurrentSetup(slot, getJobSetup(input, slot)));
    state.setState({ isUpToDate: isSame && Object.values(jobs).every(isDone) });
  }

  /** Gives the views what the job of this slot has stored so far. */
  async function load(slot: Slot, job: EmbeddingJob): Promise<void> {
    const { pendingTexts } = state.getState();
    if (pendingTexts) {
      replaceTexts(pendingItems, pendingTexts);
      state.setState({ jobs: { [slot]: job } });
    }
    state.setState(({ sets }) => ({ sets: without(sets, slot) }));
    const rows = await loadRows(slot, job.getKeys(), deps.vectors, engine);
    // Meanwhile everything may have been erased.
    if (state.getState().jobs[slot] !== job) return;
    state.setState(({ setups }) => ({ setups: { ...setups, [slot]: job.setup } }));
    if (!rows) return;
    version += 1;
    const { model } = job.setup;
    const set: LoadedSet = { slot, version, model, ...rows };
    state.setState(({ sets, shownDimensions }) => ({
      sets: { ...sets, [slot]: set },
      ...(shownDimensions !== undefined && shownDimensions > set.dimensions
        ? { shownDimensions: undefined }
        : {}),
    }));
  }

  /** The texts that the views show from now on. */
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

  /** The texts that are embedded next: the results of others stand until there are new ones. */
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

  async function runJob(slot: Slot, job: EmbeddingJob, options?: RunOptions): Promise<void> {
    state.setState(({ jobs }) => ({ active: slot, jobs: { ...jobs, [slot]: job } }));
    try {
      await job.run(options);
      await load(slot, job);
      reportDimensionMismatch(slot, job);
    } catch (error) {
      state.setState({ problem: formatError(error) });
    } finally {
      state.setState({ active: undefined });
    }
  }

  /** Applies the chosen size in the views if the server ignored it or it was left out of the request. */
  function reportDimensionMismatch(slot: Slot, { setup }: EmbeddingJob): void {
    const { input, sets } = state.getState();
    const isOmitted = input.leftOut?.some(
      ({ model, of, field }) => model === setup.model && of === 'texts' && field === 'dimensions',
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
      ? `The views cut them to ${requestedDimensions}.`
      : 'Shorter vectors cannot be made longer.';
    const reason =
      setup.dimensions === undefined
        ? 'because dimensions was left out'
        : `although ${requestedDimensions} were requested`;
    state.setState({
      ...(isLonger ? { shownDimensions: requestedDimensions } : {}),
      notice: `The server returned ${receivedDimensions} dimensions ${reason}. ${effect}`,
    });
  }

  async function dropSet(slot: Slot): Promise<void> {
    state.setState(({ setups, sets, jobs }) => ({
      setups: without(setups, slot),
      sets: without(sets, slot),
      jobs: without(jobs, slot),
      shownSlot: 'A',
    }));
    await engine.drop(slot);
  }

  async function stop(): Promise<void> {
    const { active, jobs } = state.getState();
    const job = active && jobs[active];
    // Twice: what is under way is given up, and stores nothing.
    if (job) await Promise.all([job.pause(), job.pause()]);
  }

  return {
    checkUpToDate,
    runAll: async (options) => {
      const { input, reading } = state.getState();
      state.setState({ notice: undefined, problem: undefined });
      prepareTexts(reading.items);
      const inputs = reading.items.map(toEmbeddingInput);
      for (const slot of slots) {
        const setup = getJobSetup(input, slot);
        if (!setup) {
          if (state.getState().setups[slot]) await dropSet(slot);
          continue;
        }
        const currentJob = state.getState().jobs[slot];
        if (currentJob && isDone(currentJob) && isCurrentSetup(slot, setup)) continue;
        if (!isCurrentSetup(slot, setup)) state.setState({ shownDimensions: undefined });
        await runJob(slot, createEmbeddingJob(setup, inputs, deps), options);
        // What paused for a reason would meet the same reason again.
        const latest = state.getState().jobs[slot];
        if (!latest || !isDone(latest)) break;
      }
      checkUpToDate();
    },
    resume: async (options) => {
      for (const slot of slots) {
        const job = state.getState().jobs[slot];
        if (!job || (isDone(job) && options?.retryFailed !== true)) continue;
        await runJob(slot, job, options);
        // What paused for a reason would meet the same reason again.
        if (!isDone(job)) return false;
      }
      return true;
    },
    pause: async () => {
      const { active, jobs } = state.getState();
      if (active) await jobs[active]?.pause();
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

function without<T>(record: Readonly<Partial<Record<Slot, T>>>, slot: Slot): Partial<Record<Slot, T>> {
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

/** Vectors read and handed over at once: about 4 MB at 4,096 dimensions. */
const sliceSize = 256;

/**
 * Fills the engine's set of this slot with the stored vectors of most texts' length; undefined where none is stored.
 * Rejects as the engine does.
 */
async function loadRows(
  slot: Slot,
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
    const usable = slice.flatMap((stored, index) =>
      stored?.vector.length === dimensions ? [{ text: start + index, vector: stored.vector }] : [],
    );
    if (usable.length === 0) continue;
    const matrix = new Float32Array(usable.length * dimensions);
    for (const [index, { text, vector }] of usable.entries()) {
      matrix.set(vector, index * dimensions);
      rows.push(text);
      const fingerprint = computeFingerprint(vector);
      const sameTexts = textsByVector.get(fingerprint);
      if (sameTexts) sameTexts.push(text);
      else textsByVector.set(fingerprint, [text]);
    }
    norms.push(...(await engine.append(slot, matrix)).norms);
  }
  const sameVector = new Map<number, number>();
  for (const texts of textsByVector.values()) {
    // A repeated text has one key, and correctly one vector.
    const [first = 0] = texts;
    const differentText = texts.find((text) => keys[text] !== keys[first]);
    if (differentText === undefined) continue;
    for (const text of texts) sameVector.set(text, keys[text] === keys[first] ? differentText : first);
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

/** Of the first ones that are stored: what most of them have. */
async function findCommonLength(keys: readonly string[], vectors: VectorStore): Promise<number | undefined> {
  for (let start = 0; start < keys.length; start += sliceSize) {
    const counts = new Map<number, number>();
    for (const stored of await vectors.get(keys.slice(start, start + sliceSize))) {
      if (stored) counts.set(stored.vector.length, (counts.get(stored.vector.length) ?? 0) + 1);
    }
    const [topEntry] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (topEntry) return topEntry[0];
  }
  return undefined;
}
