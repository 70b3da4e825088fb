import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../lib/json.ts';
import { getCellId } from '../trials/case-order.ts';
import type { RecordStore, StoreName, Write } from './record-store.ts';

/** Records in memory, for browsers that refuse a database: everything works, nothing outlives the page. */
export function memoryRecordStore(): RecordStore {
  const stores = new Map<StoreName, Map<string, unknown>>();
  const store = (name: StoreName): Map<string, unknown> => {
    const known = stores.get(name) ?? new Map<string, unknown>();
    stores.set(name, known);
    return known;
  };
  const ofSession = (name: StoreName, id: string) =>
    [...store(name).values()].filter((record) => getOwnProperty(record, 'sessionId') === id);

  return {
    mode: 'memory',
    sessions: async () => [...store('sessions').values()],
    session: async (id) => {
      const session = store('sessions').get(id);
      if (session === undefined) return undefined;
      const [lanes, prompts, turns, runs] = [
        ofSession('lanes', id),
        ofSession('prompts', id),
        ofSession('turns', id),
        ofSession('runs', id),
      ];
      return { session, lanes, prompts, turns, runs };
    },
    presets: async () => [...store('presets').values()],
    ofSession: async (name, id) =>
      ofSession(name, id).toSorted((one, other) => (keyOfRecord(one) < keyOfRecord(other) ? -1 : 1)),
    runIdsOf: async (id) => ofSession('runs', id).map(keyOfRecord),
    ofTrial: async (name, id, { most, after } = { most: Number.POSITIVE_INFINITY }) => {
      const last = after === undefined ? '' : keyOfBlock(after);
      return [...store(name)]
        .filter(([key, record]) => getOwnProperty(record, 'trialId') === id && key > last)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, most)
        .map(([, record]) => record);
    },
    record: async (name, key) => store(name).get(key),
    keys: async (name) => [...store(name).keys()].toSorted(),
    scan: async (name, count, after) =>
      [...store(name)]
        .filter(([key]) => after === undefined || key > after)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, count)
        .map(([, record]) => record),
    tape: async (runId, fromSeq = 0, most) =>
      [...store('tapes').values()]
        .filter((segment) => getOwnProperty(segment, 'runId') === runId)
        .filter((segment) => (getNumberProperty(segment, 'firstSeq') ?? 0) >= fromSeq)
        .toSorted(
          (one, other) =>
            (getNumberProperty(one, 'firstSeq') ?? 0) - (getNumberProperty(other, 'firstSeq') ?? 0),
        )
        .slice(0, most),
    write: async (writes) => {
      for (const write of writes) apply(store(write.store), write);
    },
    clear: async () => stores.clear(),
    close: () => undefined,
  };
}

/** What a record is found by in its store: its id, of an image its hash, of a draft its session. */
export function keyOfRecord(record: unknown): string {
  return (
    getStringProperty(record, 'hash') ??
    getStringProperty(record, 'id') ??
    getStringProperty(record, 'sessionId') ??
    ''
  );
}

function apply(records: Map<string, unknown>, write: Write): void {
  if ('change' in write) {
    const known = records.get(write.change.id);
    if (isRecord(known)) records.set(write.change.id, { ...known, ...write.change });
    return;
  }
  if ('put' in write) {
    records.set(keyOf(write), structuredClone(write.put));
    return;
  }
  if ('unmark' in write) {
    records.delete(`${write.unmark.trialId} ${getCellId(write.unmark)}`);
    return;
  }
  const owner = ownerField[write.store];
  for (const [key, record] of records)
    if (key === write.remove || (owner !== undefined && getOwnProperty(record, owner) === write.remove))
      records.delete(key);
}

/** Where one key removes all that somebody has. */
const ownerField: Partial<Record<StoreName, string>> = {
  tapes: 'runId',
  cases: 'trialId',
  cells: 'trialId',
  marks: 'trialId',
};

function keyOf(write: Extract<Write, { put: unknown }>): string {
  switch (write.store) {
    case 'tapes':
      return `${write.put.runId} ${write.put.firstSeq}`;
    case 'cases':
    case 'cells':
      return keyOfBlock(write.put);
    case 'marks':
      return `${write.put.trialId} ${getCellId(write.put.key)}`;
    default:
      return keyOfRecord(write.put);
  }
}

/** In the order of the numbers of blocks. */
function keyOfBlock(record: unknown): string {
  const block = String(getNumberProperty(record, 'block') ?? 0).padStart(8, '0');
  return `${getStringProperty(record, 'trialId') ?? ''} ${block} ${getStringProperty(record, 'columnId') ?? ''}`;
}
