/** Embeds what is edited, one model after the other, and gives the views what came of it. */
import { groupsOf, type TextItem } from '../../../embedding/items/text-items.ts';
import { wordsOf } from '../../../lib/error-words.ts';
import type { EmbeddingJob, JobSetup, RunOptions } from '../../../state/embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../../../state/embedding/embedding-job.ts';
import { isAboutDimensions } from '../../../state/embedding/embedding-request.ts';
import { otherSizeInWords, refusedSizeInWords } from '../texts/size-words.ts';
import { inputOf, slots, type LabCore } from './lab-core.ts';
import { setupOf } from './lab-input.ts';
import { nothingSelected, type LabText, type Slot } from './lab-store.ts';
import { loadSet } from './load-set.ts';

export interface LabJobs {
  /** Embeds the texts with each model that has not done so, then loads. */
  runAll: (options: RunOptions) => Promise<void>;
  /** Goes on with what is open; false where it paused again. */
  resume: (options?: RunOptions) => Promise<boolean>;
  pause: () => Promise<void>;
  /** Gives up what is under way; the views show nothing. */
  forget: () => Promise<void>;
  /** What the engine held is gone: the views show nothing until it is embedded again, which asks for nothing stored. */
  lose: (words: string) => void;
  /** Compares what is edited with what is shown. */
  checkUpToDate: () => void;
}

export function createLabJobs({ parts, engine, store, state, setups }: LabCore): LabJobs {
  let shownItems: readonly TextItem[] = [];
  let version = 0;

  function isShown(slot: Slot, setup: JobSetup | undefined): boolean {
    const shown = setups[slot];
    return (
      shown?.model === setup?.model &&
      shown?.dimensions === setup?.dimensions &&
      shown?.format === setup?.format
    );
  }

  function checkUpToDate(): void {
    const { input, reading, jobs } = state.getState();
    const isSame =
      sameItems(reading.items, shownItems) && slots.every((slot) => isShown(slot, setupOf(input, slot)));
    state.setState({ isUpToDate: isSame && Object.values(jobs).every(isDone) });
  }

  /** Gives the views what the job of this slot has stored so far. */
  async function load(slot: Slot, job: EmbeddingJob): Promise<void> {
    const { [slot]: _old, ...others } = store.getState().sets;
    store.setState({ sets: others });
    const loaded = await loadSet(slot, job.keys(), parts.vectors, engine);
    setups[slot] = job.setup;
    if (!loaded) return;
    version += 1;
    const { dimensions, rows, norms, uneven } = loaded;
    state.setState((before) => ({
      loaded: { ...before.loaded, [slot]: { norms, uneven, tookMs: job.state.getState().tookMs } },
    }));
    const { model } = job.setup;
    const set = { slot, version, model, dimensions, rows, isLexicalDemo: model.startsWith('demo/') };
    store.setState(({ sets, cut }) => ({
      sets: { ...sets, [slot]: set },
      ...(cut !== undefined && cut > dimensions ? { cut: undefined } : {}),
    }));
  }

  /** The texts that the views show from now on. */
  function show(items: readonly TextItem[]): void {
    if (sameItems(items, shownItems)) return;
    shownItems = items;
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
    store.setState({ texts, groups, sets: {}, selection: nothingSelected });
    state.setState({ jobs: {}, loaded: {} });
    for (const slot of slots) setups[slot] = undefined;
  }

  async function follow(slot: Slot, job: EmbeddingJob, options?: RunOptions): Promise<void> {
    state.setState(({ jobs }) => ({ active: slot, jobs: { ...jobs, [slot]: job } }));
    try {
      await job.run(options);
      if (await withoutDimensions(slot, job)) return;
      await load(slot, job);
      noteOtherSize(slot, job);
    } catch (error) {
      state.setState({ problem: wordsOf(error) });
    } finally {
      state.setState({ active: undefined });
    }
  }

  /** The server's answer outranks the table: where it refuses the field, the full size is asked for and cut here. */
  async function withoutDimensions(slot: Slot, job: EmbeddingJob): Promise<boolean> {
    const { phase } = job.state.getState();
    const { dimensions, ...setup } = job.setup;
    const report = phase.name === 'paused' ? phase.report : undefined;
    if (!report || dimensions === undefined || !isAboutDimensions(report)) return false;
    store.setState({ cut: dimensions });
    state.setState(({ input }) => ({
      input: { ...input, dimensions: undefined },
      notice: refusedSizeInWords(dimensions, report.message),
    }));
    await follow(slot, createEmbeddingJob(setup, job.inputs, parts));
    return true;
  }

  function noteOtherSize(slot: Slot, job: EmbeddingJob): void {
    const asked = job.setup.dimensions;
    const came = store.getState().sets[slot]?.dimensions;
    if (asked === undefined || came === undefined || asked === came) return;
    if (came > asked) store.setState({ cut: asked });
    state.setState({ notice: otherSizeInWords(asked, came) });
  }

  async function drop(slot: Slot): Promise<void> {
    setups[slot] = undefined;
    const { [slot]: _set, ...sets } = store.getState().sets;
    const { [slot]: _job, ...jobs } = state.getState().jobs;
    store.setState({ sets, shownSlot: 'A' });
    state.setState({ jobs });
    await engine.drop(slot);
  }

  return {
    checkUpToDate,
    runAll: async (options) => {
      const { input, reading } = state.getState();
      state.setState({ notice: undefined, problem: undefined });
      show(reading.items);
      const inputs = reading.items.map(inputOf);
      for (const slot of slots) {
        const setup = setupOf(input, slot);
        if (!setup) {
          if (setups[slot]) await drop(slot);
          continue;
        }
        const known = state.getState().jobs[slot];
        if (known && isDone(known) && isShown(slot, setup)) continue;
        if (!isShown(slot, setup)) store.setState({ cut: undefined });
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
    lose: (words) => {
      for (const slot of slots) setups[slot] = undefined;
      store.setState({ sets: {} });
      state.setState({ loaded: {}, isUpToDate: false, problem: words });
    },
    forget: async () => {
      const { active, jobs } = state.getState();
      const job = active && jobs[active];
      // Twice: what is under way is given up, and stores nothing.
      if (job) await Promise.all([job.pause(), job.pause()]);
      show([]);
    },
  };
}

function isDone(job: EmbeddingJob): boolean {
  return job.state.getState().phase.name === 'done';
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
