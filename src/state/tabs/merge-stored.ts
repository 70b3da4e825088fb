/** Merges records that another tab wrote into a session that is open here: of each record the last write wins. */
import * as v from 'valibot';

import { isDeepEqual } from '../../conversation/session/differences.ts';
import { addTurn, changeTurn, type Environment } from '../../conversation/session/edit-session.ts';
import { repairLanes } from '../../conversation/session/read-session.ts';
import {
  laneSchema,
  promptSchema,
  runSchema,
  sessionSchema,
  turnSchema,
} from '../../conversation/session/session-schemas.ts';
import type { Lane, Reply, RunId, SessionData } from '../../conversation/session/types.ts';
import { isRecord } from '../../lib/json.ts';

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
  const next = stored.reduce((data, { store, key, record }): SessionData => {
    if (store === 'sessions') return withSession(data, now, before, record);
    if (store === 'lanes') return withLane(data, before.lanes[key], { key, record });
    if (store === 'runs' && isOwnRun(key)) return data;
    if (now[store][key] !== before[store][key]) return data;
    return withRecord(data, store, key, record);
  }, now);
  if (next === now) return now;
  const known = repairLanes(next);
  return isDeepEqual(known.session, now.session) ? { ...known, session: now.session } : known;
}

/** Takes tip and setup each where it did not change here since; a lane that is gone is gone. */
function withLane(
  data: SessionData,
  before: Lane | undefined,
  { key, record }: Pick<StoredRecord, 'key' | 'record'>,
): SessionData {
  const lane = data.lanes[key];
  if (lane === before || record === undefined) return withRecord(data, 'lanes', key, record);
  if (!lane || !before || !isRecord(record)) return data;
  const setup = lane.setup === before.setup ? record['setup'] : lane.setup;
  const tip = lane.tip === before.tip ? record['tip'] : lane.tip;
  return withRecord(data, 'lanes', key, { ...lane, setup, ...(tip === undefined ? {} : { tip }) });
}

/**
 * Two tabs gave one turn its answer at the same moment, and the other's is stored: the answer of this one becomes a
 * version beside it. `now` is the session before the other's records were taken in, `next` after it.
 */
export function withDisplacedAnswers(
  now: SessionData,
  next: SessionData,
  environment: Environment,
): SessionData {
  if (next.turns === now.turns) return next;
  return Object.values(now.turns).reduce((data, { id, laneId, promptId, parent, reply }) => {
    if (!reply || !data.lanes[laneId] || !isDisplaced(reply, next.turns[id]?.reply)) return data;
    const where = { promptId, run: false, ...(parent ? { parent } : {}) };
    const added = addTurn(data, environment, laneId, where);
    return changeTurn(added.data, added.turnId, (turn) => ({ ...turn, reply }));
  }, next);
}

/** An edited answer is none: it is written both before and after. */
function isDisplaced(mine: Reply, theirs: Reply | undefined): boolean {
  if (theirs === undefined) return false;
  if (mine.kind === 'run') return theirs.kind !== 'run' || theirs.runId !== mine.runId;
  return theirs.kind === 'run';
}

function withSession(data: SessionData, now: SessionData, before: SessionData, record: unknown): SessionData {
  const read = v.safeParse(sessionSchema, record);
  if (!read.success || now.session !== before.session || isDeepEqual(read.output, data.session)) return data;
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
  // A record that cannot be read is set aside when the session is next opened; here the known one stays.
  if (!read.success || read.output.sessionId !== data.session.id || isDeepEqual(records[key], read.output))
    return data;
  return { ...data, [store]: { ...records, [key]: read.output } };
}
