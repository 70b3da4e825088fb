/** Records that another tab wrote, taken into a session that is open here: record by record, the last writer wins. */
import * as v from 'valibot';

import { isSame } from '../conversation/differences.ts';
import { laneSchema, promptSchema, runSchema, sessionSchema, turnSchema } from '../conversation/records.ts';
import { withKnownLanes } from '../conversation/revive.ts';
import type { RunId, SessionData } from '../conversation/types.ts';

/** A record as the store has it now; `undefined` is gone. */
export interface StoredRecord {
  store: 'sessions' | 'lanes' | 'prompts' | 'turns' | 'runs';
  key: string;
  record: unknown;
}

const schemas = { lanes: laneSchema, prompts: promptSchema, turns: turnSchema, runs: runSchema };

/**
 * `before` is the session as it was when the records began to be read: what changed here since is newer and
 * stays, and so do the runs that this tab streams.
 */
export function takeIn(
  now: SessionData,
  before: SessionData,
  stored: readonly StoredRecord[],
  isOwnRun: (runId: RunId) => boolean,
): SessionData {
  const next = stored.reduce((data, change): SessionData => {
    if (change.store === 'sessions') return withSession(data, now, before, change.record);
    if (change.store === 'runs' && isOwnRun(change.key)) return data;
    if (now[change.store][change.key] !== before[change.store][change.key]) return data;
    return withRecord(data, change.store, change.key, change.record);
  }, now);
  if (next === now) return now;
  const known = withKnownLanes(next);
  return isSame(known.session, now.session) ? { ...known, session: now.session } : known;
}

function withSession(data: SessionData, now: SessionData, before: SessionData, record: unknown): SessionData {
  const read = v.safeParse(sessionSchema, record);
  if (!read.success || now.session !== before.session || isSame(read.output, data.session)) return data;
  return { ...data, session: read.output };
}

function withRecord(
  data: SessionData,
  store: keyof typeof schemas,
  key: string,
  record: unknown,
): SessionData {
  const records: Record<string, unknown> = data[store];
  if (record === undefined) {
    if (!Object.hasOwn(records, key)) return data;
    const { [key]: _, ...rest } = records;
    return { ...data, [store]: rest };
  }
  const read = v.safeParse<v.GenericSchema<unknown, { sessionId: string }>>(schemas[store], record);
  // A record that can not be read is set aside when the session is next opened; here the known one stays.
  if (!read.success || read.output.sessionId !== data.session.id || isSame(records[key], read.output))
    return data;
  return { ...data, [store]: { ...records, [key]: read.output } };
}
