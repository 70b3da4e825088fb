/** Short requests beside the job, in the model and size of what is loaded: a query, and a check of a few texts. */
import type { StoreApi } from 'zustand/vanilla';

import { formatFields, vectorKey } from '../../embedding/items/vector-key.ts';
import { formatError } from '../../lib/format-error.ts';
import type { EmbeddingJob, FieldProblem, JobParts, JobSetup } from '../embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../embedding/embedding-job.ts';
import { createQuerySetup, readExtraFields } from './lab-fields.ts';
import { plainTemplate, shownSet, type FindState, type LabState, type Slot } from './lab-state.ts';

export interface LabQueries {
  /**
   * The vector of a query, normalised or not as received: from the store of vectors where it was embedded before,
   * else one request through the shared queue (this spends). Rejects with an Error whose message is for people, or
   * with the signal's reason.
   */
  embedQuery: (slot: Slot, input: string, signal: AbortSignal) => Promise<Float32Array>;
  /** The same without a request: undefined where it has not been embedded yet. */
  knownQuery: (slot: Slot, input: string) => Promise<Float32Array | undefined>;
  /**
   * Looks for what is in the field: in what is stored, else by a request where one may be spent. What is found takes
   * the place of what was found before; what was under way for other words is given up.
   */
  lookFor: (options: { maySpend: boolean }) => Promise<void>;
  /** Gives up what is under way. */
  stopLooking: () => void;
  /**
   * Whether the server's own `dimensions` is what a cut here gives: a few texts are asked for at that size (one request,
   * or none the second time) and compared with the leading numbers of their full vectors. Rejects with an Error for people.
   */
  verifyCut: (slot: Slot, dimensions: number) => Promise<CutCheck>;
}

/** Still typing until nothing was typed for so long. */
const pauseMs = 400;

/** What is embedded for a query. */
export function queryInput(query: string, template: string): string {
  return template.includes(plainTemplate)
    ? template.replaceAll(plainTemplate, () => query)
    : `${template}${query}`;
}

/** Looks for what is in the field also by itself: after a pause, where that costs nothing or was allowed to. */
export function createLabQueries(parts: JobParts, state: StoreApi<LabState>): LabQueries {
  let under: { stop: AbortController; name: string; maySpend: boolean } | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const changeFind = (change: Partial<FindState>) =>
    state.setState(({ find }) => ({ find: { ...find, ...change } }));

  /** Returns the setup of the texts with the fields of the query; undefined without texts or with unreadable fields. */
  function querySetup(slot: Slot): JobSetup | undefined {
    const { setups, find, input } = state.getState();
    const setup = setups[slot];
    return setup && createQuerySetup(setup, readExtraFields(find.fields), input.leftOut);
  }

  async function knownQuery(slot: Slot, input: string): Promise<Float32Array | undefined> {
    const setup = querySetup(slot);
    if (!setup) return undefined;
    const [stored] = await parts.vectors.get([await vectorKey(setup, input)]);
    return stored?.vector;
  }

  async function embedQuery(slot: Slot, input: string, signal: AbortSignal): Promise<Float32Array> {
    const { setups, find } = state.getState();
    if (!setups[slot]) throw new Error('Embed the texts first: a query is compared with them.');
    const setup = querySetup(slot);
    if (!setup) throw new Error(describeFieldsProblem(find.fields));
    const known = await knownQuery(slot, input);
    if (known) return known;
    const job = createEmbeddingJob(setup, [input], parts);
    // What is under way is paid for: it is stored, though nobody waits for it any more.
    const stop = () => void job.pause();
    signal.addEventListener('abort', stop, { once: true });
    await job.run({ isShort: true });
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    const vector = await knownQuery(slot, input);
    if (vector) return vector;
    throw new QueryError(job);
  }

  function stopLooking(): void {
    clearTimeout(pause);
    under?.stop.abort();
    under = undefined;
  }

  async function lookFor({ maySpend }: { maySpend: boolean }): Promise<void> {
    const { find } = state.getState();
    const set = shownSet(state.getState());
    const query = find.query.trim();
    if (!set || query === '') {
      stopLooking();
      changeFind({ found: undefined, isAsking: false, ...noProblem });
      return;
    }
    const { slot, version } = set;
    const input = queryInput(query, find.template);
    const fields = formatFields(querySetup(slot)?.fields);
    const name = JSON.stringify([slot, version, input, fields]);
    // Enter came before the pause was over: what is paid for is not given up for a look at the same words.
    if (under?.maySpend === true && under.name === name) return;
    stopLooking();
    const { found } = find;
    const isFound =
      found?.slot === slot && found.version === version && found.input === input && found.fields === fields;
    if (isFound) {
      changeFind({ isAsking: false, ...noProblem });
      return;
    }
    const stop = new AbortController();
    under = { stop, name, maySpend };
    try {
      let vector = await knownQuery(slot, input);
      if (stop.signal.aborted) return;
      if (!vector) {
        // What was found for other words would be taken for an answer to these.
        changeFind({ found: undefined, ...noProblem });
        if (!maySpend) return;
        changeFind({ isAsking: true });
        vector = await embedQuery(slot, input, stop.signal);
        if (stop.signal.aborted) return;
      }
      changeFind({ found: { slot, version, query, input, fields, vector }, ...noProblem });
    } catch (error) {
      const fieldProblem = error instanceof QueryError ? error.field : undefined;
      if (!stop.signal.aborted) changeFind({ problem: formatError(error), fieldProblem });
    } finally {
      if (under?.stop === stop) {
        under = undefined;
        changeFind({ isAsking: false });
      }
    }
  }

  state.subscribe((now, before) => {
    const [set, setBefore] = [shownSet(now), shownSet(before)];
    const isSame =
      now.find.query === before.find.query &&
      now.find.template === before.find.template &&
      now.find.fields === before.find.fields &&
      set?.slot === setBefore?.slot &&
      set?.version === setBefore?.version;
    if (isSame) return;
    clearTimeout(pause);
    pause = setTimeout(() => void lookFor({ maySpend: state.getState().find.embedsAsTyped }), pauseMs);
  });

  return {
    embedQuery,
    knownQuery,
    lookFor,
    stopLooking,
    verifyCut: async (slot, dimensions) => {
      const { setups, texts } = state.getState();
      const setup = setups[slot];
      if (!setup) throw new Error('Embed the texts first.');
      const words = texts.flatMap(({ text, tokens }) => (tokens ? [] : [text]));
      const step = Math.max(1, Math.floor(words.length / mostChecked));
      const asked = words.filter((_, index) => index % step === 0).slice(0, mostChecked);
      const job = createEmbeddingJob({ ...setup, dimensions }, asked, parts);
      await job.run({ isShort: true });
      const { phase } = job.state.getState();
      if (phase.name === 'paused') throw new Error(phase.report?.message ?? 'It was paused.');
      const full = await parts.vectors.get(await Promise.all(asked.map((text) => vectorKey(setup, text))));
      const short = await parts.vectors.get(job.keys());
      const cosines = asked.flatMap((_, index) => {
        const [one, other] = [full[index]?.vector, short[index]?.vector];
        return one && other ? [cosineOfCut(one, other)] : [];
      });
      if (cosines.length === 0) throw new Error('The gateway returned no usable vector for these texts.');
      const lengths = short.flatMap((stored) => stored?.vector.length ?? []);
      const other = lengths.find((length) => length !== dimensions);
      if (other !== undefined)
        throw new Error(`The server returned ${other} dimensions although ${dimensions} were requested.`);
      return { dimensions, texts: cosines.length, least: Math.min(...cosines) };
    },
  };
}

export const noProblem = { problem: undefined, fieldProblem: undefined };

function describeFieldsProblem(text: string): string {
  const reading = readExtraFields(text);
  return reading.ok ? '' : `Extra fields for the query: ${reading.problem}`;
}

/** Error that tells why a query has no vector. */
class QueryError extends Error {
  readonly field: FieldProblem | undefined;
  constructor(job: EmbeddingJob) {
    const failure = job.failure(0);
    const { phase } = job.state.getState();
    const report =
      failure && 'refusal' in failure ? failure.refusal : phase.name === 'paused' ? phase.report : undefined;
    super(report?.message ?? 'The gateway returned no usable vector for the query.');
    this.name = 'QueryError';
    this.field = phase.name === 'paused' ? phase.field : undefined;
  }
}

const mostChecked = 8;

export interface CutCheck {
  dimensions: number;
  texts: number;
  /** The least cosine between the server's vector and our cut of the full one. */
  least: number;
}

/** The cosine of a short vector and the leading numbers of a long one. */
function cosineOfCut(long: Float32Array, short: Float32Array): number {
  let [dot, oneSquared, otherSquared] = [0, 0, 0];
  for (const [index, other] of short.entries()) {
    const one = long[index] ?? 0;
    dot += one * other;
    oneSquared += one * one;
    otherSquared += other * other;
  }
  return dot / Math.sqrt(oneSquared * otherSquared);
}
