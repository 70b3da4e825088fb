/** What runs have shown of models: their abilities and how fast they answer. One stored record per model. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LearnedOfModel } from '../conversation/setup/abilities.ts';
import { isRecord, numberProperty, ownProperty, stringProperty } from '../lib/json.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Prefs } from './prefs-store.ts';
import type { Recorder } from './runs/recorder.ts';

/** By model id, as stored: `learnedOf` and `firstTokenMsOf` read it. */
type StoredByModel = Readonly<Record<string, unknown>>;

type EarlierPrefs = Pick<Prefs, 'learned' | 'firstTokens'>;

export interface LearnedModels {
  state: StoreApi<StoredByModel>;
  /** Reads the records again, for instance because another tab changed some. Rejects if they cannot be read. */
  reload: () => Promise<void>;
  /** Sets these fields in the record of a model. */
  learn: (model: string, fields: LearnedOfModel & { firstTokenMs?: number }) => void;
}

/** More models than anyone uses in one browser. */
const mostRecords = 1000;

/** `earlier` is where an earlier version kept the same; records outrank it. */
export function createLearnedModels(
  records: RecordStore,
  recorder: Recorder,
  earlier: () => EarlierPrefs,
): LearnedModels {
  const state = createStore<StoredByModel>(() => ofPrefs(earlier()));
  return {
    state,
    reload: async () => {
      await recorder.flush();
      const stored = await records.scan('learned', mostRecords);
      const byModel = stored.map((record): [string, unknown] => [stringProperty(record, 'id') ?? '', record]);
      state.setState({ ...ofPrefs(earlier()), ...Object.fromEntries(byModel) }, true);
    },
    learn: (model, fields) => {
      if (model === '') return;
      const put = { ...recordOf(state.getState(), model), ...fields, id: model };
      state.setState(Object.fromEntries([[model, put]]));
      recorder.put(`learned ${model}`, { store: 'learned', put });
    },
  };
}

/** Milliseconds to the first token of the model's last answer. */
export function firstTokenMsOf(stored: unknown, model: string): number | undefined {
  return numberProperty(ownProperty(stored, model), 'firstTokenMs');
}

function ofPrefs({ learned, firstTokens = {} }: EarlierPrefs): StoredByModel {
  const abilities: StoredByModel = isRecord(learned) ? learned : {};
  const timed = Object.entries(firstTokens).map(([model, firstTokenMs]): [string, unknown] => [
    model,
    { ...recordOf(abilities, model), firstTokenMs },
  ]);
  return { ...abilities, ...Object.fromEntries(timed) };
}

function recordOf(stored: StoredByModel, model: string): Record<string, unknown> {
  const found = ownProperty(stored, model);
  return isRecord(found) ? found : {};
}
