/** Validates the records of one session or trial in a backup, which are outside data, and returns their writes. */
import * as v from 'valibot';

import { readTapeEntry } from '../../conversation/files/tape-import.ts';
import { getPasteKey, type StoredDraft } from '../../conversation/session/draft.ts';
import {
  laneSchema,
  promptSchema,
  runSchema,
  sessionSchema,
  storedTurnSchema,
} from '../../conversation/session/session-schemas.ts';
import { decodeBase64 } from '../../lib/base64.ts';
import { getNumberProperty, getOwnProperty, getStringProperty, isRecord } from '../../lib/json.ts';
import { getRecordKey } from '../../storage/memory-record-store.ts';
import type { BallotRecord, LearnedRecord, TapeSegment, Write } from '../../storage/record-store.ts';
import {
  caseSchema,
  cellSchema,
  getHeartbeatId,
  markSchema,
  readHeartbeat,
  trialSchema,
} from '../../trials/trial-schemas.ts';
import type { Trial } from '../../trials/trial.ts';
import { readCellRun, toStoredCellRun } from '../trials/repository/trial-records.ts';

/** A record as it stands in the file. */
export interface RawRecord {
  store: string;
  record: unknown;
}

export interface ParsedGroup {
  writes: Extract<Write, { put: unknown }>[];
  /** Number of records that cannot be read or do not belong to the group. */
  damaged: number;
}

type ParsedWrite = ParsedGroup['writes'][number];

/** Returns the writes of a session; undefined if the session itself cannot be read. */
export function parseSessionGroup(id: string, raws: readonly RawRecord[]): ParsedGroup | undefined {
  const runIds = listRunIds(raws);
  return parseGroup(raws, 'sessions', (raw) => parseSessionRecord(id, runIds, raw));
}

/** Returns the writes of a trial; undefined if the trial itself cannot be read. */
export function parseTrialGroup(id: string, raws: readonly RawRecord[]): ParsedGroup | undefined {
  const runIds = listRunIds(raws);
  const trial = raws
    .map(({ store, record }) => (store === 'trials' ? parse(trialSchema, record) : undefined))
    .find((candidate) => candidate?.id === id);
  return trial && parseGroup(raws, 'trials', (raw) => parseTrialRecord(trial, runIds, raw));
}

function parseGroup(
  raws: readonly RawRecord[],
  ownerStore: 'sessions' | 'trials',
  parseRecord: (raw: RawRecord) => ParsedWrite | undefined,
): ParsedGroup | undefined {
  const writes = raws.flatMap((raw) => parseRecord(raw) ?? []);
  if (!writes.some(({ store }) => store === ownerStore)) return undefined;
  return { writes, damaged: raws.length - writes.length };
}

function listRunIds(raws: readonly RawRecord[]): Set<string> {
  return new Set(raws.flatMap(({ store, record }) => (store === 'runs' ? getRecordKey(record) : [])));
}

function parse<T>(schema: v.GenericSchema<unknown, T>, raw: unknown): T | undefined {
  const parsed = v.safeParse(schema, raw);
  return parsed.success ? parsed.output : undefined;
}

function parseSessionRecord(
  sessionId: string,
  runIds: ReadonlySet<string>,
  { store, record }: RawRecord,
): ParsedWrite | undefined {
  if (store === 'sessions') {
    const put = parse(sessionSchema, record);
    return put?.id === sessionId ? { store, put } : undefined;
  }
  if (store === 'tapes') return parseTape(record, runIds);
  if (store === 'drafts') return isDraftOf(sessionId, record) ? { store, put: record } : undefined;
  if (getStringProperty(record, 'sessionId') !== sessionId) return undefined;
  if (store === 'lanes') {
    const put = parse(laneSchema, record);
    return put && { store, put };
  }
  if (store === 'prompts') {
    const put = parse(promptSchema, record);
    return put && { store, put };
  }
  if (store === 'turns') {
    const put = parse(storedTurnSchema, record);
    return put && { store, put };
  }
  if (store !== 'runs') return undefined;
  const put = parse(runSchema, record);
  return put && { store, put };
}

function parseTrialRecord(
  trial: Trial,
  runIds: ReadonlySet<string>,
  { store, record }: RawRecord,
): ParsedWrite | undefined {
  if (store === 'trials') {
    if (getStringProperty(record, 'id') === trial.id) return { store, put: trial };
    const put = readHeartbeat(record);
    return put?.id === getHeartbeatId(trial.id) ? { store, put } : undefined;
  }
  if (store === 'tapes') return parseTape(record, runIds);
  if (store === 'runs') {
    const run = readCellRun(record, trial);
    const columnId = getStringProperty(getOwnProperty(record, 'setup'), 'of');
    return run?.sessionId === trial.id && columnId !== undefined
      ? { store, put: toStoredCellRun(run, columnId) }
      : undefined;
  }
  if (getStringProperty(record, 'trialId') !== trial.id) return undefined;
  const block = getNumberProperty(record, 'block');
  const owner = { trialId: trial.id };
  if (store === 'cases' && block !== undefined)
    return { store, put: { ...owner, block, cases: parseList(caseSchema, getOwnProperty(record, 'cases')) } };
  const columnId = getStringProperty(record, 'columnId');
  if (store === 'cells' && block !== undefined && columnId !== undefined) {
    const cells = parseList(cellSchema, getOwnProperty(record, 'cells'));
    return { store, put: { ...owner, block, columnId, cells } };
  }
  if (store === 'ballots') return isBallot(record) ? { store, put: record } : undefined;
  if (store !== 'marks') return undefined;
  const put = parse(markSchema, record);
  return put && { store, put };
}

function parseList<T>(schema: v.GenericSchema<unknown, T>, raw: unknown): T[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item: unknown) => parse(schema, item) ?? []);
}

function parseTape(record: unknown, runIds: ReadonlySet<string>): ParsedWrite | undefined {
  const runId = getStringProperty(record, 'runId');
  const firstSeq = getNumberProperty(record, 'firstSeq');
  const rawEntries = getOwnProperty(record, 'entries');
  if (runId === undefined || firstSeq === undefined || !runIds.has(runId) || !Array.isArray(rawEntries))
    return undefined;
  const entries = rawEntries.flatMap((entry: unknown) => readTapeEntry(entry) ?? []);
  const put: TapeSegment = { runId, firstSeq, entries };
  const packed = getStringProperty(record, 'packed');
  const count = getNumberProperty(record, 'count');
  if (packed === undefined || count === undefined) return { store: 'tapes', put };
  const bytes = decodeOrUndefined(packed);
  return bytes && { store: 'tapes', put: { ...put, packed: bytes, count } };
}

/** Returns the bytes of base64 text; undefined if it is none. */
export function decodeOrUndefined(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return decodeBase64(base64);
  } catch {
    return undefined;
  }
}

/** Fields of a draft are read one by one (draft.ts), and unreadable ones are kept until they are replaced. */
function isDraftOf(sessionId: string, record: unknown): record is StoredDraft {
  const key = getStringProperty(record, 'sessionId');
  return key === sessionId || key === getPasteKey(sessionId);
}

function isBallot(record: unknown): record is BallotRecord {
  return getStringProperty(record, 'id') !== undefined;
}

/** The facts in a record are read one by one (learned-models.ts). */
export function isLearnedRecord(record: unknown): record is LearnedRecord {
  return isRecord(record) && typeof record['id'] === 'string';
}
