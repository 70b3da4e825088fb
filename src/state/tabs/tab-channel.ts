/** Messages between tabs that share a store: which records were written, and which tab streams which run. */
import type { RunId, SessionId } from '../../conversation/session/types.ts';
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import type { Page } from '../page.ts';

/** A record that was written or removed. `sessionId` is set if the record contains it. */
export interface RecordChange {
  store: Write['store'];
  key: string;
  sessionId?: SessionId;
}

export type TabMessage =
  | { changes: RecordChange[] }
  /** Request to the tab that streams this run to stop it. */
  | { stop: RunId }
  /** Runs that the sender is streaming. */
  | { alive: RunId[] }
  /** `stop trials`: request to all tabs to stop their trials before everything is deleted. */
  | { asks: 'who is alive' | 'stop trials' };

export interface TabChannel {
  /** Sends to all other tabs, never to this one. */
  send: (message: TabMessage) => void;
  onMessage: (listener: (message: TabMessage) => void) => void;
  close: () => void;
}

const storeNames: readonly Write['store'][] = [
  'sessions',
  'lanes',
  'prompts',
  'turns',
  'runs',
  'tapes',
  'drafts',
  'presets',
  'images',
  'learned',
  'trials',
  'cases',
  'cells',
  'marks',
  'ballots',
];

/** Returns a message of this version of Bench, or undefined. */
function readMessage(raw: unknown): TabMessage | undefined {
  const stop = getStringProperty(raw, 'stop');
  if (stop !== undefined) return { stop };
  const asks = getOwnProperty(raw, 'asks');
  if (asks === 'who is alive' || asks === 'stop trials') return { asks };
  const alive = getOwnProperty(raw, 'alive');
  if (Array.isArray(alive)) return { alive: alive.filter((id) => typeof id === 'string') };
  const changes = getOwnProperty(raw, 'changes');
  return Array.isArray(changes) ? { changes: changes.flatMap(readChange) } : undefined;
}

function readChange(raw: unknown): RecordChange[] {
  const store = storeNames.find((name) => name === getOwnProperty(raw, 'store'));
  const key = getStringProperty(raw, 'key');
  const sessionId = getStringProperty(raw, 'sessionId');
  if (store === undefined || key === undefined) return [];
  return [sessionId === undefined ? { store, key } : { store, key, sessionId }];
}

/**
 * Creates a tab channel; without BroadcastChannel it sends and receives nothing. Messages from other versions of Bench
 * are ignored.
 */
export function createTabChannel(openChannel: Page['openChannel']): TabChannel {
  const channel = openChannel('bench-changes');
  return {
    send: (message) => channel?.post(message),
    onMessage: (listener) =>
      channel?.onMessage((data) => {
        const message = readMessage(data);
        if (message) listener(message);
      }),
    close: () => channel?.close(),
  };
}

/** Returns a store that also notifies the other tabs of each successful write. */
export function broadcastWrites(records: RecordStore, tabChannel: TabChannel): RecordStore {
  return {
    ...records,
    write: async (writes, options) => {
      await records.write(writes, options);
      if (writes.length > 0) tabChannel.send({ changes: writes.map(toRecordChange) });
    },
  };
}

function toRecordChange(write: Write): RecordChange {
  const { store } = write;
  if ('remove' in write) return { store, key: write.remove };
  if ('change' in write) {
    const { id } = write.change;
    return store === 'sessions' ? { store, key: id, sessionId: id } : { store, key: id };
  }
  if ('unmark' in write) return { store, key: write.unmark.trialId };
  switch (store) {
    case 'tapes':
      return { store, key: write.put.runId };
    case 'drafts':
      return { store, key: write.put.sessionId };
    case 'images':
      return { store, key: write.put.hash };
    case 'presets':
    case 'learned':
    case 'trials':
    case 'ballots':
      return { store, key: write.put.id };
    case 'cases':
    case 'cells':
    case 'marks':
      return { store, key: write.put.trialId };
    case 'sessions':
      return { store, key: write.put.id, sessionId: write.put.id };
    default:
      return { store, key: write.put.id, sessionId: write.put.sessionId };
  }
}
