/** What runs have shown of models: their abilities and how fast they answer. One stored record per model. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import type { RefusedFields } from '../conversation/setup/params.ts';
import { readRefusedFields } from '../conversation/setup/setup.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Prefs } from './prefs-store.ts';
import type { Recorder } from './runs/recorder.ts';

/** By model id, as stored: `readLearnedAbilities` and `firstTokenMsOf` read it. */
type StoredByModel = Readonly<Record<string, unknown>>;

type EarlierPrefs = Pick<Prefs, 'learned' | 'firstTokens' | 'refusesUsage'>;

export interface LearnedModels {
  state: StoreApi<StoredByModel>;
  /** Reads the records again, for instance because another tab changed some. Rejects if they cannot be read. */
  reload: () => Promise<void>;
  /** Sets these fields in the record of a model. */
  learn: (model: string, fields: LearnedAbilities & { firstTokenMs?: number }) => void;
  /** Request fields that the model refused through the current gateway. The same object until they change. */
  refusedFields: (model: string) => RefusedFields;
  /** Replaces them. */
  setRefusedFields: (model: string, fields: RefusedFields) => void;
}

/** More models than anyone uses in one browser. */
const mostRecords = 1000;

const nothingRefused: RefusedFields = {};
const usageRefused: RefusedFields = { stream_options: null };

/** `earlier`: preferences where an earlier version stored the same; records take precedence. `gateway`: id of the current one, and its host for earlier records. */
export function createLearnedModels(
  records: RecordStore,
  recorder: Recorder,
  earlier: () => EarlierPrefs,
  gateway: () => { id: string; host: string },
): LearnedModels {
  const state = createStore<StoredByModel>(() => ofPrefs(earlier()));
  const readings = new WeakMap<object, RefusedFields>();

  const getGatewayKey = () => gateway().id || gateway().host;

  function refusedFields(model: string): RefusedFields {
    const stored = getOwnProperty(
      getOwnProperty(recordOf(state.getState(), model), 'refusedFields'),
      getGatewayKey(),
    );
    if (!isRecord(stored))
      return earlier().refusesUsage?.includes(`${gateway().host} ${model}`) ? usageRefused : nothingRefused;
    const reading = readings.get(stored) ?? readRefusedFields(stored);
    readings.set(stored, reading);
    return reading;
  }

  function put(model: string, fields: Record<string, unknown>): void {
    if (model === '') return;
    const record = { ...recordOf(state.getState(), model), ...fields, id: model };
    state.setState(Object.fromEntries([[model, record]]));
    recorder.put(`learned ${model}`, { store: 'learned', put: record });
  }

  return {
    state,
    reload: async () => {
      await recorder.flush();
      const stored = await records.scan('learned', mostRecords);
      const byModel = stored.map((record): [string, unknown] => [
        getStringProperty(record, 'id') ?? '',
        record,
      ]);
      state.setState({ ...ofPrefs(earlier()), ...Object.fromEntries(byModel) }, true);
    },
    learn: put,
    refusedFields,
    setRefusedFields: (model, fields) => {
      const byGateway = getOwnProperty(recordOf(state.getState(), model), 'refusedFields');
      put(model, { refusedFields: { ...(isRecord(byGateway) ? byGateway : {}), [getGatewayKey()]: fields } });
    },
  };
}

/** Milliseconds to the first token of the model's last answer. */
export function firstTokenMsOf(stored: unknown, model: string): number | undefined {
  return getNumberProperty(getOwnProperty(stored, model), 'firstTokenMs');
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
  const found = getOwnProperty(stored, model);
  return isRecord(found) ? found : {};
}
