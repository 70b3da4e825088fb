/** Facts about models learned from runs: abilities and response times. One stored record per model. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { ModelChoice } from '../conversation/session/types.ts';
import type { LearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import type { RefusedFields } from '../conversation/setup/params.ts';
import { readRefusedFields } from '../conversation/setup/setup.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { RecordStore } from '../storage/record-store.ts';
import type { Gateways } from './gateways.ts';
import type { Prefs } from './prefs-store.ts';
import type { Recorder } from './runs/recorder.ts';

/** Stored records by model key (model-key.ts), parsed by `readLearnedAbilities` and `getFirstTokenMs`. */
type StoredByModel = Readonly<Record<string, unknown>>;

type EarlierPrefs = Pick<Prefs, 'learned' | 'firstTokens' | 'refusesUsage'>;

export interface LearnedModels {
  state: StoreApi<StoredByModel>;
  /** Reads the records again, for example after changes in another tab. Rejects if they cannot be read. */
  reload: () => Promise<void>;
  /** Returns the key of the record of a model in `state`. */
  getKey: (choice: ModelChoice) => string;
  /** Sets these fields in the record of a model. */
  update: (choice: ModelChoice, fields: LearnedAbilities & { firstTokenMs?: number }) => void;
  /** Returns request fields that the model rejected on its gateway. The object is stable until they change. */
  getRefusedFields: (choice: ModelChoice) => RefusedFields;
  /** Replaces the rejected fields of a model on its gateway. */
  setRefusedFields: (choice: ModelChoice, fields: RefusedFields) => void;
}

/** Maximum number of records; more than any browser is expected to need. */
const maxRecords = 1000;

const noRefusedFields: RefusedFields = {};
const refusedUsageFields: RefusedFields = { stream_options: null };

/** `getEarlierPrefs` returns preferences with data from earlier versions; records take precedence. */
export function createLearnedModels(
  records: RecordStore,
  recorder: Recorder,
  getEarlierPrefs: () => EarlierPrefs,
  { getModelKey, getStatus }: Pick<Gateways, 'getModelKey' | 'getStatus'>,
): LearnedModels {
  const state = createStore<StoredByModel>(() => readEarlierRecords(getEarlierPrefs()));
  const cachedFields = new WeakMap<object, RefusedFields>();

  /** Records from before gateways had IDs name the host. */
  const getGatewayKey = ({ gateway }: ModelChoice) => {
    const { id = '', host = '' } = getStatus(gateway) ?? {};
    return id || host;
  };

  function getRefusedFields(choice: ModelChoice): RefusedFields {
    const stored = getOwnProperty(
      getOwnProperty(getRecord(state.getState(), getModelKey(choice)), 'refusedFields'),
      getGatewayKey(choice),
    );
    if (!isRecord(stored)) {
      const host = getStatus(choice.gateway)?.host ?? '';
      return getEarlierPrefs().refusesUsage?.includes(`${host} ${choice.model}`)
        ? refusedUsageFields
        : noRefusedFields;
    }
    const refusedFields = cachedFields.get(stored) ?? readRefusedFields(stored);
    cachedFields.set(stored, refusedFields);
    return refusedFields;
  }

  function updateRecord(choice: ModelChoice, fields: Record<string, unknown>): void {
    if (choice.model === '') return;
    const key = getModelKey(choice);
    const record = { ...getRecord(state.getState(), key), ...fields, id: key };
    state.setState(Object.fromEntries([[key, record]]));
    recorder.put(`learned ${key}`, { store: 'learned', put: record });
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
    getKey: getModelKey,
    update: updateRecord,
    getRefusedFields,
    setRefusedFields: (choice, fields) => {
      const byGateway = getOwnProperty(getRecord(state.getState(), getModelKey(choice)), 'refusedFields');
      updateRecord(choice, {
        refusedFields: { ...(isRecord(byGateway) ? byGateway : {}), [getGatewayKey(choice)]: fields },
      });
    },
  };
}

/** Returns the milliseconds to the first token of the model's last answer. `key`: key of its record. */
export function getFirstTokenMs(stored: unknown, key: string): number | undefined {
  return getNumberProperty(getOwnProperty(stored, key), 'firstTokenMs');
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
