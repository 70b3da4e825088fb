/** The lab: its input, the jobs that embed it and the state of its views. Outlives the screen. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { createModelChoice, isSameModel } from '../../conversation/setup/model-key.ts';
import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { listSizesUpTo } from '../../embedding/items/model-dimensions.ts';
import { countDuplicates } from '../../embedding/items/text-items.ts';
import { buildUnknownGatewayReport } from '../../gateway/http/http.ts';
import { formatError } from '../../lib/format-error.ts';
import type { Playground } from '../create-playground.ts';
import type { EmbeddingJobDeps } from '../embedding/embedding-job-types.ts';
import { createEmbeddingJob } from '../embedding/embedding-job.ts';
import { planEmbedding, sumPlansByGateway } from '../embedding/embedding-plan.ts';
import type { Gateways } from '../gateways.ts';
import { withFieldInserted, type OmittedField } from './lab-fields.ts';
import {
  emptyInput,
  toEmbeddingInput,
  isSameSetup,
  parseInput,
  getJobSetup,
  noModel,
  type LabInput,
} from './lab-input.ts';
import { createLabJobs, type LabJobsDeps } from './lab-jobs.ts';
import { persistLab, emptySavedLab, loadSavedLab } from './lab-persistence.ts';
import { createLabQueries, noProblem, type LabQueries } from './lab-queries.ts';
import {
  createInitialLabState,
  emptySelection,
  getShownSet,
  modelSlots,
  getEmbedBlocker,
  type ColorScale,
  type LabFindState,
  type LabState,
  type LabTab,
  type MapState,
  type ModelSlot,
} from './lab-state.ts';
import { createSavedSets, openSavedSets, type SavedSets } from './saved-sets.ts';

export interface Lab extends LabQueries {
  /** Distinguishes the labs of several playgrounds on one page. */
  id: string;
  state: StoreApi<LabState>;
  /**
   * Holds the matrix of each set under the name of its slot. All rows are appended before the set is added to the
   * state.
   */
  engine: VectorEngine;
  vectors: EmbeddingJobDeps['vectors'];

  edit: (change: Partial<LabInput>) => void;
  /** Stores edits immediately, without the usual delay. */
  saveNow: () => Promise<void>;
  /** Resets the lab after everything was deleted. Drops edits and loaded vectors and writes nothing. */
  reset: () => Promise<void>;

  /** Opens a saved set and shows its stored vectors. Also saves the previous content as a set. */
  openSet: (id: string) => Promise<void>;
  /** Opens the set chosen in the history, if there is one. */
  openRequestedSet: () => Promise<void>;

  /** Embeds texts that are not stored, then loads the vectors. This costs money. */
  embed: () => Promise<void>;
  /** Stops sending and finishes the requests in flight. */
  pause: () => Promise<void>;
  /** Stops and aborts requests in flight; received vectors are kept. */
  stop: () => Promise<void>;
  /** Resumes the paused job. */
  resume: (options?: { retryFailed?: boolean }) => Promise<void>;

  /** Omits the field that paused a job from the requests of this model and embeds again. */
  omitRejectedField: (slot: ModelSlot) => Promise<void>;
  /** Omits the field that caused the query to fail and searches again. */
  omitRejectedQueryField: () => Promise<void>;
  /** Restores fields that were omitted for a model. */
  restoreFields: (choice: ModelChoice, requestKind: OmittedField['of']) => void;
  /** Adds a missing field without a value to the extra fields. */
  addField: (name: string, requestKind: OmittedField['of']) => void;

  /** Adds a slot for a second model, or removes it together with its model. */
  setSecondModel: (isEnabled: boolean) => void;
  showTab: (tab: LabTab) => void;
  showSlot: (slot: ModelSlot) => void;
  /** Sets the number of leading coordinates that the views use. */
  setShownDimensions: (dimensions: number) => void;
  /** Returns the next shorter (-1) or longer (1) size; undefined at the end. */
  getAdjacentDimensions: (step: -1 | 1) => number | undefined;
  /** Sets the colour scale of the visible set's matrix. */
  setScale: (scale: ColorScale) => void;
  /** Selects one text or none. */
  select: (text: number | undefined) => void;
  /**
   * Selects several texts, as with a lasso. Without `current`, the current text is kept if it is among them; otherwise
   * the first one becomes current.
   */
  selectMany: (texts: readonly number[], current?: number) => void;
  changeMap: (change: Partial<MapState>) => void;
  changeFind: (
    change: Partial<
      Pick<LabFindState, 'query' | 'template' | 'fields' | 'shouldEmbedWhileTyping' | 'neighbourCount'>
    >,
  ) => void;
  /** Clears the query and shows texts again. */
  clearQuery: () => void;

  /** Reports a rejected promise as a problem of the lab. */
  reportFailure: (promise: Promise<unknown>) => void;
  dismiss: (kind: 'notice' | 'problem') => void;
}

const planDelayMs = 250;

/** Empty input in which optional fields are set to undefined. */
const clearedInput: LabInput = { ...emptyInput, file: undefined, dimensions: undefined };

/** Returns true if the change does not use the control of an omitted field. */
function isStillOmitted({ of, field }: OmittedField, change: Partial<LabInput>): boolean {
  if (field === 'encoding_format') return !('format' in change);
  if (field === 'dimensions') return !('dimensions' in change);
  return of === 'query' || !('fields' in change);
}

/** Dependencies of the lab. Those of its jobs that depend on the gateway come from `gateways`. */
export interface LabDeps extends Omit<EmbeddingJobDeps, 'gateway' | 'queue' | 'getBlocker' | 'onStatus'> {
  gateways: Gateways;
}

/** Creates a lab with the last edits and loads its stored vectors without sending requests. */
export async function createLab(
  deps: LabDeps,
  engine: VectorEngine,
  sets: SavedSets = createSavedSets({ ...deps, offerUndo: () => undefined }),
): Promise<Lab> {
  const { gateways, vectors } = deps;
  const savedLab = await loadSavedLab(vectors);
  const state = createStore<LabState>(() => createInitialLabState(savedLab));
  const getSetup: LabJobsDeps['getSetup'] = (input, slot) => getJobSetup(input, slot, gateways.resolveName);
  const createJob: LabJobsDeps['createJob'] = (setup, inputs) => {
    const { gateway } = setup;
    const { queue, signals } = gateways.getServices(gateway);
    return createEmbeddingJob(setup, inputs, {
      ...deps,
      // Looked up for each request, because a stored name that cannot be a gateway's has no client.
      gateway: { embed: (...request) => gateways.getClient(gateway).embed(...request) },
      queue,
      getBlocker: () =>
        gateway !== undefined && gateways.isUnknown(gateway) ? buildUnknownGatewayReport(gateway) : undefined,
      onStatus: signals.onStatus,
    });
  };
  const jobs = createLabJobs({ vectors, getSetup, createJob }, engine, state);
  const queries = createLabQueries({ vectors, createJob }, state);
  const persistence = persistLab(state, deps, savedLab);
  let planTimer: ReturnType<typeof setTimeout> | undefined;
  let planVersion = 0;

  engine.onLost((message) =>
    // The views stay empty until the texts are embedded again, which costs nothing for stored vectors.
    state.setState({ setups: {}, sets: {}, isUpToDate: false, problem: message }),
  );

  /** Looks up the cost of embedding. */
  async function updatePlan(): Promise<void> {
    planVersion += 1;
    const version = planVersion;
    const { input, parsedInput } = state.getState();
    state.setState({ duplicates: countDuplicates(parsedInput.items) });
    const inputs = parsedInput.items.map(toEmbeddingInput);
    const plans = await Promise.all(
      modelSlots.flatMap((slot) => {
        const setup = getSetup(input, slot);
        return setup && inputs.length > 0 ? [planEmbedding(setup, inputs, vectors)] : [];
      }),
    );
    if (version === planVersion) state.setState({ plans: sumPlansByGateway(plans) });
  }

  function schedulePlan(): void {
    clearTimeout(planTimer);
    planTimer = setTimeout(() => void updatePlan(), planDelayMs);
  }

  async function runAll(options: Parameters<typeof jobs.runAll>[0]): Promise<void> {
    await jobs.runAll(options);
    await updatePlan();
  }

  const changeFind = (change: Partial<LabFindState>) =>
    state.setState(({ find }) => ({ find: { ...find, ...change } }));

  /** Returns true if the job paused because of a field and its setup has changed since. */
  function hasSetupChanged(slot: ModelSlot): boolean {
    const { jobs: allJobs, input } = state.getState();
    const job = allJobs[slot];
    const phase = job?.state.getState().phase;
    return (
      phase?.name === 'paused' && phase.field !== undefined && !isSameSetup(job?.setup, getSetup(input, slot))
    );
  }

  function addOmittedField(field: OmittedField): void {
    lab.edit({ leftOut: [...(state.getState().input.leftOut ?? []), field] });
  }

  const lab: Lab = {
    id: deps.newId(),
    state,
    engine,
    vectors,
    ...queries,
    edit: (change) => {
      const { input: previous } = state.getState();
      const { leftOut = (previous.leftOut ?? []).filter((omitted) => isStillOmitted(omitted, change)) } =
        change;
      const input = { ...previous, ...change, leftOut };
      if (!isSameModel(input.models.B, previous.models.B))
        state.setState({ hasSecondModel: input.models.B.model !== '' });
      const hasTextChanged = 'typed' in change || 'file' in change || 'mode' in change;
      state.setState({
        input,
        plans: undefined,
        ...(hasTextChanged ? { parsedInput: parseInput(input), duplicates: 0 } : {}),
      });
      schedulePlan();
      jobs.checkUpToDate();
    },
    saveNow: persistence.saveNow,
    reset: async () => {
      queries.cancelSearch();
      await jobs.stopAndClear();
      state.setState(createInitialLabState(emptySavedLab), true);
      queries.cancelSearch();
      clearTimeout(planTimer);
      planVersion += 1;
      persistence.discardPending();
      await Promise.all(modelSlots.map((slot) => engine.drop(slot)));
    },
    embed: async () => {
      if (state.getState().activeSlot !== undefined) return;
      const blocker = getEmbedBlocker(state.getState(), gateways);
      if (blocker !== undefined) {
        state.setState({ notice: blocker });
        return;
      }
      const { input } = state.getState();
      await Promise.all([
        persistence.markStarted(),
        sets.save(
          input,
          Object.values(input.models).flatMap(({ model }) => (model === '' ? [] : [model])),
        ),
      ]);
      await runAll({});
    },
    openSet: async (id) => {
      const { activeSlot, input: previousInput } = state.getState();
      if (activeSlot !== undefined) {
        state.setState({
          notice: 'Could not open these texts during an embedding job. Stop it or wait, then try again.',
        });
        return;
      }
      const input = await sets.read(id);
      if (!input) {
        state.setState({ problem: 'Could not open these texts: they are no longer stored in this browser.' });
        return;
      }
      await sets.save(previousInput, []);
      lab.edit({ ...clearedInput, ...input });
      await persistence.markStarted();
      await runAll({ lookupOnly: true });
    },
    openRequestedSet: async () => {
      const id = sets.takeOpenRequest();
      if (id !== undefined) await lab.openSet(id);
    },
    omitRejectedField: async (slot) => {
      const job = state.getState().jobs[slot];
      const phase = job?.state.getState().phase;
      if (!job || phase?.name !== 'paused' || !phase.field) return;
      const { model, gateway } = job.setup;
      addOmittedField({ ...createModelChoice(model, gateway), of: 'texts', field: phase.field.name });
      await lab.embed();
    },
    omitRejectedQueryField: async () => {
      const { fieldProblem } = state.getState().find;
      const set = getShownSet(state.getState());
      if (!set || !fieldProblem) return;
      const { model, gateway } = set;
      addOmittedField({ ...createModelChoice(model, gateway), of: 'query', field: fieldProblem.name });
      await queries.search({ canSendRequest: true });
    },
    restoreFields: (choice, requestKind) => {
      const { leftOut = [] } = state.getState().input;
      lab.edit({
        leftOut: leftOut.filter(
          (omitted) =>
            gateways.getModelKey(omitted) !== gateways.getModelKey(choice) || omitted.of !== requestKind,
        ),
      });
    },
    addField: (name, requestKind) => {
      const { input, find } = state.getState();
      if (requestKind === 'texts') lab.edit({ fields: withFieldInserted(input.fields, name) });
      else lab.changeFind({ fields: withFieldInserted(find.fields, name) });
    },
    pause: jobs.pause,
    stop: jobs.stop,
    resume: async (options) => {
      if (state.getState().activeSlot !== undefined) return;
      // An unchanged request would be rejected again, so the changed setup is sent.
      if (modelSlots.some(hasSetupChanged)) return lab.embed();
      if (await jobs.resume(options)) await runAll({});
    },
    setSecondModel: (hasSecondModel) => {
      state.setState({ hasSecondModel });
      const { models } = state.getState().input;
      if (!hasSecondModel && models.B.model !== '') lab.edit({ models: { ...models, B: noModel } });
    },
    showTab: (tab) => state.setState({ tab }),
    showSlot: (shownSlot) => state.setState({ shownSlot }),
    setShownDimensions: (dimensions) => {
      const fullDimensions = getShownSet(state.getState())?.dimensions;
      state.setState({ shownDimensions: dimensions === fullDimensions ? undefined : dimensions });
    },
    getAdjacentDimensions: (step) => {
      const set = getShownSet(state.getState());
      if (!set) return undefined;
      const { shownDimensions = set.dimensions } = state.getState();
      const sizes = listSizesUpTo(set.dimensions);
      return step > 0
        ? sizes.find((size) => size > shownDimensions)
        : sizes.findLast((size) => size < shownDimensions);
    },
    setScale: (scale) => {
      const slot = getShownSet(state.getState())?.slot;
      if (slot) state.setState(({ scales }) => ({ scales: { ...scales, [slot]: scale } }));
    },
    select: (text) =>
      state.setState({ selection: text === undefined ? emptySelection : { current: text, chosen: [text] } }),
    selectMany: (texts, current = state.getState().selection.current) => {
      const chosen = [...new Set(texts)].toSorted((a, b) => a - b);
      const isChosen = current !== undefined && chosen.includes(current);
      state.setState({ selection: { current: isChosen ? current : chosen[0], chosen } });
    },
    changeMap: (change) => state.setState(({ map }) => ({ map: { ...map, ...change } })),
    changeFind: (change) => {
      if ('fields' in change) {
        const { leftOut = [] } = state.getState().input;
        const remaining = leftOut.filter(({ of, field }) => of === 'texts' || field === 'encoding_format');
        if (remaining.length < leftOut.length) lab.edit({ leftOut: remaining });
      }
      changeFind('query' in change || 'fields' in change ? { ...change, ...noProblem } : change);
    },
    clearQuery: () => changeFind({ query: '', activeQuery: undefined, ...noProblem }),
    reportFailure: (promise) =>
      void promise.catch((error: unknown) => state.setState({ problem: formatError(error) })),
    dismiss: (kind) => state.setState({ [kind]: undefined }),
  };

  const start = () => {
    if (savedLab.wasStarted && state.getState().parsedInput.items.length > 0)
      void runAll({ lookupOnly: true });
    else schedulePlan();
  };
  const namesGateway = Object.values(savedLab.input.models).some(({ gateway }) => gateway !== undefined);
  if (!namesGateway || gateways.statuses.getState().length > 0) start();
  else {
    // The keys of stored vectors depend on which gateway is the first one.
    const unsubscribe = gateways.statuses.subscribe(() => {
      unsubscribe();
      start();
    });
  }
  gateways.statuses.subscribe(jobs.checkUpToDate);
  return lab;
}

type LabServices = Pick<Playground, 'page' | 'gateways' | 'unsaved' | 'lazyLab' | 'storage' | 'actions'>;

/** Opens the lab of a playground. Vectors are stored in this browser if storage is available. */
export async function openLab(services: LabServices, engine: VectorEngine): Promise<Lab> {
  const { page, gateways, unsaved } = services;
  const sets = await openSavedSets(services);
  const { vectors } = sets;
  const { now, newId, locks } = page;
  const random = () => Math.random();
  const deps = { gateways, vectors, now, newId, random, unsaved, locks };
  const lab = await createLab(deps, engine, sets);
  page.onHide(() => void lab.saveNow());
  return lab;
}
