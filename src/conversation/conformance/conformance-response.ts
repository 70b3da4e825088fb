/** A tape laid out for the rules: what was asked, what came, each event read as JSON once. */
import { getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { isRecord, getOwnProperty, parseJson, type Json } from '../../lib/json.ts';
import { foldTape } from '../reply/fold-tape.ts';
import { newRun } from '../reply/run.ts';
import type { Run } from '../session/types.ts';

/** One event with data, other than [DONE]. */
export interface EventFact {
  /** Index in the tape. */
  entry: number;
  at: number;
  text: string;
  name?: string;
  unterminated: boolean;
  /** The chunk; undefined where the data is not one JSON object. */
  chunk: Record<string, unknown> | undefined;
  isError: boolean;
}

/** One item of a chunk's choices. */
export interface ChoiceFact {
  entry: number;
  at: number;
  /** As received, of any type. */
  index: unknown;
  delta: unknown;
  finishReason: unknown;
}

export interface AnswerFacts {
  request: ChatRequest;
  requestId: string;
  status: number | undefined;
  headers: Record<string, string>;
  /** The gateway answered, and not our own proxy. */
  isGateways: boolean;
  events: EventFact[];
  choices: ChoiceFact[];
  comments: number;
  /** Index of the entry of the first [DONE]. */
  doneEntry: number | undefined;
  eventsAfterDone: number;
  /** A whole answer: its text, and its JSON where it is an object. */
  body: string | undefined;
  isBodyCut: boolean;
  whole: Record<string, unknown> | undefined;
  end: 'closed' | 'aborted' | 'lost' | 'timeout' | undefined;
  /** The answer as Bench shows it. */
  run: Run;
}

/** Undefined where the tape does not begin with its request. */
export function answerFacts(tape: readonly TapeEntry[]): AnswerFacts | undefined {
  const first = tape[0];
  if (!first || !('request' in first)) return undefined;
  const setup = { model: first.request.model, system: '', params: {} };
  const facts: AnswerFacts = {
    request: first.request,
    requestId: first.requestId,
    status: undefined,
    headers: {},
    isGateways: false,
    events: [],
    choices: [],
    comments: 0,
    doneEntry: undefined,
    eventsAfterDone: 0,
    body: undefined,
    isBodyCut: false,
    whole: undefined,
    end: undefined,
    run: foldTape(newRun('run', 'session', setup), tape),
  };
  for (const [entry, found] of tape.entries()) take(facts, found, entry);
  return facts;
}

function take(facts: AnswerFacts, found: TapeEntry, entry: number): void {
  if ('data' in found) {
    if (facts.doneEntry !== undefined) facts.eventsAfterDone += 1;
    else if (found.data.trim() === '[DONE]') facts.doneEntry = entry;
    else takeEvent(facts, found, entry);
  } else if ('comment' in found) facts.comments += 1;
  else if ('status' in found) {
    facts.status = found.status;
    facts.headers = found.headers;
    facts.isGateways = found.proxied === true;
  } else if ('body' in found) {
    const reading = parseJson(found.body);
    facts.body = found.body;
    facts.isBodyCut = found.cut === true;
    if (reading.ok && isRecord(reading.value)) facts.whole = reading.value;
  } else if ('end' in found) facts.end = found.end;
}

function takeEvent(facts: AnswerFacts, found: Extract<TapeEntry, { data: string }>, entry: number): void {
  const reading = parseJson(found.data);
  const chunk = reading.ok ? recordOf(reading.value) : undefined;
  const error = getOwnProperty(chunk, 'error');
  facts.events.push({
    entry,
    at: getEntryTime(found),
    text: found.data,
    ...(found.event === undefined ? {} : { name: found.event }),
    unterminated: found.unterminated === true,
    chunk,
    isError: found.event === 'error' || (error !== undefined && error !== null),
  });
  const choices = getOwnProperty(chunk, 'choices');
  for (const choice of Array.isArray(choices) ? choices : []) {
    facts.choices.push({
      entry,
      at: getEntryTime(found),
      index: getOwnProperty(choice, 'index'),
      delta: getOwnProperty(choice, 'delta'),
      finishReason: getOwnProperty(choice, 'finish_reason'),
    });
  }
}

function recordOf(value: Json): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

/** Chunks that are answers: no errors, nothing that is not an object. */
export function chunksOf(facts: AnswerFacts): { entry: number; chunk: Record<string, unknown> }[] {
  return facts.events.flatMap(({ entry, chunk, isError }) => (chunk && !isError ? [{ entry, chunk }] : []));
}

/** True where the stream ended by itself, so that what is missing will not come. */
export function endedByItself(facts: AnswerFacts): boolean {
  return facts.end === 'closed' && !facts.isBodyCut && !facts.events.some((event) => event.isError);
}

/** True for a status of success, or where none was recorded. */
export function isSuccess(facts: AnswerFacts): boolean {
  return facts.status === undefined || (facts.status >= 200 && facts.status < 300);
}
