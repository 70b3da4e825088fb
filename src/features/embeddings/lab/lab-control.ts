/** The lab: what is edited, the jobs that embed it, and what is loaded for the views. Outlives the screen. */
import type { StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../../embedding/engine/engine.ts';
import { vectorKey } from '../../../embedding/items/vector-key.ts';
import type { EmbeddingJob, JobParts } from '../../../state/embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../../../state/embedding/embedding-job.ts';
import type { Lab } from '../hooks/use-lab.ts';
import { verifyCut, type CutCheck } from '../verify-cut.ts';
import { createLabCore, slots, type ControlState, type LabCore } from './lab-core.ts';
import { createLabDraft, storedDraft } from './lab-draft.ts';
import type { LabInput } from './lab-input.ts';
import { createLabJobs } from './lab-jobs.ts';
import type { Slot } from './lab-store.ts';

export interface LabControl extends Lab {
  state: StoreApi<ControlState>;
  edit: (change: Partial<LabInput>) => void;
  /** Stores what is edited at once, not in a moment. */
  keep: () => Promise<void>;
  /** Begins again after everything was erased: nothing of what was edited or loaded stays, nothing is written. */
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

/** Restores what was edited last, and loads what is stored of it, without a request. */
export async function createLabControl(parts: JobParts, engine: VectorEngine): Promise<LabControl> {
  const stored = await storedDraft(parts.vectors);
  const core = createLabCore(parts, engine, stored.input);
  const { store, state, setups } = core;
  const draft = createLabDraft(core, stored);
  const jobs = createLabJobs(core);

  engine.onLost(jobs.lose);

  async function runAll(options: Parameters<typeof jobs.runAll>[0]): Promise<void> {
    await jobs.runAll(options);
    await draft.plan();
  }

  const control: LabControl = {
    store,
    engine,
    state,
    vectors: parts.vectors,
    ...queriesOf(core),
    edit: (change) => {
      draft.edit(change);
      jobs.checkUpToDate();
    },
    keep: draft.keep,
    forget: async () => {
      await jobs.forget();
      draft.empty();
      await Promise.all(slots.map((slot) => engine.drop(slot)));
    },
    embed: async () => {
      if (state.getState().active !== undefined) return;
      await draft.started();
      await runAll({});
    },
    pause: jobs.pause,
    resume: async (options) => {
      if (state.getState().active !== undefined) return;
      if (await jobs.resume(options)) await runAll({});
    },
    verifyCut: async (slot, dimensions) => {
      const setup = setups[slot];
      if (!setup) throw new Error('Embed the texts first.');
      const texts = store.getState().texts.filter((text) => !text.tokens);
      return verifyCut(
        setup,
        texts.map(({ text }) => text),
        dimensions,
        parts,
      );
    },
  };
  if (stored.wasStarted && state.getState().reading.items.length > 0) void runAll({ onlyLook: true });
  else draft.planSoon();
  return control;
}

/** Vectors of queries, in the model and size of what is loaded. */
function queriesOf({ parts, setups }: LabCore): Pick<Lab, 'knownQuery' | 'embedQuery'> {
  const knownQuery: Lab['knownQuery'] = async (slot, text) => {
    const setup = setups[slot];
    if (!setup) return undefined;
    const [stored] = await parts.vectors.get([await vectorKey(setup.model, setup.dimensions, text)]);
    return stored?.vector;
  };
  return {
    knownQuery,
    embedQuery: async (slot, text, signal) => {
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
      throw new Error(failureOf(job));
    },
  };
}

function failureOf(job: EmbeddingJob): string {
  const failure = job.failure(0);
  if (failure && 'refusal' in failure) return failure.refusal.message;
  const { phase } = job.state.getState();
  const report = phase.name === 'paused' ? phase.report : undefined;
  return report?.message ?? 'The gateway returned no usable vector for the query.';
}
