/**
 * Short requests sent alongside the job, with the model and dimensions of the loaded texts: a query, or a check of a
 * few texts.
 */
import type { StoreApi } from 'zustand/vanilla';

import { formatFields, computeVectorKey } from '../../embedding/items/vector-key.ts';
import { formatError } from '../../lib/format-error.ts';
import type { EmbeddingJob, FieldProblem, JobSetup } from '../embedding/embedding-job-types.ts';
import { createQuerySetup, readExtraFields } from './lab-fields.ts';
import type { LabJobsDeps } from './lab-jobs.ts';
import { plainTemplate, getShownSet, type LabFindState, type LabState, type ModelSlot } from './lab-state.ts';

export interface LabQueries {
  /**
   * Returns the vector of a query, as received or normalised: the stored one, otherwise from one request through the
   * shared queue (costs money). Rejects with a readable Error or with the signal's reason.
   */
  embedQuery: (slot: ModelSlot, input: string, signal: AbortSignal) => Promise<Float32Array>;
  /** Returns the stored vector of a query; undefined if it has not been embedded yet. Sends nothing. */
  findStoredQueryVector: (slot: ModelSlot, input: string) => Promise<Float32Array | undefined>;
  /**
   * Searches for the text in the query field: among stored vectors, then with a request if allowed. Replaces the
   * previous result and cancels a search for another text.
   */
  search: (options: { canSendRequest: boolean }) => Promise<void>;
  /** Cancels the current search. */
  cancelSearch: () => void;
  /**
   * Compares the server's `dimensions` with vectors cut in the browser, for a few texts (one request, none the second
   * time). Rejects with a readable Error.
   */
  verifyDimensions: (slot: ModelSlot, dimensions: number) => Promise<DimensionsCheck>;
}

/** Time in ms without input after which typing counts as finished. */
const typingDelayMs = 400;

/** Returns the text to embed for a query. */
export function buildQueryInput(query: string, template: string): string {
  return template.includes(plainTemplate)
    ? template.replaceAll(plainTemplate, () => query)
    : `${template}${query}`;
}

/** Creates the queries of a lab. After a pause in typing they search automatically if that is free or allowed. */
export function createLabQueries(
  { vectors, createJob }: Pick<LabJobsDeps, 'vectors' | 'createJob'>,
  state: StoreApi<LabState>,
): LabQueries {
  let activeSearch: { controller: AbortController; key: string; canSendRequest: boolean } | undefined;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;

  const changeFind = (change: Partial<LabFindState>) =>
    state.setState(({ find }) => ({ find: { ...find, ...change } }));

  /** Returns the setup of the texts with the fields of the query; undefined without texts or with unreadable fields. */
  function getQuerySetup(slot: ModelSlot): JobSetup | undefined {
    const { setups, find, input } = state.getState();
    const setup = setups[slot];
    return setup && createQuerySetup(setup, readExtraFields(find.fields), input.leftOut);
  }

  async function findStoredQueryVector(slot: ModelSlot, input: string): Promise<Float32Array | undefined> {
    const setup = getQuerySetup(slot);
    if (!setup) return undefined;
    const [stored] = await vectors.get([await computeVectorKey(setup, input)]);
    return stored?.vector;
  }

  async function embedQuery(slot: ModelSlot, input: string, signal: AbortSignal): Promise<Float32Array> {
    const { setups, find } = state.getState();
    if (!setups[slot]) throw new Error('Embed the texts first. A query is compared with them.');
    const setup = getQuerySetup(slot);
    if (!setup) throw new Error(describeFieldsProblem(find.fields));
    const storedVector = await findStoredQueryVector(slot, input);
    if (storedVector) return storedVector;
    const job = createJob(setup, [input]);
    // Requests in flight are billed, so their vectors are stored even after a cancellation.
    const pauseJob = () => void job.pause();
    signal.addEventListener('abort', pauseJob, { once: true });
    await job.run({ skipsQueue: true });
    signal.removeEventListener('abort', pauseJob);
    signal.throwIfAborted();
    const vector = await findStoredQueryVector(slot, input);
    if (vector) return vector;
    throw new QueryError(job);
  }

  function cancelSearch(): void {
    clearTimeout(typingTimer);
    activeSearch?.controller.abort();
    activeSearch = undefined;
  }

  async function search({ canSendRequest }: { canSendRequest: boolean }): Promise<void> {
    const { find } = state.getState();
    const set = getShownSet(state.getState());
    const query = find.query.trim();
    if (!set || query === '') {
      cancelSearch();
      changeFind({ activeQuery: undefined, isSearching: false, ...noProblem });
      return;
    }
    const { slot, version } = set;
    const input = buildQueryInput(query, find.template);
    const fields = formatFields(getQuerySetup(slot)?.fields);
    const key = JSON.stringify([slot, version, input, fields]);
    // Keeps a paid search for the same text running, for example if Enter was pressed before the typing delay ended.
    if (activeSearch?.canSendRequest === true && activeSearch.key === key) return;
    cancelSearch();
    const { activeQuery } = find;
    const isCurrent =
      activeQuery?.slot === slot &&
      activeQuery.version === version &&
      activeQuery.input === input &&
      activeQuery.fields === fields;
    if (isCurrent) {
      changeFind({ isSearching: false, ...noProblem });
      return;
    }
    const controller = new AbortController();
    activeSearch = { controller, key, canSendRequest };
    try {
      let vector = await findStoredQueryVector(slot, input);
      if (controller.signal.aborted) return;
      if (!vector) {
        // Cleared immediately, because the previous result would appear to belong to the new query.
        changeFind({ activeQuery: undefined, ...noProblem });
        if (!canSendRequest) return;
        changeFind({ isSearching: true });
        vector = await embedQuery(slot, input, controller.signal);
        if (controller.signal.aborted) return;
      }
      changeFind({ activeQuery: { slot, version, query, input, fields, vector }, ...noProblem });
    } catch (error) {
      const fieldProblem = error instanceof QueryError ? error.field : undefined;
      if (!controller.signal.aborted) changeFind({ problem: formatError(error), fieldProblem });
    } finally {
      if (activeSearch?.controller === controller) {
        activeSearch = undefined;
        changeFind({ isSearching: false });
      }
    }
  }

  state.subscribe((current, previous) => {
    const [set, previousSet] = [getShownSet(current), getShownSet(previous)];
    const isSame =
      current.find.query === previous.find.query &&
      current.find.template === previous.find.template &&
      current.find.fields === previous.find.fields &&
      set?.slot === previousSet?.slot &&
      set?.version === previousSet?.version;
    if (isSame) return;
    clearTimeout(typingTimer);
    typingTimer = setTimeout(
      () => void search({ canSendRequest: state.getState().find.shouldEmbedWhileTyping }),
      typingDelayMs,
    );
  });

  return {
    embedQuery,
    findStoredQueryVector,
    search,
    cancelSearch,
    verifyDimensions: async (slot, dimensions) => {
      const { setups, texts } = state.getState();
      const setup = setups[slot];
      if (!setup) throw new Error('Embed the texts first.');
      const plainTexts = texts.flatMap(({ text, tokens }) => (tokens ? [] : [text]));
      const step = Math.max(1, Math.floor(plainTexts.length / maxSampledTexts));
      const sampledTexts = plainTexts.filter((_, index) => index % step === 0).slice(0, maxSampledTexts);
      const job = createJob({ ...setup, dimensions }, sampledTexts);
      await job.run({ skipsQueue: true });
      const { phase } = job.state.getState();
      if (phase.name === 'paused') throw new Error(phase.report?.message ?? 'The check was paused.');
      const fullVectors = await vectors.get(
        await Promise.all(sampledTexts.map((text) => computeVectorKey(setup, text))),
      );
      const shortVectors = await vectors.get(job.getKeys());
      const cosines = sampledTexts.flatMap((_, index) => {
        const [fullVector, shortVector] = [fullVectors[index]?.vector, shortVectors[index]?.vector];
        return fullVector && shortVector ? [computeTruncatedCosine(fullVector, shortVector)] : [];
      });
      if (cosines.length === 0) throw new Error('The gateway returned no usable vector for these texts.');
      const lengths = shortVectors.flatMap((stored) => stored?.vector.length ?? []);
      const otherLength = lengths.find((length) => length !== dimensions);
      if (otherLength !== undefined)
        throw new Error(
          `The server returned ${otherLength} dimensions although ${dimensions} were requested.`,
        );
      return { dimensions, textCount: cosines.length, minCosine: Math.min(...cosines) };
    },
  };
}

export const noProblem = { problem: undefined, fieldProblem: undefined };

function describeFieldsProblem(text: string): string {
  const reading = readExtraFields(text);
  return reading.ok ? '' : `Extra fields for the query: ${reading.problem}`;
}

/** Error with the reason why a query has no vector. */
class QueryError extends Error {
  readonly field: FieldProblem | undefined;
  constructor(job: EmbeddingJob) {
    const failure = job.getFailure(0);
    const { phase } = job.state.getState();
    const report =
      failure && 'rejection' in failure
        ? failure.rejection
        : phase.name === 'paused'
          ? phase.report
          : undefined;
    super(report?.message ?? 'The gateway returned no usable vector for the query.');
    this.name = 'QueryError';
    this.field = phase.name === 'paused' ? phase.field : undefined;
  }
}

const maxSampledTexts = 8;

export interface DimensionsCheck {
  dimensions: number;
  textCount: number;
  /** Smallest cosine between the server's vector and the full vector cut in the browser. */
  minCosine: number;
}

/** Returns the cosine of a short vector and the leading numbers of a long one. */
function computeTruncatedCosine(long: Float32Array, short: Float32Array): number {
  let [dot, longSquared, shortSquared] = [0, 0, 0];
  for (const [index, shortValue] of short.entries()) {
    const longValue = long[index] ?? 0;
    dot += longValue * shortValue;
    longSquared += longValue * longValue;
    shortSquared += shortValue * shortValue;
  }
  return dot / Math.sqrt(longSquared * shortSquared);
}
