import { isRecord, ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import { findErrorLine } from '../errors/error-line.ts';
import { errorReportOf } from '../errors/error-report.ts';
import { isErrorName, isErrorValue } from '../errors/error-value.ts';
import type { ErrorReport, ErrorSource } from '../errors/errors.ts';
import { isHeartbeat, speechOf, usualWordsOf } from '../event-message.ts';
import { requestIdOf } from '../http/headers.ts';
import { textsIn } from '../models/known-fields.ts';
import { createChunkReader, type ChunkEvent } from './chunk-reader.ts';
import { createChunkTemplate } from './chunk-template.ts';
import { withExactArguments } from './delta-text.ts';
import { isDoneMark } from './done-marker.ts';
import { valueOfCutJson } from './partial-json.ts';
import { noAnswerReport } from './response-json.ts';
import type { TapeEnd, TapeEntry } from './tape.ts';

/** What may be said beside an answer without being an error. Each note is one occurrence. */
export type NoteKind =
  | 'not-streamed'
  | 'unreadable-event'
  | 'joined-events'
  | 'skipped-value'
  | 'unlabelled-stream'
  | 'after-done'
  | 'cut-character'
  /** Added by the fold, which knows whether the answer had ended. */
  | 'lost-after-end'
  | 'unterminated-event'
  /** Text in the stream that belongs to no event. */
  | 'outside-text'
  /** A whole reply that breaks off: what could be read of it is the answer. */
  | 'cut-answer'
  /** What the response says of itself (id, model, created) is not what it said before. */
  | 'changed-identity';

/** One thing that came, as one vocabulary; nothing above gateway/ sees a wire chunk. */
export type StreamEvent =
  /** `ok` is false for an HTTP error status; the error event follows with its body. */
  | {
      type: 'response-start';
      status: number;
      ok: boolean;
      headers: Record<string, string>;
      requestId?: string;
      /** The times of this answer are the server's. */
      timedBy?: 'server';
    }
  /** What the model says: identity, text, thinking, refusal, tool calls, ends of choices, usage. */
  | ChunkEvent
  | { type: 'error'; report: ErrorReport }
  | { type: 'keep-alive'; comment: string }
  /** The answer itself says that it is over: [DONE], or a whole reply whose JSON is complete. */
  | { type: 'done' }
  /** `raw`: what of the answer is shown nowhere else. */
  | { type: 'note'; note: NoteKind; detail?: string; raw?: string }
  /** The transport ended. A clean end proves nothing: conversation/reply/run.ts decides the phase. */
  | { type: 'end'; end: TapeEnd; report?: ErrorReport };

type StatusEntry = Extract<TapeEntry, { status: number }>;
type DataEntry = Extract<TapeEntry, { data: string }>;
type OutsideEntry = Extract<TapeEntry, { outside: string }>;
type BodyEntry = Extract<TapeEntry, { body: string }>;
type EndEntry = Extract<TapeEntry, { end: unknown }>;

/**
 * Reads one tape, entry by entry, as StreamEvents: the same for a live stream, a replay and a whole reply. One bad
 * event never ends a stream but is noted, unknown shapes are left to the tape, an error object anywhere is an error,
 * and a clean end alone proves nothing. `sentAt`: when the
 * request left, in epoch milliseconds; without it, a date to wait for means nothing where the answer names no clock.
 */
export function createTapeReader(sentAt?: number): (entry: TapeEntry) => StreamEvent[] {
  const chunks = createChunkReader();
  const template = createChunkTemplate();
  let answer: StatusEntry | undefined;
  let wantsStream = false;
  let isDone = false;
  let hasEvents = false;
  let failure: ErrorReport | undefined;
  let isBodyCut = false;
  let hasSaid = false;
  let hasFinished = false;
  /** Words that came in place of an answer, until one comes. */
  let instead: ErrorReport | undefined;

  const note = (kind: NoteKind, detail?: string, raw?: string): StreamEvent => ({
    type: 'note',
    note: kind,
    ...(detail === undefined ? {} : { detail }),
    ...(raw === undefined ? {} : { raw }),
  });

  function failed(report: ErrorReport): StreamEvent {
    failure ??= report;
    return { type: 'error', report };
  }

  function reportOf(body: string, source: ErrorSource, status?: number): ErrorReport {
    const { headers = {}, proxied = false, requestBytes } = answer ?? {};
    const report = errorReportOf({
      headers,
      body,
      source,
      proxied,
      status,
      cameAt: answer === undefined || sentAt === undefined ? undefined : sentAt + answer.at,
    });
    return requestBytes === undefined ? report : { ...report, requestBytes };
  }

  /** Words where a piece of the answer should be are an error, unless the answer goes on after them or was over. */
  function heardInstead(words: string | undefined, raw: string, source: ErrorSource) {
    if (words === undefined || isDone || failure || (hasSaid && hasFinished)) return;
    instead = { ...reportOf(raw, source), message: words.slice(0, longestWords) };
  }

  function heardChunk(said: readonly StreamEvent[]) {
    for (const { type } of said) {
      if (type === 'choice-end') hasFinished = true;
      else if (answering.has(type)) {
        hasSaid = true;
        instead = undefined;
      }
    }
    if (hasSaid && hasFinished) instead = undefined;
  }

  /** At the end of the answer: what was said in its place, where nothing else was. */
  function whatCameInstead(): StreamEvent[] {
    return instead === undefined || failure ? [] : [failed(instead)];
  }

  function readOutside({ outside, ofEvent }: OutsideEntry): StreamEvent[] {
    const error = findErrorLine(outside);
    if (error !== undefined && isAlone(error, outside)) return readError(error);
    if (error !== undefined) return [...readError(error), note('outside-text', undefined, outside)];
    if (ofEvent) return [note('skipped-value', 'a field of an event', outside)];
    if (!hasSaid) heardInstead(reportOf(outside, 'gateway').message, outside, 'gateway');
    return [note('outside-text', outside.trim(), outside)];
  }

  function readStatus(entry: StatusEntry): StreamEvent[] {
    answer = entry;
    const { status, headers } = entry;
    const event: StreamEvent = { type: 'response-start', status, ok: isSuccess(status), headers };
    if (entry.serverAt !== undefined) event.timedBy = 'server';
    const requestId = requestIdOf(headers);
    return [requestId === undefined ? event : { ...event, requestId }];
  }

  function readData({ data, event, unterminated }: DataEntry): StreamEvent[] {
    const usual = hasEvents && !isDone && event === undefined ? template.read(data) : undefined;
    if (usual) {
      instead = undefined;
      chunks.heard(usual.choice, usual.text);
      return [usual];
    }
    if (data.trim() === '' && !isErrorName(event)) return [{ type: 'keep-alive', comment: event ?? '' }];
    const events: StreamEvent[] = [];
    if (!hasEvents) {
      hasEvents = true;
      const type = answer?.headers['content-type'];
      if (answer && !/^\s*text\/event-stream\b/i.test(type ?? ''))
        events.push(note('unlabelled-stream', type));
    }
    if (data === '[DONE]') {
      if (isDone) return [note('after-done')];
      isDone = true;
      return [...events, ...whatCameInstead(), { type: 'done' }];
    }
    return [...events, ...readPiece(data, event, unterminated === true)];
  }

  /** What comes after [DONE] is not part of the answer; heartbeats may go on. */
  function readPiece(data: string, event: string | undefined, unterminated: boolean): StreamEvent[] {
    const events: StreamEvent[] = [];
    const isAfterDone = isDone;
    readJson(data, event, unterminated, events);
    const isBeat = events.length > 0 && events.every(({ type }) => type === 'keep-alive');
    if (isAfterDone && !isBeat)
      return [note('after-done', undefined, data), ...events.filter((found) => !isRawNote(found))];
    return events;
  }

  function readJson(data: string, name: string | undefined, unterminated: boolean, events: StreamEvent[]) {
    let value: unknown;
    try {
      value = withExactArguments(JSON.parse(data), data);
    } catch {
      return readText(data, name, unterminated, events);
    }
    readValue(value, data, name, events);
  }

  /** Data that is not JSON: an end mark, an error in plain words, chunks whose blank lines are missing, or a bad event. */
  function readText(data: string, name: string | undefined, unterminated: boolean, events: StreamEvent[]) {
    if (isErrorName(name)) return hearError(data, events);
    if (isHeartbeat(data, name)) return beat(data, events);
    const lines = data.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 1 && lines.some(mayStandAlone)) {
      events.push(note('joined-events'));
      for (const line of lines) {
        if (isDoneMark(line)) events.push(...readData({ at: 0, data: '[DONE]' }));
        else if (line.trimStart().startsWith('{')) events.push(...readPiece(line, name, unterminated));
        else readBadLine(line, events);
      }
    } else if (isDoneMark(data)) {
      events.push(...readData({ at: 0, data: '[DONE]' }));
    } else if (findErrorLine(data) !== undefined) {
      readBadLine(data, events);
    } else if (unterminated) {
      events.push(note(data.endsWith('\uFFFD') ? 'cut-character' : 'unterminated-event', undefined, data));
      const said = isDone ? [] : saidUntilCut(data);
      heardChunk(said);
      events.push(...said);
    } else {
      events.push(note('unreadable-event', undefined, data));
      // Broken JSON is not speech.
      if (!/^\s*[[{"]/.test(data)) heardInstead(data, data, 'provider');
    }
  }

  function readBadLine(line: string, events: StreamEvent[]) {
    const error = findErrorLine(line);
    if (error === undefined || !isAlone(error, line)) events.push(note('unreadable-event', undefined, line));
    if (error !== undefined) hearError(error, events);
  }

  /** Words only: of a cut name or finish reason nobody knows what it would have been. */
  function saidUntilCut(data: string): StreamEvent[] {
    const value = valueOfCutJson(data.replace(/\uFFFD$/, ''));
    if (!isRecord(value) || isErrorValue(value)) return [];
    return chunks
      .read(value, false)
      .filter(({ type }) => type === 'text-delta' || type === 'thinking-delta' || type === 'refusal-delta');
  }

  function readValue(value: unknown, data: string, name: string | undefined, events: StreamEvent[]) {
    const isFailed = isErrorValue(value, name);
    if (!isFailed && isHeartbeat(value, name)) return beat(data, events);
    if (!isRecord(value)) {
      if (!isFailed) {
        events.push(note('skipped-value', 'not an object', data));
        heardInstead(speechOf(value), data, 'provider');
      } else hearError(data, events);
      return;
    }
    // What an event calls itself changes nothing; under an unknown name only errors and chunks that say
    // that they are chunks are read.
    const isForeign = name !== undefined && name !== 'message' && !isFailed;
    if (isForeign && stringProperty(value, 'object') !== 'chat.completion.chunk') {
      heardInstead(speechOf(value), data, 'provider');
      return void events.push(note('skipped-value', `event ${name.slice(0, 40)}`, data));
    }
    const said = chunks.read(value, isFailed, data);
    if (!isFailed && name === undefined) template.learn(data, value, said);
    if (!isDone) heardChunk(said);
    // After [DONE] only usage counts: the rest is on the tape.
    for (const found of said) if (!isDone || found.type === 'usage') events.push(found);
    if (isFailed) return hearError(data, events);
    const blocked = said.find((event) => event.type === 'blocked');
    const isRead =
      (blocked !== undefined || said.some(({ type }) => type === 'usage')) &&
      textsIn(value).every((text) => blocked?.reason.includes(text));
    const words = isRead && !Object.hasOwn(value, 'choices') ? usualWordsOf(value) : speechOf(value);
    // §6.4: a chunk may carry what a provider has to say about it, such as its place in a queue.
    const beside = words === undefined ? usualWordsOf(value) : undefined;
    if (beside !== undefined) events.push(note('skipped-value', 'words beside the choices', beside));
    const isOther = !isRead && !Object.hasOwn(value, 'choices') && !Object.hasOwn(value, 'usage');
    if (words !== undefined || isOther) events.push(note('skipped-value', 'object without choices', data));
    if (!blocked) heardInstead(words, data, 'provider');
  }

  /** The first error tells how the answer ended. */
  function hearError(data: string, events: StreamEvent[]) {
    // The name of the event repeats what another line of it said.
    if (failure && data.trim() === '') return;
    const report = reportOf(data, 'provider');
    if (!failure) events.push(failed(report));
    else if (report.message !== failure.message) events.push(note('skipped-value', 'another error', data));
  }

  function readError(data: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    hearError(data, events);
    return events;
  }

  /** No content, but the connection is alive. */
  function beat(data: string, events: StreamEvent[]) {
    events.push({ type: 'keep-alive', comment: data });
  }

  function readBody({ body, cut }: BodyEntry): StreamEvent[] {
    const { status = 200, headers = {} } = answer ?? {};
    hasEvents = true;
    if (!isSuccess(status)) return [failed(reportOf(body, 'gateway', status))];
    if (body.trim() === '') return cut ? [] : [failed(noAnswerReport(body, headers, status))];
    // Also of a cut answer: the connection may have broken after its last byte.
    const reading = parseJson(body);
    isBodyCut = !reading.ok;
    const value = reading.ok ? withExactArguments(reading.value, body) : valueOfCutJson(body);
    const isFailed = isErrorValue(value);
    if (!isRecord(value)) {
      if (isFailed) return [failed(reportOf(body, 'gateway'))];
      const error = findErrorLine(body);
      if (error !== undefined)
        return [failed({ ...reportOf(error, 'gateway'), raw: body.slice(0, maxRawChars) })];
      // Of a cut answer that is not JSON the end entry tells what happened.
      return [cut ? note('cut-answer', undefined, body) : failed(noAnswerReport(body, headers, status))];
    }
    const events: StreamEvent[] = chunks.read(value, isFailed, reading.ok ? body : undefined);
    if (isFailed) return [...events, failed(reportOf(body, 'gateway'))];
    if (isBodyCut) return [...events, note('cut-answer', undefined, body)];
    const message = usualWordsOf(value);
    if (events.some(({ type }) => type === 'blocked')) {
      if (message !== undefined) events.push(note('skipped-value', 'words beside the choices', message));
    } else if (
      !events.some(({ type }) => answering.has(type)) &&
      !Array.isArray(ownProperty(value, 'choices'))
    ) {
      const report =
        message === undefined
          ? noAnswerReport(body, headers, status)
          : { ...reportOf(body, 'gateway'), message };
      return [failed(report)];
    }
    // JSON that is complete says by itself that nothing more belongs to the answer, other than a piece of a stream.
    isDone = !isPiece(value);
    const whole: StreamEvent[] = isDone ? [...events, { type: 'done' }] : events;
    return wantsStream ? [note('not-streamed'), ...whole] : whole;
  }

  function readEnd({ end, error }: EndEntry): StreamEvent[] {
    const events: StreamEvent[] = chunks.readOpaque();
    if (end !== 'aborted' && !failure) {
      if (isBodyCut) events.push(failed(error ?? cutReport()));
      else if (error && end === 'closed' && error.kind !== 'answer-too-large') events.push(failed(error));
      else if (answer && !isSuccess(answer.status))
        events.push(failed(reportOf('', 'gateway', answer.status)));
      else if (end === 'closed' && instead) events.push(...whatCameInstead());
      else if (answer && !hasEvents && end === 'closed') {
        events.push(failed(noAnswerReport('', answer.headers, answer.status)));
      }
    }
    events.push(error ? { type: 'end', end, report: error } : { type: 'end', end });
    return events;
  }

  return (entry) => {
    if ('data' in entry) return readData(entry);
    if ('outside' in entry) return readOutside(entry);
    if ('comment' in entry) {
      const error = findErrorLine(entry.comment);
      return error === undefined ? [{ type: 'keep-alive', comment: entry.comment }] : readError(error);
    }
    if ('status' in entry) return readStatus(entry);
    if ('body' in entry) return readBody(entry);
    if ('end' in entry) return readEnd(entry);
    wantsStream = entry.request.stream === true;
    return [];
  };
}

const longestWords = 4096;
const maxRawChars = 64 * 1024;

/** True if the text holds only the JSON of an error and the name of its field. */
function isAlone(error: string, text: string): boolean {
  return /^[\w.-]{0,60}\s*:?$/.test(text.replace(error, () => '').trim());
}

const answering: ReadonlySet<string> = new Set([
  'text-delta',
  'thinking-delta',
  'refusal-delta',
  'tool-call-delta',
  'image',
  'sound-delta',
]);

function isRawNote(event: StreamEvent): boolean {
  return 'raw' in event;
}

/** A whole chunk or the end mark on a line of its own. Short and cheap first: a hostile event may have a million lines. */
function mayStandAlone(line: string, index: number): boolean {
  return isDoneMark(line) || (index < 100 && line.trimStart().startsWith('{') && parseJson(line).ok);
}

/** Its choices hold what is to be added, and no whole message. */
function isPiece(value: Record<string, unknown>): boolean {
  const choices = ownProperty(value, 'choices');
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isRecord(ownProperty(first, 'delta')) && !isRecord(ownProperty(first, 'message'));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function cutReport(): ErrorReport {
  const message = 'The answer ends in the middle of its JSON. The readable part is shown.';
  return { source: 'network', kind: 'connection-lost', message };
}
