/** Embeds what is edited, one model after the other, and gives the views what came of it. */
import type { StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { groupsOf, type TextItem } from '../../embedding/items/text-items.ts';
import { formatError } from '../../lib/format-error.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { EmbeddingJob, JobParts, JobSetup, RunOptions } from '../embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../embedding/embedding-job.ts';
import { inputOf, isSameSetup, setupOf } from './lab-input.ts';
import {
  nothingSelected,
  slots,
  type ComingTexts,
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
  giveUp: () => Promise<void>;
  /** Compares what is edited with what is shown. */
  checkUpToDate: () => void;
}

/** The jobs of a lab, one for each model; what comes of them, and what went wrong, goes into its state. */
export function createLabJobs(parts: JobParts, engine: VectorEngine, state: StoreApi<LabState>): LabJobs {
  let shownItems: readonly TextItem[] = [];
  let comingItems: readonly TextItem[] = [];
  let version = 0;

  function isShown(slot: Slot, setup: JobSetup | undefined): boolean {
    return isSameSetup(state.getState().setups[slot], setup);
  }

  function checkUpToDate(): void {
    const { input, reading, jobs } = state.getState();
    const isSame =
      sameItems(reading.items, shownItems) && slots.every((slot) => isShown(slot, setupOf(input, slot)));
    state.setState({ isUpToDate: isSame && Object.values(jobs).every(isDone) });
  }

  /** Gives the views what the job of this slot has stored so far. */
  async function load(slot: Slot, job: EmbeddingJob): Promise<void> {
    const { coming } = state.getState();
    if (coming) {
      replace(comingItems, coming);
      state.setState({ jobs: { [slot]: job } });
    }
    state.setState(({ sets }) => ({ sets: without(sets, slot) }));
    const rows = await loadRows(slot, job.keys(), parts.vectors, engine);
    // Meanwhile everything may have been erased.
    if (state.getState().jobs[slot] !== job) return;
    state.setState(({ setups }) => ({ setups: { ...setups, [slot]: job.setup } }));
    if (!rows) return;
    version += 1;
    const { model } = job.setup;
    const set: LoadedSet = { slot, version, model, ...rows };
    state.setState(({ sets, cut }) => ({
      sets: { ...sets, [slot]: set },
      ...(cut !== undefined && cut > set.dimensions ? { cut: undefined } : {}),
    }));
  }

  /** The texts that the views show from now on. */
  function replace(items: readonly TextItem[], { texts, groups } = textsOf(items)): void {
    shownItems = items;
    state.setState({
      texts,
      groups,
      coming: undefined,
      setups: {},
      sets: {},
      jobs: {},
      selection: nothingSelected,
    });
  }

  /** The texts that are embedded next: the results of others stand until there are new ones. */
  function prepare(items: readonly TextItem[]): void {
    if (sameItems(items, shownItems)) return;
    if (Object.keys(state.getState().sets).length === 0) {
      replace(items);
      return;
    }
    comingItems = items;
    state.setState({ coming: textsOf(items), jobs: {} });
  }

  function textsOf(items: readonly TextItem[]): ComingTexts {
    const groups = groupsOf(items);
    const places = new Map(groups.map((name, index) => [name, index]));
    const texts = items.map((item): LabText => {
      const group = item.label === undefined ? undefined : places.get(item.label);
      return {
        text: item.text,
        ...(item.tokens ? { tokens: item.tokens } : {}),
        ...(group === undefined ? {} : { group }),
      };
    });
    return { texts, groups };
  }

  async function follow(slot: Slot, job: EmbeddingJob, options?: RunOptions): Promise<void> {
    state.setState(({ jobs }) => ({ active: slot, jobs: { ...jobs, [slot]: job } }));
    try {
      await job.run(options);
      await load(slot, job);
      noteOtherSize(slot, job);
    } catch (error) {
      state.setState({ problem: formatError(error) });
    } finally {
      state.setState({ active: undefined });
    }
  }

  /** Applies the chosen size in the views if the server ignored it or it was left out of the request. */
  function noteOtherSize(slot: Slot, { setup }: EmbeddingJob): void {
    const { input, sets } = state.getState();
    const isLeftOut = input.leftOut?.some(
      ({ model, of, field }) => model === setup.model && of === 'texts' && field === 'dimensions',
    );
    const asked = setup.dimensions ?? (isLeftOut === true ? input.dimensions : undefined);
    const came = sets[slot]?.dimensions;
    if (asked === undefined || came === undefined || asked === came) return;
    const isLonger = came > asked;
    const what = isLonger ? `The views cut them to ${asked}.` : 'Shorter vectors cannot be made longer.';
    const why =
      setup.dimensions === undefined ? 'because dimensions was left out' : `although ${asked} were requested`;
    state.setState({
      ...(isLonger ? { cut: asked } : {}),
      notice: `The server returned ${came} dimensions ${why}. ${what}`,
    });
  }

  async function drop(slot: Slot): Promise<void> {
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
      prepare(reading.items);
      const inputs = reading.items.map(inputOf);
      for (const slot of slots) {
        const setup = setupOf(input, slot);
        if (!setup) {
          if (state.getState().setups[slot]) await drop(slot);
          continue;
        }
        const known = state.getState().jobs[slot];
        if (known && isDone(known) && isShown(slot, setup)) continue;
        if (!isShown(slot, setup)) state.setState({ cut: undefined });
        await follow(slot, createEmbeddingJob(setup, inputs, parts), options);
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
        await follow(slot, job, options);
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
    giveUp: async () => {
      await stop();
      replace([]);
    },
  };
}

function isDone(job: EmbeddingJob): boolean {
  return job.state.getState().phase.name === 'done';
}

function without<T>(record: Readonly<Partial<Record<Slot, T>>>, slot: Slot): Partial<Record<Slot, T>> {
  const { [slot]: _taken, ...others } = record;
  return others;
}

function sameItems(one: readonly TextItem[], other: readonly TextItem[]): boolean {
  if (one === other) return true;
  return (
    one.length === other.length &&
    one.every((item, index) => {
      const like = other[index];
      return (
        like?.text === item.text &&
        like.label === item.label &&
        (like.tokens === undefined) === (item.tokens === undefined)
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
  const dimensions = await commonLength(keys, vectors);
  if (dimensions === undefined) {
    await engine.drop(slot);
    return undefined;
  }
  await engine.create(slot, dimensions);
  const rows: number[] = [];
  const norms: number[] = [];
  const textsByVector = new Map<string, number[]>();
  for (let at = 0; at < keys.length; at += sliceSize) {
    const slice = await vectors.get(keys.slice(at, at + sliceSize));
    const usable = slice.flatMap((stored, index) =>
      stored?.vector.length === dimensions ? [{ text: at + index, vector: stored.vector }] : [],
    );
    if (usable.length === 0) continue;
    const matrix = new Float32Array(usable.length * dimensions);
    for (const [index, { text, vector }] of usable.entries()) {
      matrix.set(vector, index * dimensions);
      rows.push(text);
      const print = computeFingerprint(vector);
      const same = textsByVector.get(print);
      if (same) same.push(text);
      else textsByVector.set(print, [text]);
    }
    norms.push(...(await engine.append(slot, matrix)).norms);
  }
  const sameVector = new Map<number, number>();
  for (const texts of textsByVector.values()) {
    // A repeated text has one key, and correctly one vector.
    const [first = 0] = texts;
    const other = texts.find((text) => keys[text] !== keys[first]);
    if (other === undefined) continue;
    for (const text of texts) sameVector.set(text, keys[text] === keys[first] ? other : first);
  }
  return { dimensions, rows, norms: Float32Array.from(norms), sameVector };
}

/** Computes 64 bits of a vector; a collision among a million vectors is very unlikely. */
function computeFingerprint(vector: Float32Array<ArrayBuffer>): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (const word of new Uint32Array(vector.buffer)) {
    one = Math.imul(one ^ word, 0x01000193);
    other = Math.imul((other << 5) ^ (other >>> 27) ^ word, 0x85ebca6b);
  }
  return `${one} ${other}`;
}

/** Of the first ones that are stored: what most of them have. */
async function commonLength(keys: readonly string[], vectors: VectorStore): Promise<number | undefined> {
  for (let at = 0; at < keys.length; at += sliceSize) {
    const counts = new Map<number, number>();
    for (const stored of await vectors.get(keys.slice(at, at + sliceSize))) {
      if (stored) counts.set(stored.vector.length, (counts.get(stored.vector.length) ?? 0) + 1);
    }
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (most) return most[0];
  }
  return undefined;
}
