import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { findErrorLine } from '../errors/error-line.ts';
import { buildErrorReport } from '../errors/error-report.ts';
import { isErrorEventName, isErrorValue } from '../errors/error-value.ts';
import type { ErrorReport, ErrorSource } from '../errors/errors.ts';
import { isHeartbeat, extractMessage, findMessageField } from '../event-message.ts';
import { findRequestId } from '../http/headers.ts';
import { collectTexts } from '../models/known-fields.ts';
import { createChunkReader, type ChunkEvent } from './chunk-reader.ts';
import { createChunkTemplate } from './chunk-template.ts';
import { withExactArguments } from './delta-text.ts';
import { isDoneMarker } from './done-marker.ts';
import { parsePartialJson } from './partial-json.ts';
import { buildInvalidResponseReport } from './response-json.ts';
import type { TapeEnd, TapeEntry } from './tape.ts';

/** Notes about an answer that are not errors. Each note is one occurrence. */
export type NoteKind =
  | 'not-streamed'
  | 'unreadable-event'
  | 'joined-events'
  | 'skipped-value'
  | 'unlabelled-stream'
  | 'after-done'
  | 'cut-character'
  /** Added by the fold, which tracks whether the answer had ended. */
  | 'lost-after-end'
  | 'unterminated-event'
  /** Text in the stream outside any event. */
  | 'outside-text'
  /** A whole response that was cut off; its readable part is the answer. */
  | 'cut-answer'
  /** Response metadata (ID, model, created) differs from earlier values. */
  | 'changed-identity';

/** One event in a common vocabulary; nothing above gateway/ handles wire chunks. */
export type StreamEvent =
  /** `ok` is false for an HTTP error status; the error event follows with its body. */
  | {
      type: 'response-start';
      status: number;
      ok: boolean;
      headers: Record<string, string>;
      requestId?: string;
      /** The times of this answer come from the server. */
      timedBy?: 'server';
    }
  /** Model output: identity, text, reasoning, refusal, tool calls, ends of choices, usage. */
  | ChunkEvent
  | { type: 'error'; report: ErrorReport }
  | { type: 'keep-alive'; comment: string }
  /** The answer marks its own end with [DONE], or is a whole response with complete JSON. */
  | { type: 'done' }
  /** `raw` is part of the answer that is shown nowhere else. */
  | { type: 'note'; note: NoteKind; detail?: string; raw?: string }
  /** The transport ended. A clean end proves nothing: conversation/reply/run.ts decides the phase. */
  | { type: 'end'; end: TapeEnd; report?: ErrorReport };

type StatusEntry = Extract<TapeEntry, { status: number }>;
type DataEntry = Extract<TapeEntry, { data: string }>;
type OutsideEntry = Extract<TapeEntry, { outside: string }>;
type BodyEntry = Extract<TapeEntry, { body: string }>;
type EndEntry = Extract<TapeEntry, { end: unknown }>;

/**
 * Reads one tape, entry by entry, as StreamEvents, in the same way for a live stream, a replay and a whole response. A
 * bad event is noted and never ends the stream, an error object anywhere is an error, and a clean end alone proves
 * nothing. `sentAt` (epoch ms) is needed to read retry dates of responses without a Date header.
 */
export function createTapeReader(sentAt?: number): (entry: TapeEntry) => StreamEvent[] {
  const chunkReader = createChunkReader();
  const template = createChunkTemplate();
  let statusEntry: StatusEntry | undefined;
  let isStreamRequested = false;
  let isDone = false;
  let hasEvents = false;
  let failure: ErrorReport | undefined;
  let isBodyTruncated = false;
  let hasContent = false;
  let hasFinishReason = false;
  /** Error for text received in place of an answer; dropped if an answer arrives. */
  let replacementError: ErrorReport | undefined;

  const createNote = (kind: NoteKind, detail?: string, raw?: string): StreamEvent => ({
    type: 'note',
    note: kind,
    ...(detail === undefined ? {} : { detail }),
    ...(raw === undefined ? {} : { raw }),
  });

  function recordFailure(report: ErrorReport): StreamEvent {
    failure ??= report;
    return { type: 'error', report };
  }

  function buildReport(body: string, source: ErrorSource, status?: number): ErrorReport {
    const { headers = {}, proxied: isProxied = false, requestBytes } = statusEntry ?? {};
    const report = buildErrorReport({
      headers,
      body,
      source,
      isProxied,
      status,
      receivedAt: statusEntry === undefined || sentAt === undefined ? undefined : sentAt + statusEntry.at,
    });
    return requestBytes === undefined ? report : { ...report, requestBytes };
  }

  /** Text in place of a chunk is an error, unless the answer continues after it or had ended. */
  function recordReplacement(message: string | undefined, raw: string, source: ErrorSource) {
    if (message === undefined || isDone || failure || (hasContent && hasFinishReason)) return;
    replacementError = { ...buildReport(raw, source), message: message.slice(0, maxMessageChars) };
  }

  function recordChunkEvents(chunkEvents: readonly StreamEvent[]) {
    for (const { type } of chunkEvents) {
      if (type === 'choice-end') hasFinishReason = true;
      else if (answerEventTypes.has(type)) {
        hasContent = true;
        replacementError = undefined;
      }
    }
    if (hasContent && hasFinishReason) replacementError = undefined;
  }

  /**
   * Called at the end of the answer: reports text that came in place of the answer, unless another error was reported.
   */
  function flushReplacementError(): StreamEvent[] {
    return replacementError === undefined || failure ? [] : [recordFailure(replacementError)];
  }

  function readOutside({ outside, ofEvent }: OutsideEntry): StreamEvent[] {
    const error = findErrorLine(outside);
    if (error !== undefined && isErrorAlone(error, outside)) return readError(error);
    if (error !== undefined) return [...readError(error), createNote('outside-text', undefined, outside)];
    if (ofEvent) return [createNote('skipped-value', 'unknown event field', outside)];
    if (!hasContent) recordReplacement(buildReport(outside, 'gateway').message, outside, 'gateway');
    return [createNote('outside-text', outside.trim(), outside)];
  }

  function readStatus(entry: StatusEntry): StreamEvent[] {
    statusEntry = entry;
    const { status, headers } = entry;
    const event: StreamEvent = { type: 'response-start', status, ok: isSuccess(status), headers };
    if (entry.serverAt !== undefined) event.timedBy = 'server';
    const requestId = findRequestId(headers);
    return [requestId === undefined ? event : { ...event, requestId }];
  }

  function readData({ data, event, unterminated }: DataEntry): StreamEvent[] {
    const templateEvent = hasEvents && !isDone && event === undefined ? template.read(data) : undefined;
    if (templateEvent) {
      replacementError = undefined;
      chunkReader.addText(templateEvent.choice, templateEvent.text);
      return [templateEvent];
    }
    if (data.trim() === '' && !isErrorEventName(event)) return [{ type: 'keep-alive', comment: event ?? '' }];
    const events: StreamEvent[] = [];
    if (!hasEvents) {
      hasEvents = true;
      const type = statusEntry?.headers['content-type'];
      if (statusEntry && !/^\s*text\/event-stream\b/i.test(type ?? ''))
        events.push(createNote('unlabelled-stream', type));
    }
    if (data === '[DONE]') {
      if (isDone) return [createNote('after-done')];
      isDone = true;
      return [...events, ...flushReplacementError(), { type: 'done' }];
    }
    return [...events, ...readPiece(data, event, unterminated === true)];
  }

  /** Content after [DONE] is not part of the answer; heartbeats may continue. */
  function readPiece(data: string, event: string | undefined, unterminated: boolean): StreamEvent[] {
    const events: StreamEvent[] = [];
    const isAfterDone = isDone;
    readJson(data, event, unterminated, events);
    const isHeartbeatOnly = events.length > 0 && events.every(({ type }) => type === 'keep-alive');
    if (isAfterDone && !isHeartbeatOnly)
      return [
        createNote('after-done', undefined, data),
        ...events.filter((streamEvent) => !isRawNote(streamEvent)),
      ];
    return events;
  }

  function readJson(
    data: string,
    eventName: string | undefined,
    unterminated: boolean,
    events: StreamEvent[],
  ) {
    let value: unknown;
    try {
      value = withExactArguments(JSON.parse(data), data);
    } catch {
      return readText(data, eventName, unterminated, events);
    }
    readValue(value, data, eventName, events);
  }

  /**
   * Reads data that is not JSON: an end marker, a plain-text error, chunks without blank lines, or a malformed event.
   */
  function readText(
    data: string,
    eventName: string | undefined,
    unterminated: boolean,
    events: StreamEvent[],
  ) {
    if (isErrorEventName(eventName)) return handleError(data, events);
    if (isHeartbeat(data, eventName)) return addKeepAlive(data, events);
    const lines = data.split('\n').filter((line) => line.trim() !== '');
    if (lines.length > 1 && lines.some(canStandAlone)) {
      events.push(createNote('joined-events'));
      for (const line of lines) {
        if (isDoneMarker(line)) events.push(...readData({ at: 0, data: '[DONE]' }));
        else if (line.trimStart().startsWith('{')) events.push(...readPiece(line, eventName, unterminated));
        else readBadLine(line, events);
      }
    } else if (isDoneMarker(data)) {
      events.push(...readData({ at: 0, data: '[DONE]' }));
    } else if (findErrorLine(data) !== undefined) {
      readBadLine(data, events);
    } else if (unterminated) {
      events.push(
        createNote(data.endsWith('\uFFFD') ? 'cut-character' : 'unterminated-event', undefined, data),
      );
      const cutEvents = isDone ? [] : readCutText(data);
      recordChunkEvents(cutEvents);
      events.push(...cutEvents);
    } else {
      events.push(createNote('unreadable-event', undefined, data));
      // Broken JSON is not a message.
      if (!/^\s*[[{"]/.test(data)) recordReplacement(data, data, 'provider');
    }
  }

  function readBadLine(line: string, events: StreamEvent[]) {
    const error = findErrorLine(line);
    if (error === undefined || !isErrorAlone(error, line))
      events.push(createNote('unreadable-event', undefined, line));
    if (error !== undefined) handleError(error, events);
  }

  /** Uses only the text: a cut name or finish reason is ambiguous. */
  function readCutText(data: string): StreamEvent[] {
    const value = parsePartialJson(data.replace(/\uFFFD$/, ''));
    if (!isRecord(value) || isErrorValue(value)) return [];
    return chunkReader
      .read(value, false)
      .filter(({ type }) => type === 'text-delta' || type === 'thinking-delta' || type === 'refusal-delta');
  }

  function readValue(value: unknown, data: string, eventName: string | undefined, events: StreamEvent[]) {
    const isFailed = isErrorValue(value, eventName);
    if (!isFailed && isHeartbeat(value, eventName)) return addKeepAlive(data, events);
    if (!isRecord(value)) {
      if (!isFailed) {
        events.push(createNote('skipped-value', 'not an object', data));
        recordReplacement(extractMessage(value), data, 'provider');
      } else handleError(data, events);
      return;
    }
    // Event names make no difference, except that under an unknown name only errors and explicit chunks are read.
    const isUnknownEvent = eventName !== undefined && eventName !== 'message' && !isFailed;
    if (isUnknownEvent && getStringProperty(value, 'object') !== 'chat.completion.chunk') {
      recordReplacement(extractMessage(value), data, 'provider');
      return void events.push(createNote('skipped-value', `event ${eventName.slice(0, 40)}`, data));
    }
    const chunkEvents = chunkReader.read(value, isFailed, data);
    if (!isFailed && eventName === undefined) template.learn(data, value, chunkEvents);
    if (!isDone) recordChunkEvents(chunkEvents);
    // After [DONE], only usage counts; everything else stays on the tape only.
    for (const chunkEvent of chunkEvents) if (!isDone || chunkEvent.type === 'usage') events.push(chunkEvent);
    if (isFailed) return handleError(data, events);
    const blockedEvent = chunkEvents.find((event) => event.type === 'blocked');
    const isFullyRead =
      (blockedEvent !== undefined || chunkEvents.some(({ type }) => type === 'usage')) &&
      collectTexts(value).every((text) => blockedEvent?.reason.includes(text));
    const message =
      isFullyRead && !Object.hasOwn(value, 'choices') ? findMessageField(value) : extractMessage(value);
    // §6.4: a chunk may carry a provider message, such as a position in a queue.
    const extraMessage = message === undefined ? findMessageField(value) : undefined;
    if (extraMessage !== undefined)
      events.push(createNote('skipped-value', 'text beside choices', extraMessage));
    const isUnknownObject =
      !isFullyRead && !Object.hasOwn(value, 'choices') && !Object.hasOwn(value, 'usage');
    if (message !== undefined || isUnknownObject)
      events.push(createNote('skipped-value', 'object without choices', data));
    if (!blockedEvent) recordReplacement(message, data, 'provider');
  }

  /** The first error decides how the answer ended. */
  function handleError(data: string, events: StreamEvent[]) {
    // The event name repeats what another line has already reported.
    if (failure && data.trim() === '') return;
    const report = buildReport(data, 'provider');
    if (!failure) events.push(recordFailure(report));
    else if (report.message !== failure.message)
      events.push(createNote('skipped-value', 'another error', data));
  }

  function readError(data: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    handleError(data, events);
    return events;
  }

  /** No content, but the connection is alive. */
  function addKeepAlive(data: string, events: StreamEvent[]) {
    events.push({ type: 'keep-alive', comment: data });
  }

  function readBody({ body, cut }: BodyEntry): StreamEvent[] {
    const { status = 200, headers = {} } = statusEntry ?? {};
    hasEvents = true;
    if (!isSuccess(status)) return [recordFailure(buildReport(body, 'gateway', status))];
    if (body.trim() === '')
      return cut ? [] : [recordFailure(buildInvalidResponseReport(body, headers, status))];
    // Also set for a cut answer: the connection may have broken after its last byte.
    const parsed = parseJson(body);
    isBodyTruncated = !parsed.ok;
    const value = parsed.ok ? withExactArguments(parsed.value, body) : parsePartialJson(body);
    const isFailed = isErrorValue(value);
    if (!isRecord(value)) {
      if (isFailed) return [recordFailure(buildReport(body, 'gateway'))];
      const error = findErrorLine(body);
      if (error !== undefined)
        return [recordFailure({ ...buildReport(error, 'gateway'), raw: body.slice(0, maxRawChars) })];
      // For a cut answer that is not JSON, the end entry describes the failure.
      return [
        cut
          ? createNote('cut-answer', undefined, body)
          : recordFailure(buildInvalidResponseReport(body, headers, status)),
      ];
    }
    const events: StreamEvent[] = chunkReader.read(value, isFailed, parsed.ok ? body : undefined);
    if (isFailed) return [...events, recordFailure(buildReport(body, 'gateway'))];
    if (isBodyTruncated) return [...events, createNote('cut-answer', undefined, body)];
    const message = findMessageField(value);
    if (events.some(({ type }) => type === 'blocked')) {
      if (message !== undefined) events.push(createNote('skipped-value', 'text beside choices', message));
    } else if (
      !events.some(({ type }) => answerEventTypes.has(type)) &&
      !Array.isArray(getOwnProperty(value, 'choices'))
    ) {
      const report =
        message === undefined
          ? buildInvalidResponseReport(body, headers, status)
          : { ...buildReport(body, 'gateway'), message };
      return [recordFailure(report)];
    }
    // Complete JSON does not need an end marker, unless it is a piece of a stream.
    isDone = !isStreamPiece(value);
    const allEvents: StreamEvent[] = isDone ? [...events, { type: 'done' }] : events;
    return isStreamRequested ? [createNote('not-streamed'), ...allEvents] : allEvents;
  }

  function readEnd({ end, error }: EndEntry): StreamEvent[] {
    const events: StreamEvent[] = chunkReader.flushOpaqueFields();
    if (end !== 'aborted' && !failure) {
      if (isBodyTruncated) events.push(recordFailure(error ?? buildCutReport()));
      else if (error && end === 'closed' && error.kind !== 'answer-too-large')
        events.push(recordFailure(error));
      else if (statusEntry && !isSuccess(statusEntry.status))
        events.push(recordFailure(buildReport('', 'gateway', statusEntry.status)));
      else if (end === 'closed' && replacementError) events.push(...flushReplacementError());
      else if (statusEntry && !hasEvents && end === 'closed') {
        events.push(recordFailure(buildInvalidResponseReport('', statusEntry.headers, statusEntry.status)));
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
    isStreamRequested = entry.request.stream === true;
    return [];
  };
}

const maxMessageChars = 4096;
const maxRawChars = 64 * 1024;

/** Returns true if the text contains only the JSON of an error and the name of its field. */
function isErrorAlone(error: string, text: string): boolean {
  return /^[\w.-]{0,60}\s*:?$/.test(text.replace(error, () => '').trim());
}

const answerEventTypes: ReadonlySet<string> = new Set([
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

/**
 * Returns true for a whole chunk or the end marker on its own line. Cheap checks first: a hostile event may have a
 * million lines.
 */
function canStandAlone(line: string, index: number): boolean {
  return isDoneMarker(line) || (index < 100 && line.trimStart().startsWith('{') && parseJson(line).ok);
}

/** Returns true if the choices contain pieces to append and no whole message. */
function isStreamPiece(value: Record<string, unknown>): boolean {
  const choices = getOwnProperty(value, 'choices');
  const firstChoice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isRecord(getOwnProperty(firstChoice, 'delta')) && !isRecord(getOwnProperty(firstChoice, 'message'));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function buildCutReport(): ErrorReport {
  const message = 'The answer ends in the middle of its JSON. The complete part is shown.';
  return { source: 'network', kind: 'connection-lost', message };
}
