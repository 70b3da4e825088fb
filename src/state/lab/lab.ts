/** The lab: what is edited, the jobs that embed it, and what its views show. Outlives the screen. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { cutsOf } from '../../embedding/items/model-dimensions.ts';
import { duplicatesIn } from '../../embedding/items/text-items.ts';
import { formatError } from '../../lib/format-error.ts';
import type { Playground } from '../create-playground.ts';
import type { JobParts } from '../embedding/embedding-job-types.ts';
import { planEmbedding, sumOfPlans } from '../embedding/embedding-plan.ts';
import { withFieldInserted, type LeftOutField } from './lab-fields.ts';
import { emptyInput, inputOf, isSameSetup, readInput, setupOf, type LabInput } from './lab-input.ts';
import { createLabJobs } from './lab-jobs.ts';
import { keepLab, nothingKept, readKeptLab } from './lab-persistence.ts';
import { createLabQueries, noProblem, type LabQueries } from './lab-queries.ts';
import {
  firstState,
  nothingSelected,
  shownSet,
  slots,
  whyNotEmbed,
  type ColourScale,
  type FindState,
  type LabState,
  type LabTab,
  type MapState,
  type Slot,
} from './lab-state.ts';
import { createKeptSets, openKeptSets, type KeptSets } from './saved-sets.ts';

export interface Lab extends LabQueries {
  /** Tells it from the lab of another playground in the same page. */
  id: string;
  state: StoreApi<LabState>;
  /** Holds the matrix of each set of the state under the name of its slot, all rows appended before the set is there. */
  engine: VectorEngine;
  vectors: JobParts['vectors'];

  edit: (change: Partial<LabInput>) => void;
  /** Stores what is edited at once, not in a moment. */
  keep: () => Promise<void>;
  /** Begins again after everything was erased: nothing of what was edited or loaded stays, nothing is written. */
  forget: () => Promise<void>;

  /** Fills the lab with a set that was kept, and shows what is stored of it. What was there before is kept as a set, too. */
  openSet: (id: string) => Promise<void>;
  /** The same with the set that was chosen in the history, if one was. */
  openWanted: () => Promise<void>;

  /** Embeds what is not stored, then loads. This is what spends. */
  embed: () => Promise<void>;
  /** Sends nothing more, and finishes what is under way. */
  pause: () => Promise<void>;
  /** Gives up what is under way, too; what has come is kept. */
  stop: () => Promise<void>;
  /** Goes on with the paused job. */
  resume: (options?: { retryFailed?: boolean }) => Promise<void>;

  /** Leaves the field that a job paused for out of the requests of this model and embeds again. */
  leaveOut: (slot: Slot) => Promise<void>;
  /** Leaves the field that the query failed for out of its requests and searches again. */
  leaveOutOfQuery: () => Promise<void>;
  /** Sends fields again that were left out of the requests of a model. */
  sendAgain: (model: string, of: LeftOutField['of']) => void;
  /** Adds a missing field without a value to the typed text. */
  addField: (name: string, of: LeftOutField['of']) => void;

  /** Offers a place for a second model, or takes it away with its model. */
  wantSecond: (isWanted: boolean) => void;
  show: (tab: LabTab) => void;
  showSlot: (slot: Slot) => void;
  /** The views look at so many leading numbers of each vector. */
  cutTo: (dimensions: number) => void;
  /** The size that is one step shorter (-1) or longer (1) than the one on show; undefined where there is none. */
  cutBeside: (step: -1 | 1) => number | undefined;
  /** How the matrix of the set on show is coloured. */
  scaleTo: (scale: ColourScale) => void;
  /** Points at one text, or at none. */
  select: (text: number | undefined) => void;
  /** Points at several, as with a lasso. The first is the current one, unless one is named or was one of them already. */
  selectMany: (texts: readonly number[], current?: number) => void;
  changeMap: (change: Partial<MapState>) => void;
  changeFind: (
    change: Partial<Pick<FindState, 'query' | 'template' | 'fields' | 'embedsAsTyped' | 'shown'>>,
  ) => void;
  /** Looks at texts again instead of a query. */
  clearQuery: () => void;

  /** Takes what was begun and may fail: then the lab says why. */
  tell: (act: Promise<unknown>) => void;
  dismiss: (what: 'notice' | 'problem') => void;
}

const planAfterMs = 250;

/** What an input may leave out. */
const cleared: LabInput = { ...emptyInput, file: undefined, dimensions: undefined };

/** A field stays left out until its control is used again. */
function isStillLeftOut({ of, field }: LeftOutField, change: Partial<LabInput>): boolean {
  if (field === 'encoding_format') return !('format' in change);
  if (field === 'dimensions') return !('dimensions' in change);
  return of === 'query' || !('fields' in change);
}

const isModel = (model: string) => model !== '';

/** Restores what was edited last, and loads what is stored of it, without a request. */
export async function createLab(
  parts: JobParts,
  engine: VectorEngine,
  sets: KeptSets = createKeptSets({ ...parts, offerUndo: () => undefined }),
): Promise<Lab> {
  const { vectors } = parts;
  const kept = await readKeptLab(vectors);
  const state = createStore<LabState>(() => firstState(kept));
  const jobs = createLabJobs(parts, engine, state);
  const queries = createLabQueries(parts, state);
  const keeper = keepLab(state, parts, kept);
  let planTimer: ReturnType<typeof setTimeout> | undefined;
  let planned = 0;

  engine.onLost((words) =>
    // The views show nothing until it is embedded again, which asks for nothing that is stored.
    state.setState({ setups: {}, sets: {}, isUpToDate: false, problem: words }),
  );

  /** Looks up what embedding would cost. */
  async function plan(): Promise<void> {
    planned += 1;
    const mine = planned;
    const { input, reading } = state.getState();
    state.setState({ duplicates: duplicatesIn(reading.items) });
    const inputs = reading.items.map(inputOf);
    const plans = await Promise.all(
      slots.flatMap((slot) => {
        const setup = setupOf(input, slot);
        return setup && inputs.length > 0 ? [planEmbedding(setup, inputs, vectors)] : [];
      }),
    );
    if (mine === planned) state.setState({ plan: sumOfPlans(plans) });
  }

  function planSoon(): void {
    clearTimeout(planTimer);
    planTimer = setTimeout(() => void plan(), planAfterMs);
  }

  async function runAll(options: Parameters<typeof jobs.runAll>[0]): Promise<void> {
    await jobs.runAll(options);
    await plan();
  }

  const changeFind = (change: Partial<FindState>) =>
    state.setState(({ find }) => ({ find: { ...find, ...change } }));

  /** True if the job paused for a field and its setup has changed since. */
  function isChangedForField(slot: Slot): boolean {
    const { jobs: all, input } = state.getState();
    const job = all[slot];
    const phase = job?.state.getState().phase;
    return (
      phase?.name === 'paused' && phase.field !== undefined && !isSameSetup(job?.setup, setupOf(input, slot))
    );
  }

  function leaveOutField(left: LeftOutField): void {
    lab.edit({ leftOut: [...(state.getState().input.leftOut ?? []), left] });
  }

  const lab: Lab = {
    id: parts.newId(),
    state,
    engine,
    vectors,
    ...queries,
    edit: (change) => {
      const { input: before } = state.getState();
      const { leftOut = (before.leftOut ?? []).filter((left) => isStillLeftOut(left, change)) } = change;
      const input = { ...before, ...change, leftOut };
      if (input.models.B !== state.getState().input.models.B)
        state.setState({ hasSecond: input.models.B !== '' });
      const isText = 'typed' in change || 'file' in change || 'mode' in change;
      state.setState({
        input,
        plan: undefined,
        ...(isText ? { reading: readInput(input), duplicates: 0 } : {}),
      });
      planSoon();
      jobs.checkUpToDate();
    },
    keep: keeper.keep,
    forget: async () => {
      queries.stopLooking();
      await jobs.giveUp();
      state.setState(firstState(nothingKept), true);
      queries.stopLooking();
      clearTimeout(planTimer);
      planned += 1;
      keeper.forget();
      await Promise.all(slots.map((slot) => engine.drop(slot)));
    },
    embed: async () => {
      if (state.getState().active !== undefined) return;
      const why = whyNotEmbed(state.getState());
      if (why !== undefined) {
        state.setState({ notice: why });
        return;
      }
      const { input } = state.getState();
      await Promise.all([keeper.started(), sets.keep(input, Object.values(input.models).filter(isModel))]);
      await runAll({});
    },
    openSet: async (id) => {
      const { active, input: before } = state.getState();
      if (active !== undefined) {
        state.setState({ notice: 'Not opened: texts are being embedded. Stop or wait, then open it again.' });
        return;
      }
      const input = await sets.read(id);
      if (!input) {
        state.setState({ problem: 'Could not open these texts: they are no longer in this browser.' });
        return;
      }
      await sets.keep(before, []);
      lab.edit({ ...cleared, ...input });
      await keeper.started();
      await runAll({ onlyLook: true });
    },
    openWanted: async () => {
      const id = sets.takeWanted();
      if (id !== undefined) await lab.openSet(id);
    },
    leaveOut: async (slot) => {
      const job = state.getState().jobs[slot];
      const phase = job?.state.getState().phase;
      if (!job || phase?.name !== 'paused' || !phase.field) return;
      leaveOutField({ model: job.setup.model, of: 'texts', field: phase.field.name });
      await lab.embed();
    },
    leaveOutOfQuery: async () => {
      const { fieldProblem } = state.getState().find;
      const set = shownSet(state.getState());
      if (!set || !fieldProblem) return;
      leaveOutField({ model: set.model, of: 'query', field: fieldProblem.name });
      await queries.lookFor({ maySpend: true });
    },
    sendAgain: (model, of) => {
      const { leftOut = [] } = state.getState().input;
      lab.edit({ leftOut: leftOut.filter((left) => left.model !== model || left.of !== of) });
    },
    addField: (name, of) => {
      const { input, find } = state.getState();
      if (of === 'texts') lab.edit({ fields: withFieldInserted(input.fields, name) });
      else lab.changeFind({ fields: withFieldInserted(find.fields, name) });
    },
    pause: jobs.pause,
    stop: jobs.stop,
    resume: async (options) => {
      if (state.getState().active !== undefined) return;
      // The same request would be refused again, so the changed setup is sent.
      if (slots.some(isChangedForField)) return lab.embed();
      if (await jobs.resume(options)) await runAll({});
    },
    wantSecond: (hasSecond) => {
      state.setState({ hasSecond });
      const { models } = state.getState().input;
      if (!hasSecond && models.B !== '') lab.edit({ models: { ...models, B: '' } });
    },
    show: (tab) => state.setState({ tab }),
    showSlot: (shownSlot) => state.setState({ shownSlot }),
    cutTo: (dimensions) => {
      const full = shownSet(state.getState())?.dimensions;
      state.setState({ cut: dimensions === full ? undefined : dimensions });
    },
    cutBeside: (step) => {
      const set = shownSet(state.getState());
      if (!set) return undefined;
      const { cut = set.dimensions } = state.getState();
      const cuts = cutsOf(set.dimensions);
      return step > 0 ? cuts.find((size) => size > cut) : cuts.findLast((size) => size < cut);
    },
    scaleTo: (scale) => {
      const slot = shownSet(state.getState())?.slot;
      if (slot) state.setState(({ scales }) => ({ scales: { ...scales, [slot]: scale } }));
    },
    select: (text) =>
      state.setState({ selection: text === undefined ? nothingSelected : { current: text, chosen: [text] } }),
    selectMany: (texts, current = state.getState().selection.current) => {
      const chosen = [...new Set(texts)].toSorted((one, other) => one - other);
      const isChosen = current !== undefined && chosen.includes(current);
      state.setState({ selection: { current: isChosen ? current : chosen[0], chosen } });
    },
    changeMap: (change) => state.setState(({ map }) => ({ map: { ...map, ...change } })),
    changeFind: (change) => {
      if ('fields' in change) {
        const { leftOut = [] } = state.getState().input;
        const others = leftOut.filter(({ of, field }) => of === 'texts' || field === 'encoding_format');
        if (others.length < leftOut.length) lab.edit({ leftOut: others });
      }
      changeFind('query' in change || 'fields' in change ? { ...change, ...noProblem } : change);
    },
    clearQuery: () => changeFind({ query: '', found: undefined, ...noProblem }),
    tell: (act) => void act.catch((error: unknown) => state.setState({ problem: formatError(error) })),
    dismiss: (what) => state.setState({ [what]: undefined }),
  };
  if (kept.wasStarted && state.getState().reading.items.length > 0) void runAll({ onlyLook: true });
  else planSoon();
  return lab;
}

/** The lab of a playground, with its vectors in this browser where it stores anything. */
export async function openLab(playground: Playground, engine: VectorEngine): Promise<Lab> {
  const { page, gateway, queue, signals, unsaved } = playground;
  const sets = await openKeptSets(playground);
  const { vectors } = sets;
  const { now, newId, locks } = page;
  const { heardStatus } = signals;
  const random = () => Math.random();
  const parts = { gateway, queue, vectors, now, newId, random, heardStatus, unsaved, locks };
  const lab = await createLab(parts, engine, sets);
  page.onHide(() => void lab.keep());
  return lab;
}
