/**
 * Records that another tab wrote, taken into a session that is open here: record by record the last writer wins, but for
 * what it had not heard of when it wrote.
 */
import * as v from 'valibot';

import { versionsOf } from '../../conversation/comparison/better.ts';
import { isSame } from '../../conversation/session/differences.ts';
import { addTurn, changeTurn, type Environment } from '../../conversation/session/edit.ts';
import {
  laneSchema,
  promptSchema,
  runSchema,
  sessionSchema,
  turnSchema,
  votesSchema,
} from '../../conversation/session/records.ts';
import { withKnownLanes } from '../../conversation/session/revive.ts';
import type { Reply, RunId, SessionData } from '../../conversation/session/types.ts';
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
  recent: Pick<RecentStates, 'of'>,
): SessionData {
  const next = stored.reduce((data, { store, key, record }): SessionData => {
    if (store === 'sessions') {
      const news = record && withOwnNews(now.session, recent.of(key), record);
      return withSession(data, now, before, news);
    }
    if (store === 'runs' && isOwnRun(key)) return data;
    if (now[store][key] !== before[store][key]) return data;
    return withRecord(data, store, key, newsOf(now, recent, { store, key, record }));
  }, now);
  if (next === now) return now;
  const known = withKnownLanes(next);
  return isSame(known.session, now.session) ? { ...known, session: now.session } : known;
}

/** Of lanes and prompts two tabs may change different parts at the same moment. */
function newsOf(now: SessionData, recent: Pick<RecentStates, 'of'>, stored: StoredRecord): unknown {
  const { store, key, record } = stored;
  if (record === undefined) return undefined;
  if (store === 'lanes') return withOwnNews(now.lanes[key], recent.of(key), record);
  const prompt = store === 'prompts' ? now.prompts[key] : undefined;
  return prompt === undefined ? record : withOwnNews(prompt, recent.of(key), record);
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
  // A record that cannot be read is set aside when the session is next opened; here the known one stays.
  if (!read.success || read.output.sessionId !== data.session.id || isSame(records[key], read.output))
    return data;
  return { ...data, [store]: { ...records, [key]: read.output } };
}

/** What this tab itself had a moment ago, of the records that it changed. */
export interface RecentStates {
  /** Own changes of a session: what the records were before is remembered for a while. */
  note: (before: SessionData, after: SessionData) => void;
  /** What the lane, prompt or session was before the newest own changes, the oldest first. */
  of: (id: string) => readonly unknown[];
}

/** Longer than another tab takes to hear of a change, and shorter than a person takes to go there and undo it. */
const rememberedMs = 2000;

export function createRecentStates(now: () => number): RecentStates {
  const states = new Map<string, { at: number; record: unknown }[]>();
  const fresh = (id: string) => (states.get(id) ?? []).filter(({ at }) => now() - at < rememberedMs);
  const add = (id: string, record: unknown) => states.set(id, [...fresh(id), { at: now(), record }]);
  return {
    note(before, after) {
      // Every frame of a stream comes by here.
      const isSameHere = before.lanes === after.lanes && before.prompts === after.prompts;
      if (before.session === after.session && isSameHere) return;
      for (const id of states.keys()) if (fresh(id).length === 0) states.delete(id);
      if (before.session !== after.session) add(before.session.id, before.session);
      for (const [id, lane] of Object.entries(before.lanes)) if (after.lanes[id] !== lane) add(id, lane);
      if (before.prompts === after.prompts) return;
      for (const [id, prompt] of Object.entries(before.prompts))
        if (after.prompts[id] !== prompt) add(id, prompt);
    },
    of: (id) => fresh(id).map(({ record }) => record),
  };
}

/**
 * What another tab wrote, but for what it had not heard of yet: a field that is as this tab had it a moment ago is old
 * news, and the newer value stays.
 */
export function withOwnNews(mine: unknown, recent: readonly unknown[], theirs: unknown): unknown {
  if (!hasVotes(mine) && !hasVotes(theirs)) return withOwnFields(mine, recent, theirs);
  return votesListed(withOwnFields(votesApart(mine), recent.map(votesApart), votesApart(theirs)));
}

function hasVotes(record: unknown): boolean {
  return isRecord(record) && Array.isArray(record['better']);
}

/** The votes on a prompt by the versions that they compare: of two tabs each may have said another one. */
function votesApart(record: unknown): unknown {
  if (!isRecord(record)) return record;
  const votes = v.safeParse(votesSchema, record['better'] ?? []);
  if (!votes.success) return record;
  return { ...record, better: Object.fromEntries(votes.output.map((vote) => [versionsOf(vote), vote])) };
}

function votesListed(record: unknown): unknown {
  if (!isRecord(record) || !isRecord(record['better'])) return record;
  const { better, ...rest } = record;
  const votes = Object.values(better ?? {});
  return votes.length === 0 ? rest : { ...rest, better: votes };
}

function withOwnFields(mine: unknown, recent: readonly unknown[], theirs: unknown): unknown {
  if (isSame(mine, theirs)) return theirs;
  if (isRecord(mine) && isRecord(theirs)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    const past = recent.filter(isRecord);
    const fields = [...keys].map((key) => [
      key,
      withOwnFields(
        mine[key],
        past.map((record) => record[key]),
        theirs[key],
      ),
    ]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  return recent.some((record) => isSame(record, theirs)) ? mine : theirs;
}
