/** Reads a session file completely or not at all. Errors are reported with their location before anything is stored. */
import * as v from 'valibot';

import { pluralize } from '../../lib/format.ts';
import { getPathOffset, getLineAndColumn, findTooDeepOffset } from '../../lib/json-scan.ts';
import { isRecord, getNumberProperty, getOwnProperty, parseJson } from '../../lib/json.ts';
import { checkJson } from '../reply/json-check.ts';
import { interruptRun } from '../reply/run.ts';
import { maxLanes } from '../session/lanes.ts';
import {
  laneSchema,
  promptSchema,
  runSchema,
  sessionSchema,
  turnSchema,
} from '../session/session-schemas.ts';
import type { SessionData } from '../session/types.ts';
import { countOpaqueFields, markImportedMessages, markImportedRun } from './imported-fields.ts';
import { exportFormat, exportVersion, readExportedRun } from './session-export.ts';

/** Maximum file size in bytes, far above any realistic export. */
export const maxImportBytes = 100_000_000;
const maxImportDepth = 100;

export interface ImportError {
  /** Description of the problem, as a sentence. */
  reason: string;
  /** Line number from 1, if the problem has a location in the file. */
  line?: number;
  /** Path of the value, such as `sessions[2].turns[14].promptId`. */
  path?: string;
}

export interface ImportedSessions {
  sessions: SessionData[];
  /** Data URLs by image hash. */
  images: Record<string, string>;
  /** File lines of each trial, to be parsed by the trials module. */
  trials: unknown[][];
  /** Embedding sets, to be parsed by the lab. */
  sets: unknown[];
  /** Number of damaged records listed in the file; they are not imported. */
  damaged: number;
  /** Number of opaque fields that were dropped because no provider sends them or they are too large. */
  droppedFields: number;
}

export type ImportResult = ({ ok: true } & ImportedSessions) | ({ ok: false } & ImportError);

/** Maximum imported sequence number, half of what records may have, so that new records can follow. */
const maxSeq = 2 ** 52;

type Path = readonly (string | number)[];

class InvalidRecordError extends Error {
  readonly path: Path | undefined;
  constructor(reason: string, path?: Path) {
    super(reason);
    this.path = path;
  }
}

/** Parses the text of a file. Runs that were live during the export are imported as interrupted. */
export function readImport(fileText: string): ImportResult {
  const text = fileText.startsWith('\uFEFF') ? fileText.slice(1) : fileText;
  const deepOffset = findTooDeepOffset(text, maxImportDepth);
  if (deepOffset !== undefined) {
    return {
      ok: false,
      reason: `It is nested more than ${maxImportDepth} levels deep.`,
      line: getLineAndColumn(text, deepOffset).line,
    };
  }
  const reading = parseJson(text);
  if (!reading.ok) {
    const reason = text.trim() === '' ? 'The file is empty.' : `It is not valid JSON: ${reading.message}.`;
    const check = checkJson(text);
    const errorOffset = check.state === 'broken' ? check.offset : text.length;
    return { ok: false, reason, line: getLineAndColumn(text, errorOffset).line };
  }
  try {
    return { ok: true, ...readExportFile(reading.value) };
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error;
    if (error.path === undefined) return { ok: false, reason: error.message };
    return {
      ok: false,
      reason: error.message,
      line: getLineAndColumn(text, getPathOffset(text, error.path)).line,
      path: formatPath(error.path),
    };
  }
}

function readExportFile(file: unknown): ImportedSessions {
  if (getOwnProperty(file, 'format') !== exportFormat) {
    throw new InvalidRecordError('It is valid JSON, but not a Bench export.');
  }
  const version = getOwnProperty(file, 'version');
  if (typeof version === 'number' && version > exportVersion) {
    throw new InvalidRecordError(
      `It was written by a newer version of Bench (format ${version}). This version reads up to format ${exportVersion}.`,
      ['version'],
    );
  }
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new InvalidRecordError('Its version is missing or unknown.', ['version']);
  rejectHostileKeys(file);
  const elements = getOwnProperty(file, 'sessions');
  if (!Array.isArray(elements)) throw new InvalidRecordError('It has no list of sessions.', ['sessions']);
  const ids = new Map<string, Path>();
  const sessions = elements.map((element, index) => readSessionElement(element, ['sessions', index], ids));
  const damaged = elements.reduce((sum: number, element) => sum + getList(element, 'unreadable').length, 0);
  const trials = getList(file, 'trials').map((lines, index) => {
    if (!Array.isArray(lines)) throw new InvalidRecordError('It is not a trial.', ['trials', index]);
    const trialLines: unknown[] = lines;
    return trialLines;
  });
  const droppedFields = countOpaqueFields(elements) - countOpaqueFields(sessions);
  const images = readImages(getOwnProperty(file, 'images'));
  return { sessions, images, trials, sets: getList(file, 'sets'), damaged, droppedFields };
}

function getList(record: unknown, key: string): unknown[] {
  const list = getOwnProperty(record, key);
  return Array.isArray(list) ? list : [];
}

function readSessionElement(element: unknown, path: Path, ids: Map<string, Path>): SessionData {
  const session = readRecord(sessionSchema, element, path);
  const claimId = (id: string, recordPath: Path) => {
    const otherPath = ids.get(id);
    if (otherPath)
      throw new InvalidRecordError(`The ID ${id} is used twice, also at ${formatPath(otherPath)}.`, [
        ...recordPath,
        'id',
      ]);
    ids.set(id, recordPath);
  };
  claimId(session.id, path);
  const readRecords = <T extends { id: string; sessionId: string }>(
    key: string,
    schema: v.GenericSchema<unknown, T>,
    unwrap = (raw: unknown) => raw,
  ) => {
    const list = getOwnProperty(element, key);
    if (!Array.isArray(list))
      throw new InvalidRecordError(`The session has no list of ${key}.`, [...path, key]);
    return Object.fromEntries(
      list.map((raw: unknown, index): [string, T] => {
        const recordPath = [...path, key, index];
        const record = readRecord(schema, unwrap(raw), recordPath);
        claimId(record.id, recordPath);
        if ((getNumberProperty(record, 'seq') ?? 0) > maxSeq)
          throw new InvalidRecordError(`The value is above ${maxSeq}.`, [...recordPath, 'seq']);
        if (record.sessionId !== session.id) {
          throw new InvalidRecordError(`It belongs to another session, ${record.sessionId}.`, [
            ...recordPath,
            'sessionId',
          ]);
        }
        return [record.id, record];
      }),
    );
  };
  const lanes = readRecords('lanes', laneSchema);
  const laneCount = Object.keys(lanes).length;
  if (laneCount === 0) throw new InvalidRecordError('The session has no lane.', [...path, 'lanes']);
  if (laneCount > maxLanes) {
    throw new InvalidRecordError(
      `The session has ${pluralize(laneCount, 'lane')}; the limit is ${maxLanes}.`,
      [...path, 'lanes'],
    );
  }
  const runs = readRecords('runs', runSchema, readExportedRun);
  const hasOpaqueFields = countOpaqueFields(element) > 0;
  const { importedFields: _, ...plainSession } = session;
  return {
    session: hasOpaqueFields ? { ...plainSession, importedFields: 'new' } : plainSession,
    lanes,
    prompts: mapRecords(readRecords('prompts', promptSchema), (prompt) => ({
      ...prompt,
      messages: markImportedMessages(prompt.messages),
    })),
    turns: readRecords('turns', turnSchema),
    runs: mapRecords(runs, (run) => markImportedRun(interruptRun(run))),
  };
}

function mapRecords<T extends { id: string }>(
  records: Record<string, T>,
  change: (record: T) => T,
): Record<string, T> {
  return Object.fromEntries(Object.values(records).map((record) => [record.id, change(record)]));
}

function readRecord<T>(schema: v.GenericSchema<unknown, T>, raw: unknown, path: Path): T {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const issuePath = (issue.path ?? []).flatMap(({ key }) =>
    typeof key === 'string' || typeof key === 'number' ? [key] : [],
  );
  throw new InvalidRecordError(`${issue.message}.`, [...path, ...issuePath]);
}

/** Images, and documents and sounds of messages, which are listed with them. */
const dataUrlPattern = /^data:(?:image|audio|application)\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]*={0,2}$/;

function readImages(raw: unknown): Record<string, string> {
  if (raw === undefined) return {};
  if (!isRecord(raw)) throw new InvalidRecordError('The images are not listed by hash.', ['images']);
  const images = Object.entries(raw).map(([hash, url]): [string, string] => {
    const isValidImage = /^[0-9a-f]{64}$/.test(hash) && typeof url === 'string' && dataUrlPattern.test(url);
    if (!isValidImage)
      throw new InvalidRecordError('It is not an image listed by its hash.', ['images', hash]);
    return [hash, url];
  });
  return Object.fromEntries(images);
}

/** Rejects names such as `__proto__`, which could modify prototypes. */
function rejectHostileKeys(file: unknown): void {
  const pending: { value: unknown; path: Path }[] = [{ value: file, path: [] }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next;
    // Names inside opaque records are checked separately; invalid ones are dropped.
    if (path.at(-1) === 'opaque') continue;
    if (Array.isArray(value)) {
      value.forEach(
        (inner: unknown, index) => isObject(inner) && pending.push({ value: inner, path: [...path, index] }),
      );
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        const inner = value[key];
        const isHostile =
          key === '__proto__' || (key === 'constructor' && getOwnProperty(inner, 'prototype') !== undefined);
        if (isHostile)
          throw new InvalidRecordError(`It has a field named ${key}, which Bench never exports.`, [
            ...path,
            key,
          ]);
        if (isObject(inner)) pending.push({ value: inner, path: [...path, key] });
      }
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
