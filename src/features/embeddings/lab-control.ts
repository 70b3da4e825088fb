/** The lab as a whole: what is to be embedded, the jobs that do it, and what is loaded for the views. Outlives the screen. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../embedding/engine.ts';
import type { TextItem, TextReading } from '../../embedding/text-items.ts';
import { groupsOf } from '../../embedding/text-items.ts';
import { vectorKey, type EmbeddingInput } from '../../embedding/vector-key.ts';
import { ownProperty } from '../../lib/json.ts';
import {
  createEmbeddingJob,
  isAboutDimensions,
  type EmbeddingJob,
  type JobParts,
  type JobSetup,
} from '../../state/embedding-job.ts';
import { planEmbedding, type EmbeddingPlan } from '../../state/embedding-plan.ts';
import { emptyInput, readInput, reviveInput, setupOf, type LabInput } from './lab-input.ts';
import { createLabStore, nothingSelected, type LabText, type Slot } from './lab-store.ts';
import { loadSet, type LoadedRows } from './load-set.ts';
import type { Lab } from './use-lab.ts';
import type { CutCheck } from './verify-cut.ts';

export interface ControlState {
  input: LabInput;
  /** What `input` holds. */
  reading: TextReading;
  jobs: Partial<Record<Slot, EmbeddingJob>>;
  /** The slot whose job is under way. */
  active?: Slot | undefined;
  /** Of all models together; undefined while it is being looked up. */
  plan?: EmbeddingPlan | undefined;
  /** The texts in the field are those that are embedded, with the same models and sizes. */
  isUpToDate: boolean;
  loaded: Partial<Record<Slot, Pick<LoadedRows, 'norms' | 'uneven'> & { tookMs: number }>>;
  /** Something was done otherwise than asked, and is worth a sentence. */
  notice?: string | undefined;
  /** Vectors are there and could not be loaded. */
  problem?: string | undefined;
}

export interface LabControl extends Lab {
  state: StoreApi<ControlState>;
  edit: (change: Partial<LabInput>) => void;
  /** Stores what is edited at once, not in a moment. */
  keep: () => Promise<void>;
  /** Begins anew after everything was erased: nothing of what was edited or loaded stays, nothing is written. */
  forget: () => Promise<void>;
  /** Embeds what is not stored, then loads. This is what spends. */
  embed: () => Promise<void>;
  pause: () => Promise<void>;
  /** Goes on with the paused job. */
  resume: (options?: { retryFailed?: boolean }) => Promise<void>;
  vectors: JobParts['vectors'];
  /** Compares the server's own `dimensions` with a cut of the loaded set: one request, or none the second time. */
  verifyCut: (slot: Slot, dimensions: number) => Promise<CutCheck>;
}

const slots: readonly Slot[] = ['A', 'B'];
const planAfterMs = 250;
const storeAfterMs = 500;
const noteId = 'lab';

/** Restores what was edited last, and loads what is stored of it, without a request. */
export async function createLabControl(parts: JobParts, engine: VectorEngine): Promise<LabControl> {
  const { vectors } = parts;
  const store = createLabStore();
  const noted = await vectors.note(noteId);
  const input = noted === undefined ? emptyInput : reviveInput(ownProperty(noted, 'input'));
  const state = createStore<ControlState>(() => ({
    input,
    reading: readInput(input),
    jobs: {},
    loaded: {},
    isUpToDate: false,
  }));
  /** The setup behind the loaded set of each slot. */
  const setups: Record<Slot, JobSetup | undefined> = { A: undefined, B: undefined };
  let shownItems: readonly TextItem[] = [];
  let version = 0;
  let wasStarted = ownProperty(noted, 'wasStarted') === true;
  let planTimer: ReturnType<typeof setTimeout> | undefined;
  let storeTimer: ReturnType<typeof setTimeout> | undefined;
  let planned = 0;

  function keepNow(): Promise<void> {
    clearTimeout(storeTimer);
    return vectors.putNote(noteId, { input: state.getState().input, wasStarted });
  }

  function keep(): void {
    clearTimeout(storeTimer);
    storeTimer = setTimeout(() => void keepNow(), storeAfterMs);
  }

  async function plan(): Promise<void> {
    planned += 1;
    const mine = planned;
    const { input: current, reading } = state.getState();
    const inputs = reading.items.map(inputOf);
    const plans = await Promise.all(
      slots.flatMap((slot) => {
        const setup = setupOf(current, slot);
        return setup && inputs.length > 0 ? [planEmbedding(setup, inputs, vectors)] : [];
      }),
    );
    if (mine === planned) state.setState({ plan: plans.length === 0 ? undefined : sumOf(plans) });
  }

  function planSoon(): void {
    clearTimeout(planTimer);
    planTimer = setTimeout(() => void plan(), planAfterMs);
  }

  function isShown(slot: Slot, setup: JobSetup | undefined): boolean {
    const shown = setups[slot];
    return (
      shown?.model === setup?.model &&
      shown?.dimensions === setup?.dimensions &&
      shown?.format === setup?.format
    );
  }

  function checkUpToDate(): void {
    const { input: current, reading, jobs } = state.getState();
    const isSame =
      sameItems(reading.items, shownItems) && slots.every((slot) => isShown(slot, setupOf(current, slot)));
    state.setState({
      isUpToDate: isSame && Object.values(jobs).every((job) => job.state.getState().phase.name === 'done'),
    });
  }

  function edit(change: Partial<LabInput>): void {
    const next = { ...state.getState().input, ...change };
    const isText = 'typed' in change || 'file' in change || 'mode' in change;
    state.setState({ input: next, plan: undefined, ...(isText ? { reading: readInput(next) } : {}) });
    checkUpToDate();
    planSoon();
    keep();
  }

  /** Gives the views what the job of this slot has stored so far. */
  async function load(slot: Slot, job: EmbeddingJob): Promise<void> {
    const { [slot]: _old, ...others } = store.getState().sets;
    store.setState({ sets: others });
    const rows = await loadSet(slot, job.keys(), vectors, engine);
    setups[slot] = job.setup;
    if (!rows) return;
    version += 1;
    const { dimensions, norms, uneven } = rows;
    state.setState(({ loaded }) => ({
      loaded: { ...loaded, [slot]: { norms, uneven, tookMs: job.state.getState().tookMs } },
    }));
    const { model } = job.setup;
    const set = {
      slot,
      version,
      model,
      dimensions,
      rows: rows.rows,
      isLexicalDemo: model.startsWith('demo/'),
    };
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

  async function follow(
    slot: Slot,
    job: EmbeddingJob,
    options: Parameters<EmbeddingJob['run']>[0],
  ): Promise<void> {
    state.setState(({ jobs }) => ({ active: slot, jobs: { ...jobs, [slot]: job } }));
    try {
      await job.run(options);
      if (await withoutDimensions(slot, job)) return;
      await load(slot, job);
      noteOtherSize(slot, job);
    } catch (error) {
      state.setState({ problem: error instanceof Error ? error.message : String(error) });
    } finally {
      state.setState({ active: undefined });
    }
  }

  /** The server's answer outranks the table: where it refuses the field, the full size is asked for and cut here. */
  async function withoutDimensions(slot: Slot, job: EmbeddingJob): Promise<boolean> {
    const { phase } = job.state.getState();
    const { dimensions, ...setup } = job.setup;
    if (
      phase.name !== 'paused' ||
      !phase.report ||
      dimensions === undefined ||
      !isAboutDimensions(phase.report)
    )
      return false;
    store.setState({ cut: dimensions });
    state.setState(({ input: current }) => ({
      input: { ...current, dimensions: undefined },
      notice: `The server does not take dimensions ${dimensions} for this model: “${phase.report?.message}” The full size was asked for instead, and the views cut it to ${dimensions}.`,
    }));
    await follow(slot, createEmbeddingJob(setup, job.inputs, parts), {});
    return true;
  }

  function noteOtherSize(slot: Slot, job: EmbeddingJob): void {
    const asked = job.setup.dimensions;
    const came = store.getState().sets[slot]?.dimensions;
    if (asked === undefined || came === undefined || asked === came) return;
    if (came > asked) store.setState({ cut: asked });
    const what = came > asked ? `The views cut them to ${asked}.` : 'Shorter vectors can not be made longer.';
    state.setState({
      notice: `The server gave ${came} dimensions although ${asked} were asked for. ${what}`,
    });
  }

  async function runAll(options: Parameters<EmbeddingJob['run']>[0]): Promise<void> {
    const { input: current, reading } = state.getState();
    state.setState({ notice: undefined, problem: undefined });
    show(reading.items);
    const inputs = reading.items.map(inputOf);
    for (const slot of slots) {
      const setup = setupOf(current, slot);
      if (!setup) {
        if (setups[slot]) await drop(slot);
        continue;
      }
      const known = state.getState().jobs[slot];
      const isDone = known?.state.getState().phase.name === 'done' && isShown(slot, setup);
      if (isDone) continue;
      if (!isShown(slot, setup)) store.setState({ cut: undefined });
      await follow(slot, createEmbeddingJob(setup, inputs, parts), options);
      // What paused for a reason would meet the same reason again.
      if (state.getState().jobs[slot]?.state.getState().phase.name !== 'done') break;
    }
    checkUpToDate();
    await plan();
  }

  async function drop(slot: Slot): Promise<void> {
    setups[slot] = undefined;
    const { [slot]: _set, ...sets } = store.getState().sets;
    const { [slot]: _job, ...jobs } = state.getState().jobs;
    store.setState({ sets, shownSlot: 'A' });
    state.setState({ jobs });
    await engine.drop(slot);
  }

  async function knownQuery(slot: Slot, text: string): Promise<Float32Array | undefined> {
    const setup = setups[slot];
    if (!setup) return undefined;
    const [stored] = await vectors.get([await vectorKey(setup.model, setup.dimensions, text)]);
    return stored?.vector;
  }

  async function embedQuery(slot: Slot, text: string, signal: AbortSignal): Promise<Float32Array> {
    const setup = setups[slot];
    if (!setup) throw new Error('Embed the texts first: a query is compared with them.');
    const known = await knownQuery(slot, text);
    if (known) return known;
    const job = createEmbeddingJob(setup, [text], parts);
    // What is under way is paid for: it is stored, though nobody waits for it any more.
    const stop = () => void job.pause();
    signal.addEventListener('abort', stop, { once: true });
    await job.run({ isShort: true });
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    const vector = await knownQuery(slot, text);
    if (vector) return vector;
    const { phase } = job.state.getState();
    const failure = job.failure(0);
    const words = failure && 'refusal' in failure ? failure.refusal.message : undefined;
    throw new Error(
      words ??
        (phase.name === 'paused' && phase.report
          ? phase.report.message
          : 'The query came back without a vector that can be used.'),
    );
  }

  const control: LabControl = {
    store,
    engine,
    state,
    vectors,
    edit,
    keep: keepNow,
    forget: async () => {
      const { active, jobs } = state.getState();
      const job = active && jobs[active];
      // Twice: what is under way is given up, and stores nothing.
      if (job) await Promise.all([job.pause(), job.pause()]);
      show([]);
      wasStarted = false;
      state.setState({
        input: emptyInput,
        reading: readInput(emptyInput),
        plan: undefined,
        isUpToDate: false,
        notice: undefined,
        problem: undefined,
      });
      clearTimeout(planTimer);
      clearTimeout(storeTimer);
      await Promise.all(slots.map((slot) => engine.drop(slot)));
    },
    embed: async () => {
      if (state.getState().active !== undefined) return;
      wasStarted = true;
      // What is paid for can be found again after a reload.
      await keepNow();
      await runAll({});
    },
    pause: async () => {
      const { active, jobs } = state.getState();
      if (active) await jobs[active]?.pause();
    },
    resume: async (options) => {
      const { active, jobs } = state.getState();
      if (active) return;
      for (const slot of slots) {
        const job = jobs[slot];
        const isOpen = job && (job.state.getState().phase.name !== 'done' || options?.retryFailed === true);
        if (!isOpen) continue;
        await follow(slot, job, options);
        // What paused for a reason would meet the same reason again.
        if (job.state.getState().phase.name !== 'done') return;
      }
      await runAll({});
    },
    knownQuery,
    embedQuery,
    verifyCut: async (slot, dimensions) => {
      const setup = setups[slot];
      if (!setup) throw new Error('Embed the texts first.');
      const { verifyCut } = await import('./verify-cut.ts');
      const texts = store.getState().texts.filter((text) => !text.tokens);
      return verifyCut(
        setup,
        texts.map(({ text }) => text),
        dimensions,
        parts,
      );
    },
  };
  if (wasStarted && state.getState().reading.items.length > 0) void runAll({ onlyLook: true });
  else planSoon();
  return control;
}

/** What is sent for an item. */
function inputOf(item: TextItem): EmbeddingInput {
  return item.tokens ?? item.text;
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

function sumOf(plans: readonly EmbeddingPlan[]): EmbeddingPlan {
  return plans.reduce((sum, plan) => ({
    inputs: sum.inputs + plan.inputs,
    known: sum.known + plan.known,
    toSend: sum.toSend + plan.toSend,
    tokens: sum.tokens + plan.tokens,
    requests: {
      least: sum.requests.least + plan.requests.least,
      most: sum.requests.most + plan.requests.most,
    },
  }));
}
