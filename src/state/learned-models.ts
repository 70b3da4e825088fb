/** Facts about models learned from runs: abilities and response times. One stored record per model. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { LearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import type { RefusedFields } from '../conversation/setup/params.ts';
import { readRefusedFields } from '../conversation/setup/setup.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Prefs } from './prefs-store.ts';
import type { Recorder } from './runs/recorder.ts';

/** Stored records by model ID, parsed by `readLearnedAbilities` and `getFirstTokenMs`. */
type StoredByModel = Readonly<Record<string, unknown>>;

type EarlierPrefs = Pick<Prefs, 'learned' | 'firstTokens' | 'refusesUsage'>;

export interface LearnedModels {
  state: StoreApi<StoredByModel>;
  /** Reads the records again, for example after changes in another tab. Rejects if they cannot be read. */
  reload: () => Promise<void>;
  /** Sets these fields in the record of a model. */
  update: (model: string, fields: LearnedAbilities & { firstTokenMs?: number }) => void;
  /** Returns request fields that the model rejected on the current gateway. The object is stable until they change. */
  getRefusedFields: (model: string) => RefusedFields;
  /** Replaces the rejected fields of a model on the current gateway. */
  setRefusedFields: (model: string, fields: RefusedFields) => void;
}

/** Maximum number of records; more than any browser is expected to need. */
const maxRecords = 1000;

const noRefusedFields: RefusedFields = {};
const refusedUsageFields: RefusedFields = { stream_options: null };

/**
 * `earlier`: preferences with data from earlier versions; records take precedence. `gateway`: ID of the current
 * gateway, and its host for data from earlier versions.
 */
export function createLearnedModels(
  records: RecordStore,
  recorder: Recorder,
  getEarlierPrefs: () => EarlierPrefs,
  getGateway: () => { id: string; host: string },
): LearnedModels {
  const state = createStore<StoredByModel>(() => readEarlierRecords(getEarlierPrefs()));
  const cachedFields = new WeakMap<object, RefusedFields>();

  const getGatewayKey = () => getGateway().id || getGateway().host;

  function getRefusedFields(model: string): RefusedFields {
    const stored = getOwnProperty(
      getOwnProperty(getRecord(state.getState(), model), 'refusedFields'),
      getGatewayKey(),
    );
    if (!isRecord(stored))
      return getEarlierPrefs().refusesUsage?.includes(`${getGateway().host} ${model}`)
        ? refusedUsageFields
        : noRefusedFields;
    const refusedFields = cachedFields.get(stored) ?? readRefusedFields(stored);
    cachedFields.set(stored, refusedFields);
    return refusedFields;
  }

  function updateRecord(model: string, fields: Record<string, unknown>): void {
    if (model === '') return;
    const record = { ...getRecord(state.getState(), model), ...fields, id: model };
    state.setState(Object.fromEntries([[model, record]]));
    recorder.put(`learned ${model}`, { store: 'learned', put: record });
  }

  return {
    state,
    reload: async () => {
      await recorder.flush();
      const stored = await records.scan('learned', maxRecords);
      const byModel = stored.map((record): [string, unknown] => [
        getStringProperty(record, 'id') ?? '',
        record,
      ]);
      state.setState({ ...readEarlierRecords(getEarlierPrefs()), ...Object.fromEntries(byModel) }, true);
    },
    update: updateRecord,
    getRefusedFields,
    setRefusedFields: (model, fields) => {
      const byGateway = getOwnProperty(getRecord(state.getState(), model), 'refusedFields');
      updateRecord(model, {
        refusedFields: { ...(isRecord(byGateway) ? byGateway : {}), [getGatewayKey()]: fields },
      });
    },
  };
}

/** Returns the milliseconds to the first token of the model's last answer. */
export function getFirstTokenMs(stored: unknown, model: string): number | undefined {
  return getNumberProperty(getOwnProperty(stored, model), 'firstTokenMs');
}

function readEarlierRecords({ learned, firstTokens = {} }: EarlierPrefs): StoredByModel {
  const abilities: StoredByModel = isRecord(learned) ? learned : {};
  const timedRecords = Object.entries(firstTokens).map(([model, firstTokenMs]): [string, unknown] => [
    model,
    { ...getRecord(abilities, model), firstTokenMs },
  ]);
  return { ...abilities, ...Object.fromEntries(timedRecords) };
}

function getRecord(stored: StoredByModel, model: string): Record<string, unknown> {
  const record = getOwnProperty(stored, model);
  return isRecord(record) ? record : {};
}
