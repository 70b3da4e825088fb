/** Reads a tape file (tape-export.ts) completely or not at all. Errors are reported with their line. */
import * as v from 'valibot';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { messageSchema } from '../session/session-schemas.ts';
import type { RunId } from '../session/types.ts';
import { readImport, type ImportedSessions, type ImportError } from './session-import.ts';
import { tapeFormat, tapeVersion } from './tape-export.ts';

export interface ImportedTapes extends ImportedSessions {
  tapes: { runId: RunId; entries: TapeEntry[] }[];
}

export type TapeFileResult = ({ ok: true } & ImportedTapes) | ({ ok: false } & ImportError);

/** Returns true if the first line identifies a tape file. */
export function isTapeFile(text: string): boolean {
  const reading = parseJson(readLine(text, 0).line);
  return reading.ok && getOwnProperty(reading.value, 'format') === tapeFormat;
}

export function readTapeFile(text: string): TapeFileResult {
  const firstLine = readLine(text, 0);
  const reading = parseJson(firstLine.line);
  const version = reading.ok ? getOwnProperty(reading.value, 'version') : undefined;
  if (!isTapeFile(text))
    return createImportError('Its first line does not identify it as a Bench recording.', 1);
  if (version !== tapeVersion && version !== 1) {
    const isNewer = typeof version === 'number' && version > tapeVersion;
    return createImportError(
      isNewer
        ? `It was written by a newer version of Bench (format ${version}). This version reads format ${tapeVersion}.`
        : 'Its version is missing or unknown.',
      1,
    );
  }
  const sessionLine = readLine(text, firstLine.nextOffset);
  const sessionImport = readImport(sessionLine.line);
  if (!sessionImport.ok) return { ...sessionImport, line: 2 };
  const runIds = new Set(sessionImport.sessions.flatMap((data) => Object.keys(data.runs)));
  const tapes = new Map<RunId, TapeEntry[]>();
  let lineNumber = 3;
  for (let offset = sessionLine.nextOffset; offset < text.length; lineNumber += 1) {
    const { line, nextOffset } = readLine(text, offset);
    offset = nextOffset;
    if (line.trim() === '') continue;
    const lineReading = parseJson(line);
    if (!lineReading.ok)
      return createImportError(`It is not valid JSON: ${lineReading.message}.`, lineNumber);
    const runId = getStringProperty(lineReading.value, 'run');
    if (runId === undefined || !runIds.has(runId))
      return createImportError('It does not belong to any answer of the session on line 2.', lineNumber);
    const entry = readTapeEntry(lineReading.value);
    if (entry === undefined) return createImportError('It is not a recorded event.', lineNumber);
    const tape = tapes.get(runId) ?? [];
    tape.push(entry);
    tapes.set(runId, tape);
  }
  const { ok: _, ...imported } = sessionImport;
  return { ok: true, ...imported, tapes: [...tapes].map(([runId, entries]) => ({ runId, entries })) };
}

function createImportError(reason: string, line: number): TapeFileResult {
  return { ok: false, reason, line };
}

function readLine(text: string, offset: number): { line: string; nextOffset: number } {
  const start = offset === 0 && text.startsWith('\uFEFF') ? 1 : offset;
  const end = text.indexOf('\n', start);
  return end < 0
    ? { line: text.slice(start), nextOffset: text.length }
    : { line: text.slice(start, end), nextOffset: end + 1 };
}

const at = v.pipe(v.number(), v.finite(), v.minValue(0));
const serverAt = v.exactOptional(at);
const headers = v.pipe(
  v.custom<Record<string, unknown>>(isRecord),
  // fromEntries defines own properties, so a header called __proto__ stays an ordinary name.
  v.transform((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)])),
  ),
);
const request = v.custom<ChatRequest>((value) => {
  const messages = getOwnProperty(value, 'messages');
  return (
    getStringProperty(value, 'model') !== undefined &&
    Array.isArray(messages) &&
    messages.every((message) => v.is(messageSchema, message))
  );
});
const error = v.custom<ErrorReport>(
  (value) =>
    getStringProperty(value, 'message') !== undefined && getStringProperty(value, 'kind') !== undefined,
);

const entrySchema: v.GenericSchema<unknown, TapeEntry> = v.union([
  v.object({ at, serverAt, request, requestId: v.string(), requestText: v.exactOptional(v.string()) }),
  v.object({
    at,
    serverAt,
    status: v.number(),
    headers,
    proxied: v.exactOptional(v.literal(true)),
    requestBytes: v.exactOptional(v.number()),
  }),
  v.object({
    at,
    serverAt,
    data: v.string(),
    event: v.exactOptional(v.string()),
    id: v.exactOptional(v.string()),
    unterminated: v.exactOptional(v.literal(true)),
  }),
  v.object({ at, serverAt, comment: v.string() }),
  v.object({ at, serverAt, outside: v.string(), ofEvent: v.exactOptional(v.literal(true)) }),
  v.object({ at, serverAt, body: v.string(), cut: v.exactOptional(v.literal(true)) }),
  v.object({
    at,
    serverAt,
    end: v.picklist(['closed', 'aborted', 'lost', 'timeout']),
    error: v.exactOptional(error),
  }),
]);

/** Parses one tape entry; returns `undefined` for any other value. */
export function readTapeEntry(value: unknown): TapeEntry | undefined {
  const result = v.safeParse(entrySchema, value);
  return result.success ? result.output : undefined;
}
