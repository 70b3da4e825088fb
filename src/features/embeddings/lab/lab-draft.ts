/** What is edited: kept a moment after each change, with what embedding it would cost. */
import { ownProperty, stringProperty } from '../../../lib/json.ts';
import { planEmbedding, type EmbeddingPlan } from '../../../state/embedding/embedding-plan.ts';
import type { VectorStore } from '../../../storage/vector-store.ts';
import { findStore, firstFind } from '../nearest/find-store.ts';
import { inputOf, slots, type LabCore } from './lab-core.ts';
import { emptyInput, readInput, reviveInput, setupOf, type LabInput } from './lab-input.ts';
import { labTabs, type LabTab } from './lab-store.ts';

const planAfterMs = 250;
const storeAfterMs = 500;
const noteId = 'lab';

export interface StoredDraft {
  input: LabInput;
  /** These texts were embedded once: what is stored of them may be shown unasked. */
  wasStarted: boolean;
  /** The view that was chosen last. */
  tab: LabTab;
  /** What was looked for, and how it was asked. */
  find: { query: string; template: string };
}

/** What was edited last. */
export async function storedDraft(vectors: VectorStore): Promise<StoredDraft> {
  const noted = await vectors.note(noteId);
  const find = ownProperty(noted, 'find');
  return {
    input: reviveInput(ownProperty(noted, 'input')),
    wasStarted: ownProperty(noted, 'wasStarted') === true,
    tab: labTabs.find((tab) => tab === ownProperty(noted, 'tab')) ?? 'overview',
    find: {
      query: stringProperty(find, 'query') ?? firstFind.query,
      template: stringProperty(find, 'template') ?? firstFind.template,
    },
  };
}

export interface LabDraft {
  edit: (change: Partial<LabInput>) => void;
  /** Stores it at once. */
  keep: () => Promise<void>;
  /** The texts are about to be embedded: they can be found again after a reload. */
  started: () => Promise<void>;
  /** Looks up what embedding would cost, at once or in a moment. */
  plan: () => Promise<void>;
  planSoon: () => void;
  /** Begins again with nothing; nothing is stored of that. */
  empty: () => void;
}

export function createLabDraft({ parts, state, store }: LabCore, stored: StoredDraft): LabDraft {
  const { vectors } = parts;
  let { wasStarted } = stored;
  let planTimer: ReturnType<typeof setTimeout> | undefined;
  let storeTimer: ReturnType<typeof setTimeout> | undefined;
  let isSaved: (() => void) | undefined;
  let planned = 0;

  function keep(): Promise<void> {
    clearTimeout(storeTimer);
    const { query, template } = findStore.getState();
    const { tab } = store.getState();
    const isKept = isSaved;
    isSaved = undefined;
    const note = { input: state.getState().input, wasStarted, tab, find: { query, template } };
    return vectors.putNote(noteId, note).finally(isKept);
  }

  function keepSoon(): void {
    clearTimeout(storeTimer);
    isSaved ??= parts.unsaved?.begin();
    storeTimer = setTimeout(() => void keep(), storeAfterMs);
  }

  store.setState({ tab: stored.tab });
  findStore.setState(stored.find);
  store.subscribe((now, before) => {
    if (now.tab !== before.tab) keepSoon();
  });
  findStore.subscribe((now, before) => {
    if (now.query !== before.query || now.template !== before.template) keepSoon();
  });

  async function plan(): Promise<void> {
    planned += 1;
    const mine = planned;
    const { input, reading } = state.getState();
    const inputs = reading.items.map(inputOf);
    const plans = await Promise.all(
      slots.flatMap((slot) => {
        const setup = setupOf(input, slot);
        return setup && inputs.length > 0 ? [planEmbedding(setup, inputs, vectors)] : [];
      }),
    );
    if (mine === planned) state.setState({ plan: plans.length === 0 ? undefined : sumOf(plans) });
  }

  function planSoon(): void {
    clearTimeout(planTimer);
    planTimer = setTimeout(() => void plan(), planAfterMs);
  }

  return {
    edit: (change) => {
      const next = { ...state.getState().input, ...change };
      const isText = 'typed' in change || 'file' in change || 'mode' in change;
      state.setState({ input: next, plan: undefined, ...(isText ? { reading: readInput(next) } : {}) });
      planSoon();
      keepSoon();
    },
    keep,
    started: () => {
      wasStarted = true;
      return keep();
    },
    plan,
    planSoon,
    empty: () => {
      wasStarted = false;
      state.setState({
        input: emptyInput,
        reading: readInput(emptyInput),
        plan: undefined,
        isUpToDate: false,
        notice: undefined,
        problem: undefined,
      });
      store.setState({ tab: 'overview' });
      findStore.setState({ ...firstFind, found: undefined, problem: undefined });
      clearTimeout(planTimer);
      clearTimeout(storeTimer);
      isSaved?.();
      isSaved = undefined;
    },
  };
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
