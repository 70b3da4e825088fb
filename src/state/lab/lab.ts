/** The lab: what is edited, the jobs that embed it, and what its views show. Outlives the screen. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { listSizesUpTo } from '../../embedding/items/model-dimensions.ts';
import { countDuplicates } from '../../embedding/items/text-items.ts';
import { formatError } from '../../lib/format-error.ts';
import type { Playground } from '../create-playground.ts';
import type { EmbeddingJobDeps } from '../embedding/embedding-job-types.ts';
import { planEmbedding, sumPlans } from '../embedding/embedding-plan.ts';
import { withFieldInserted, type OmittedField } from './lab-fields.ts';
import {
  emptyInput,
  toEmbeddingInput,
  isSameSetup,
  parseInput,
  getJobSetup,
  type LabInput,
} from './lab-input.ts';
import { createLabJobs } from './lab-jobs.ts';
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
  /** Tells it from the lab of another playground in the same page. */
  id: string;
  state: StoreApi<LabState>;
  /** Holds the matrix of each set of the state under the name of its slot, all rows appended before the set is there. */
  engine: VectorEngine;
  vectors: EmbeddingJobDeps['vectors'];

  edit: (change: Partial<LabInput>) => void;
  /** Stores what is edited at once, not in a moment. */
  saveNow: () => Promise<void>;
  /** Begins again after everything was erased: nothing of what was edited or loaded stays, nothing is written. */
  reset: () => Promise<void>;

  /** Fills the lab with a set that was kept, and shows what is stored of it. What was there before is kept as a set, too. */
  openSet: (id: string) => Promise<void>;
  /** The same with the set that was chosen in the history, if one was. */
  openRequestedSet: () => Promise<void>;

  /** Embeds what is not stored, then loads. This is what spends. */
  embed: () => Promise<void>;
  /** Sends nothing more, and finishes what is under way. */
  pause: () => Promise<void>;
  /** Gives up what is under way, too; what has come is kept. */
  stop: () => Promise<void>;
  /** Goes on with the paused job. */
  resume: (options?: { retryFailed?: boolean }) => Promise<void>;

  /** Leaves the field that a job paused for out of the requests of this model and embeds again. */
  omitRejectedField: (slot: ModelSlot) => Promise<void>;
  /** Leaves the field that the query failed for out of its requests and searches again. */
  omitRejectedQueryField: () => Promise<void>;
  /** Sends fields again that were left out of the requests of a model. */
  restoreFields: (model: string, requestKind: OmittedField['of']) => void;
  /** Adds a missing field without a value to the typed text. */
  addField: (name: string, requestKind: OmittedField['of']) => void;

  /** Offers a place for a second model, or takes it away with its model. */
  setSecondModel: (isEnabled: boolean) => void;
  showTab: (tab: LabTab) => void;
  showSlot: (slot: ModelSlot) => void;
  /** The views look at so many leading numbers of each vector. */
  setShownDimensions: (dimensions: number) => void;
  /** The size that is one step shorter (-1) or longer (1) than the one on show; undefined where there is none. */
  getAdjacentDimensions: (step: -1 | 1) => number | undefined;
  /** How the matrix of the set on show is coloured. */
  setScale: (scale: ColorScale) => void;
  /** Points at one text, or at none. */
  select: (text: number | undefined) => void;
  /** Points at several, as with a lasso. The first is the current one, unless one is named or was one of them already. */
  selectMany: (texts: readonly number[], current?: number) => void;
  changeMap: (change: Partial<MapState>) => void;
  changeFind: (
    change: Partial<
      Pick<LabFindState, 'query' | 'template' | 'fields' | 'shouldEmbedWhileTyping' | 'neighbourCount'>
    >,
  ) => void;
  /** Looks at texts again instead of a query. */
  clearQuery: () => void;

  /** Takes what was begun and may fail: then the lab says why. */
  reportFailure: (promise: Promise<unknown>) => void;
  dismiss: (kind: 'notice' | 'problem') => void;
}

const planDelayMs = 250;

/** What an input may leave out. */
const clearedInput: LabInput = { ...emptyInput, file: undefined, dimensions: undefined };

/** A field stays left out until its control is used again. */
function isStillOmitted({ of, field }: OmittedField, change: Partial<LabInput>): boolean {
  if (field === 'encoding_format') return !('format' in change);
  if (field === 'dimensions') return !('dimensions' in change);
  return of === 'query' || !('fields' in change);
}

const isModelChosen = (model: string) => model !== '';

/** Restores what was edited last, and loads what is stored of it, without a request. */
export async function createLab(
  deps: EmbeddingJobDeps,
  engine: VectorEngine,
  sets: SavedSets = createSavedSets({ ...deps, offerUndo: () => undefined }),
): Promise<Lab> {
  const { vectors } = deps;
  const savedLab = await loadSavedLab(vectors);
  const state = createStore<LabState>(() => createInitialLabState(savedLab));
  const jobs = createLabJobs(deps, engine, state);
  const queries = createLabQueries(deps, state);
  const persistence = persistLab(state, deps, savedLab);
  let planTimer: ReturnType<typeof setTimeout> | undefined;
  let planVersion = 0;

  engine.onLost((message) =>
    // The views show nothing until it is embedded again, which asks for nothing that is stored.
    state.setState({ setups: {}, sets: {}, isUpToDate: false, problem: message }),
  );

  /** Looks up what embedding would cost. */
  async function updatePlan(): Promise<void> {
    planVersion += 1;
    const version = planVersion;
    const { input, parsedInput } = state.getState();
    state.setState({ duplicates: countDuplicates(parsedInput.items) });
    const inputs = parsedInput.items.map(toEmbeddingInput);
    const plans = await Promise.all(
      modelSlots.flatMap((slot) => {
        const setup = getJobSetup(input, slot);
        return setup && inputs.length > 0 ? [planEmbedding(setup, inputs, vectors)] : [];
      }),
    );
    if (version === planVersion) state.setState({ plan: sumPlans(plans) });
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

  /** True if the job paused for a field and its setup has changed since. */
  function hasSetupChanged(slot: ModelSlot): boolean {
    const { jobs: allJobs, input } = state.getState();
    const job = allJobs[slot];
    const phase = job?.state.getState().phase;
    return (
      phase?.name === 'paused' &&
      phase.field !== undefined &&
      !isSameSetup(job?.setup, getJobSetup(input, slot))
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
      if (input.models.B !== state.getState().input.models.B)
        state.setState({ hasSecondModel: input.models.B !== '' });
      const hasTextChanged = 'typed' in change || 'file' in change || 'mode' in change;
      state.setState({
        input,
        plan: undefined,
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
      const blocker = getEmbedBlocker(state.getState());
      if (blocker !== undefined) {
        state.setState({ notice: blocker });
        return;
      }
      const { input } = state.getState();
      await Promise.all([
        persistence.markStarted(),
        sets.save(input, Object.values(input.models).filter(isModelChosen)),
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
      addOmittedField({ model: job.setup.model, of: 'texts', field: phase.field.name });
      await lab.embed();
    },
    omitRejectedQueryField: async () => {
      const { fieldProblem } = state.getState().find;
      const set = getShownSet(state.getState());
      if (!set || !fieldProblem) return;
      addOmittedField({ model: set.model, of: 'query', field: fieldProblem.name });
      await queries.search({ canSendRequest: true });
    },
    restoreFields: (model, requestKind) => {
      const { leftOut = [] } = state.getState().input;
      lab.edit({
        leftOut: leftOut.filter((omitted) => omitted.model !== model || omitted.of !== requestKind),
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
      // The same request would be refused again, so the changed setup is sent.
      if (modelSlots.some(hasSetupChanged)) return lab.embed();
      if (await jobs.resume(options)) await runAll({});
    },
    setSecondModel: (hasSecondModel) => {
      state.setState({ hasSecondModel });
      const { models } = state.getState().input;
      if (!hasSecondModel && models.B !== '') lab.edit({ models: { ...models, B: '' } });
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
  if (savedLab.wasStarted && state.getState().parsedInput.items.length > 0) void runAll({ lookupOnly: true });
  else schedulePlan();
  return lab;
}

/** The lab of a playground, with its vectors in this browser where it stores anything. */
export async function openLab(playground: Playground, engine: VectorEngine): Promise<Lab> {
  const { page, gateway, queue, signals, unsaved } = playground;
  const sets = await openSavedSets(playground);
  const { vectors } = sets;
  const { now, newId, locks } = page;
  const { onStatus } = signals;
  const random = () => Math.random();
  const deps = { gateway, queue, vectors, now, newId, random, onStatus, unsaved, locks };
  const lab = await createLab(deps, engine, sets);
  page.onHide(() => void lab.saveNow());
  return lab;
}
