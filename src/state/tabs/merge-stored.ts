/** Merges records written by another tab into an open session; for each record, the last write wins. */
import { isEqual } from 'es-toolkit';
import * as v from 'valibot';

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

/** A record as currently stored; `undefined` if it was deleted. */
export interface StoredRecord {
  store: 'sessions' | 'lanes' | 'prompts' | 'turns' | 'runs';
  key: string;
  record: unknown;
}

const schemas = { lanes: laneSchema, prompts: promptSchema, turns: turnSchema, runs: runSchema };

/**
 * Merges records into the session. `base` is the session when reading began: later local changes are newer and kept,
 * and so are runs streamed by this tab.
 */
export function mergeStored(
  current: SessionData,
  base: SessionData,
  stored: readonly StoredRecord[],
  isOwnRun: (runId: RunId) => boolean,
): SessionData {
  const next = stored.reduce((data, { store, key, record }): SessionData => {
    if (store === 'sessions') return withSession(data, current, base, record);
    if (store === 'lanes') return withLane(data, base.lanes[key], { key, record });
    if (store === 'runs' && isOwnRun(key)) return data;
    if (current[store][key] !== base[store][key]) return data;
    return withRecord(data, store, key, record);
  }, current);
  if (next === current) return current;
  const merged = repairLanes(next);
  return isEqual(merged.session, current.session) ? { ...merged, session: current.session } : merged;
}

/** Merges tip, setup and name separately if they did not change here; deleted lanes stay deleted. */
function withLane(
  data: SessionData,
  base: Lane | undefined,
  { key, record }: Pick<StoredRecord, 'key' | 'record'>,
): SessionData {
  const lane = data.lanes[key];
  if (lane === base || record === undefined) return withRecord(data, 'lanes', key, record);
  if (!lane || !base || !isRecord(record)) return data;
  const setup = lane.setup === base.setup ? record['setup'] : lane.setup;
  const tip = lane.tip === base.tip ? record['tip'] : lane.tip;
  const { name: ownName, ...rest } = lane;
  const name = ownName === base.name ? record['name'] : ownName;
  return withRecord(data, 'lanes', key, {
    ...rest,
    setup,
    ...(tip === undefined ? {} : { tip }),
    ...(name === undefined ? {} : { name }),
  });
}

/**
 * Keeps this tab's answer as an extra version if two tabs answered a turn at the same moment and the other answer was
 * stored. `current` is the session before the merge, `next` after it.
 */
export function keepDisplacedReplies(
  current: SessionData,
  next: SessionData,
  environment: Environment,
): SessionData {
  if (next.turns === current.turns) return next;
  return Object.values(current.turns).reduce((data, { id, laneId, promptId, parent, reply }) => {
    if (!reply || !data.lanes[laneId] || !isDisplaced(reply, next.turns[id]?.reply)) return data;
    const turnOptions = { promptId, run: false, ...(parent ? { parent } : {}) };
    const added = addTurn(data, environment, laneId, turnOptions);
    return changeTurn(added.data, added.turnId, (turn) => ({ ...turn, reply }));
  }, next);
}

/** Edited answers are not displaced, since they are manual before and after. */
function isDisplaced(mine: Reply, theirs: Reply | undefined): boolean {
  if (theirs === undefined) return false;
  if (mine.kind === 'run') return theirs.kind !== 'run' || theirs.runId !== mine.runId;
  return theirs.kind === 'run';
}

function withSession(
  data: SessionData,
  current: SessionData,
  base: SessionData,
  record: unknown,
): SessionData {
  const parsed = v.safeParse(sessionSchema, record);
  if (!parsed.success || current.session !== base.session || isEqual(parsed.output, data.session))
    return data;
  return { ...data, session: parsed.output };
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
  const parsed = v.safeParse<v.GenericSchema<unknown, { sessionId: string }>>(schemas[store], record);
  // Unreadable records are reported when the session is next opened; until then the known record stays.
  if (!parsed.success || parsed.output.sessionId !== data.session.id || isEqual(records[key], parsed.output))
    return data;
  return { ...data, [store]: { ...records, [key]: parsed.output } };
}
