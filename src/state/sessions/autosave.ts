import { toStoredTurn } from '../../conversation/session/session-schemas.ts';
import type { Lane, SessionData } from '../../conversation/session/types.ts';
import type { Write } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Passes every changed record to the recorder. Changes are found by identity, because edits keep unchanged objects.
 * While `isApplyingRemoteChange` is true, records come from another tab and are already stored.
 */
export function startAutosave(
  store: SessionStore,
  recorder: Recorder,
  isApplyingRemoteChange = () => false,
): () => void {
  return store.subscribe((state, previous) => {
    if (state.open === previous.open || isApplyingRemoteChange()) return;
    for (const [sessionId, data] of Object.entries(state.open)) {
      const previousData = previous.open[sessionId];
      if (data !== previousData)
        for (const write of diffSession(previousData, data)) recorder.put(getWriteKey(write), write);
    }
  });
}

/** Returns the key under which the recorder keeps the latest write of a record. */
export function getWriteKey(write: Write): string {
  if ('remove' in write) return `${write.store} ${write.remove}`;
  if ('change' in write) return `${write.store} ${write.change.id}`;
  if ('unmark' in write) return `marks ${write.unmark.trialId} ${getCellId(write.unmark)}`;
  return `${write.store} ${'id' in write.put ? write.put.id : ''}`;
}

/** Returns the writes between two states of a session; none for a session that was just opened. */
export function diffSession(before: SessionData | undefined, after: SessionData): Write[] {
  if (!before) return [];
  const writes: Write[] = before.session === after.session ? [] : [{ store: 'sessions', put: after.session }];
  diffRecords(
    before.lanes,
    after.lanes,
    (lane) => writes.push(createLaneWrite(before.lanes[lane.id], lane)),
    (remove) => writes.push({ store: 'lanes', remove }),
  );
  diffRecords(
    before.prompts,
    after.prompts,
    (put) => writes.push({ store: 'prompts', put }),
    (remove) => writes.push({ store: 'prompts', remove }),
  );
  diffRecords(
    before.turns,
    after.turns,
    (turn) => writes.push({ store: 'turns', put: toStoredTurn(turn) }),
    (remove) => writes.push({ store: 'turns', remove }),
  );
  // The tape is the record of a streaming run; the folded run is stored at its end.
  diffRecords(
    before.runs,
    after.runs,
    (put) => put.phase.name !== 'streaming' && writes.push({ store: 'runs', put }),
    (remove) => writes.push({ store: 'runs', remove }),
  );
  return writes;
}

/**
 * Writes only the changed fields, so that an answer in one tab does not overwrite a setup edited in another. A removed
 * field needs the whole record.
 */
function createLaneWrite(before: Lane | undefined, lane: Lane): Write {
  const { id, setup, tip, name } = lane;
  const isFieldRemoved = (field: 'tip' | 'name') =>
    before?.[field] !== undefined && lane[field] === undefined;
  if (!before || isFieldRemoved('tip') || isFieldRemoved('name')) return { store: 'lanes', put: lane };
  const newSetup = setup === before.setup ? {} : { setup };
  const newTip = tip === before.tip || tip === undefined ? {} : { tip };
  const newName = name === before.name || name === undefined ? {} : { name };
  return { store: 'lanes', change: { id, ...newSetup, ...newTip, ...newName } };
}

function diffRecords<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  onPut: (record: T) => void,
  onRemove: (id: string) => void,
): void {
  if (before === after) return;
  for (const [id, record] of Object.entries(after)) if (before[id] !== record) onPut(record);
  for (const id of Object.keys(before)) if (!after[id]) onRemove(id);
}

/** Returns writes for a complete session that is not in the database yet. */
export function buildSessionWrites(data: SessionData): Write[] {
  return [
    { store: 'sessions', put: data.session },
    ...Object.values(data.lanes).map((put): Write => ({ store: 'lanes', put })),
    ...Object.values(data.prompts).map((put): Write => ({ store: 'prompts', put })),
    ...Object.values(data.turns).map((turn): Write => ({ store: 'turns', put: toStoredTurn(turn) })),
    ...Object.values(data.runs).map((put): Write => ({ store: 'runs', put })),
  ];
}
