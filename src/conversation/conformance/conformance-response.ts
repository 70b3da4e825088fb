/** A tape laid out for the rules: what was asked, what came, each event read as JSON once. */
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { isRecord, getOwnProperty, parseJson, type Json } from '../../lib/json.ts';
import { foldTape } from '../reply/fold-tape.ts';
import { createRun } from '../reply/run.ts';
import type { Run } from '../session/types.ts';

/** One event with data, other than [DONE]. */
export interface EventData {
  /** Index in the tape. */
  entryIndex: number;
  atMs: number;
  text: string;
  name?: string;
  unterminated: boolean;
  /** The chunk; undefined where the data is not one JSON object. */
  chunk: Record<string, unknown> | undefined;
  isError: boolean;
}

/** One item of a chunk's choices. */
export interface ChoiceData {
  entryIndex: number;
  atMs: number;
  /** As received, of any type. */
  index: unknown;
  delta: unknown;
  finishReason: unknown;
}

export interface ResponseData {
  request: ChatRequest;
  requestId: string;
  status: number | undefined;
  headers: Record<string, string>;
  /** The gateway answered, and not our own proxy. */
  isFromGateway: boolean;
  events: EventData[];
  choices: ChoiceData[];
  commentCount: number;
  /** Index of the entry of the first [DONE]. */
  doneEntryIndex: number | undefined;
  eventCountAfterDone: number;
  /** A whole answer: its text, and its JSON where it is an object. */
  body: string | undefined;
  isBodyTruncated: boolean;
  responseJson: Record<string, unknown> | undefined;
  end: 'closed' | 'aborted' | 'lost' | 'timeout' | undefined;
  /** The answer as Bench shows it. */
  run: Run;
}

/** Undefined where the tape does not begin with its request. */
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

/** Chunks that are answers: no errors, nothing that is not an object. */
export function listChunks(response: ResponseData): { entryIndex: number; chunk: Record<string, unknown> }[] {
  return response.events.flatMap(({ entryIndex, chunk, isError }) =>
    chunk && !isError ? [{ entryIndex, chunk }] : [],
  );
}

/** True where the stream ended by itself, so that what is missing will not come. */
export function hasEndedByItself(response: ResponseData): boolean {
  return (
    response.end === 'closed' && !response.isBodyTruncated && !response.events.some((event) => event.isError)
  );
}

/** True for a status of success, or where none was recorded. */
export function isSuccess(response: ResponseData): boolean {
  return response.status === undefined || (response.status >= 200 && response.status < 300);
}
