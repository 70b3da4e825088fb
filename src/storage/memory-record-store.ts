import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../lib/json.ts';
import { getCellId } from '../trials/case-order.ts';
import type { RecordStore, StoreName, Write } from './record-store.ts';

/** Creates a store in memory for browsers without IndexedDB. Everything works, but all data is lost with the page. */
export function createMemoryRecordStore(): RecordStore {
  const stores = new Map<StoreName, Map<string, unknown>>();
  const getStore = (name: StoreName): Map<string, unknown> => {
    const records = stores.get(name) ?? new Map<string, unknown>();
    stores.set(name, records);
    return records;
  };
  const filterBySession = (name: StoreName, id: string) =>
    [...getStore(name).values()].filter((record) => getOwnProperty(record, 'sessionId') === id);

  return {
    mode: 'memory',
    listSessions: async () => [...getStore('sessions').values()],
    readSession: async (id) => {
      const session = getStore('sessions').get(id);
      if (session === undefined) return undefined;
      const [lanes, prompts, turns, runs] = [
        filterBySession('lanes', id),
        filterBySession('prompts', id),
        filterBySession('turns', id),
        filterBySession('runs', id),
      ];
      return { session, lanes, prompts, turns, runs };
    },
    listPresets: async () => [...getStore('presets').values()],
    listBySession: async (name, id) =>
      filterBySession(name, id).toSorted((a, b) => (getRecordKey(a) < getRecordKey(b) ? -1 : 1)),
    listRunIds: async (id) => filterBySession('runs', id).map(getRecordKey),
    listByTrial: async (name, id, { limit, after } = { limit: Number.POSITIVE_INFINITY }) => {
      const lastKey = after === undefined ? '' : getBlockKey(after);
      return [...getStore(name)]
        .filter(([key, record]) => getOwnProperty(record, 'trialId') === id && key > lastKey)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([, record]) => record);
    },
    readRecord: async (name, key) => getStore(name).get(key),
    listKeys: async (name) => [...getStore(name).keys()].toSorted(),
    scan: async (name, count, afterKey) =>
      [...getStore(name)]
        .filter(([key]) => afterKey === undefined || key > afterKey)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, count)
        .map(([, record]) => record),
    readTape: async (runId, fromSeq = 0, maxSegments) =>
      [...getStore('tapes').values()]
        .filter((segment) => getOwnProperty(segment, 'runId') === runId)
        .filter((segment) => (getNumberProperty(segment, 'firstSeq') ?? 0) >= fromSeq)
        .toSorted((a, b) => (getNumberProperty(a, 'firstSeq') ?? 0) - (getNumberProperty(b, 'firstSeq') ?? 0))
        .slice(0, maxSegments),
    write: async (writes) => {
      for (const write of writes) applyWrite(getStore(write.store), write);
    },
    clear: async () => stores.clear(),
    close: () => undefined,
  };
}

/** Returns the key of a record in its store: the hash of an image, the session of a draft, otherwise the ID. */
export function getRecordKey(record: unknown): string {
  return (
    getStringProperty(record, 'hash') ??
    getStringProperty(record, 'id') ??
    getStringProperty(record, 'sessionId') ??
    ''
  );
}

function applyWrite(records: Map<string, unknown>, write: Write): void {
  if ('change' in write) {
    const stored = records.get(write.change.id);
    if (isRecord(stored)) records.set(write.change.id, { ...stored, ...write.change });
    return;
  }
  if ('put' in write) {
    records.set(getPutKey(write), structuredClone(write.put));
    return;
  }
  if ('unmark' in write) {
    records.delete(`${write.unmark.trialId} ${getCellId(write.unmark)}`);
    return;
  }
  const ownerKey = ownerFields[write.store];
  for (const [key, record] of records)
    if (key === write.remove || (ownerKey !== undefined && getOwnProperty(record, ownerKey) === write.remove))
      records.delete(key);
}

/** Field with the owner's ID, by store. Removing a record by this ID removes all records of that owner. */
const ownerFields: Partial<Record<StoreName, string>> = {
  tapes: 'runId',
  cases: 'trialId',
  cells: 'trialId',
  marks: 'trialId',
};

function getPutKey(write: Extract<Write, { put: unknown }>): string {
  switch (write.store) {
    case 'tapes':
      return `${write.put.runId} ${write.put.firstSeq}`;
    case 'cases':
    case 'cells':
      return getBlockKey(write.put);
    case 'marks':
      return `${write.put.trialId} ${getCellId(write.put.key)}`;
    default:
      return getRecordKey(write.put);
  }
}

/** Returns a key that sorts by block number. */
function getBlockKey(record: unknown): string {
  const block = String(getNumberProperty(record, 'block') ?? 0).padStart(8, '0');
  return `${getStringProperty(record, 'trialId') ?? ''} ${block} ${getStringProperty(record, 'columnId') ?? ''}`;
}
