/** Prepares a tape for the rules: the request, the response and each event parsed as JSON once. */
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { isRecord, getOwnProperty, parseJson, type Json } from '../../lib/json.ts';
import { foldTape } from '../reply/fold-tape.ts';
import { createRun } from '../reply/run.ts';
import type { Run } from '../session/types.ts';

/** Event with data, except [DONE]. */
export interface EventData {
  /** Index of the entry on the tape. */
  entryIndex: number;
  atMs: number;
  text: string;
  name?: string;
  unterminated: boolean;
  /** Parsed chunk; `undefined` if the data is not a single JSON object. */
  chunk: Record<string, unknown> | undefined;
  isError: boolean;
}

/** Item of `choices` in a chunk. */
export interface ChoiceData {
  entryIndex: number;
  atMs: number;
  /** Value as received, of any type. */
  index: unknown;
  delta: unknown;
  finishReason: unknown;
}

export interface ResponseData {
  request: ChatRequest;
  requestId: string;
  status: number | undefined;
  headers: Record<string, string>;
  /** True if the gateway responded, not the Bench proxy. */
  isFromGateway: boolean;
  events: EventData[];
  choices: ChoiceData[];
  commentCount: number;
  /** Tape index of the first [DONE]. */
  doneEntryIndex: number | undefined;
  eventCountAfterDone: number;
  /** Text of a complete response; `responseJson` is its JSON if it is an object. */
  body: string | undefined;
  isBodyTruncated: boolean;
  responseJson: Record<string, unknown> | undefined;
  end: 'closed' | 'aborted' | 'lost' | 'timeout' | undefined;
  /** Run as Bench shows it. */
  run: Run;
}

/** Returns the prepared response, `undefined` if the tape does not start with its request. */
export function collectResponse(tape: readonly TapeEntry[]): ResponseData | undefined {
  const first = tape[0];
  if (!first || !('request' in first)) return undefined;
  const setup = { model: first.request.model, system: '', params: {} };
  const response: ResponseData = {
    request: first.request,
    requestId: first.requestId,
    status: undefined,
    headers: {},
    isFromGateway: false,
    events: [],
    choices: [],
    commentCount: 0,
    doneEntryIndex: undefined,
    eventCountAfterDone: 0,
    body: undefined,
    isBodyTruncated: false,
    responseJson: undefined,
    end: undefined,
    run: foldTape(createRun('run', 'session', setup), tape),
  };
  for (const [entryIndex, tapeEntry] of tape.entries()) addEntry(response, tapeEntry, entryIndex);
  return response;
}

function addEntry(response: ResponseData, tapeEntry: TapeEntry, entryIndex: number): void {
  if ('data' in tapeEntry) {
    if (response.doneEntryIndex !== undefined) response.eventCountAfterDone += 1;
    else if (tapeEntry.data.trim() === '[DONE]') response.doneEntryIndex = entryIndex;
    else addEvent(response, tapeEntry, entryIndex);
  } else if ('comment' in tapeEntry) response.commentCount += 1;
  else if ('status' in tapeEntry) {
    response.status = tapeEntry.status;
    response.headers = tapeEntry.headers;
    response.isFromGateway = tapeEntry.proxied === true;
  } else if ('body' in tapeEntry) {
    const reading = parseJson(tapeEntry.body);
    response.body = tapeEntry.body;
    response.isBodyTruncated = tapeEntry.cut === true;
    if (reading.ok && isRecord(reading.value)) response.responseJson = reading.value;
  } else if ('end' in tapeEntry) response.end = tapeEntry.end;
}

function addEvent(
  response: ResponseData,
  tapeEntry: Extract<TapeEntry, { data: string }>,
  entryIndex: number,
): void {
  const reading = parseJson(tapeEntry.data);
  const chunk = reading.ok ? toRecord(reading.value) : undefined;
  const error = getOwnProperty(chunk, 'error');
  response.events.push({
    entryIndex,
    atMs: getEntryTime(tapeEntry),
    text: tapeEntry.data,
    ...(tapeEntry.event === undefined ? {} : { name: tapeEntry.event }),
    unterminated: tapeEntry.unterminated === true,
    chunk,
    isError: tapeEntry.event === 'error' || (error !== undefined && error !== null),
  });
  const choices = getOwnProperty(chunk, 'choices');
  for (const choice of Array.isArray(choices) ? choices : []) {
    response.choices.push({
      entryIndex,
      atMs: getEntryTime(tapeEntry),
      index: getOwnProperty(choice, 'index'),
      delta: getOwnProperty(choice, 'delta'),
      finishReason: getOwnProperty(choice, 'finish_reason'),
    });
  }
}

function toRecord(value: Json): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns the chunks that contain answers, without errors and values that are not objects. */
export function listChunks(response: ResponseData): { entryIndex: number; chunk: Record<string, unknown> }[] {
  return response.events.flatMap(({ entryIndex, chunk, isError }) =>
    chunk && !isError ? [{ entryIndex, chunk }] : [],
  );
}

/** Returns true if the stream ended normally, so that no more data will follow. */
export function hasEndedByItself(response: ResponseData): boolean {
  return (
    response.end === 'closed' && !response.isBodyTruncated && !response.events.some((event) => event.isError)
  );
}

/** Returns true for a 2xx status, or if no status was recorded. */
export function isSuccess(response: ResponseData): boolean {
  return response.status === undefined || (response.status >= 200 && response.status < 300);
}
