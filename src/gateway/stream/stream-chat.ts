import { writeExactJson } from '../../lib/exact-json.ts';
import { ChannelResponse } from '../channel/channel-client.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { maxAnswerBytes } from '../http/body-limits.ts';
import { createPatience, type Patience } from '../http/deadline.ts';
import { headersOf, isProxied, statusOf } from '../http/headers.ts';
import { connectionLost, timedOut, type Http } from '../http/http.ts';
import type { ChatRequest } from '../wire.ts';
import { isDoneMark } from './done-marker.ts';
import { createAnswerDecoder, type AnswerDecoder } from './response-decoder.ts';
import { createRequestEntry, type TapeEntry } from './tape.ts';

/** Gateways that hold the connection open after [DONE] get this long for what else they have, such as usage. */
const graceAfterDoneMs = 300;

/** The same where finish reasons came and no [DONE], which §6.8 does not promise, or a whole JSON: counted from the last bytes. */
const graceAfterAnswerMs = 2_000;

/** And for what a gateway has to say about an error. */
const graceOfErrorMs = 5_000;

/** HTTP status: the body of the request is larger than the other side takes. */
const tooLarge = 413;

export interface StreamOptions {
  signal?: AbortSignal;
  /** Our own X-Request-ID. */
  requestId: string;
  /** Asked after each packet, once its entries were taken: true where the answer has said that it is over. */
  isAnswered?: () => boolean;
  /** Silence after which the connection is closed. */
  idleTimeoutMs?: number;
  /** The most of a streamed answer that is kept, in bytes; 64 MB unless given. */
  mostBytes?: number;
}

/**
 * POST /v1/chat/completions (§4, §6) as its tape: one array of entries for each network packet, `request`
 * first, exactly one `end` last. Whole and streamed replies take the same path. Never throws for what
 * happens on the wire: that is the report in `end`. Returning early closes the connection.
 */
export async function* streamChat(
  http: Http,
  body: ChatRequest,
  options: StreamOptions,
): AsyncGenerator<TapeEntry[]> {
  const { signal, requestId, isAnswered = () => false, mostBytes = maxAnswerBytes } = options;
  const { idleTimeoutMs = http.idleTimeoutMs } = options;
  yield [createRequestEntry(body, requestId)];
  const sentAt = http.now();
  const at = () => http.now() - sentAt;
  const patience = createPatience(() => http.now(), signal);
  try {
    patience.endIn(idleTimeoutMs, 'timeout');
    const response = await opened(http, body, requestId, patience);
    if ('kind' in response) {
      yield [endEntry(at(), patience, idleTimeoutMs, response)];
      return;
    }
    patience.clear();
    /** What came over the channel has the server's time as well. */
    const stamped = (entries: TapeEntry[]): TapeEntry[] => {
      if (response instanceof ChannelResponse)
        for (const found of entries) found.serverAt = response.serverAt();
      return entries;
    };
    const status = statusOf(response);
    const isError = !response.ok;
    const entry: TapeEntry = { at: at(), status, headers: headersOf(response.headers) };
    if (isProxied(response.headers)) entry.proxied = true;
    if (status === tooLarge) entry.requestBytes = new TextEncoder().encode(writeExactJson(body)).length;
    yield stamped([entry]);

    // A status without a body has one in which nothing comes.
    const reader = (response.body ?? new Blob().stream()).getReader();
    // Cancelling as well as aborting: a body need not be tied to the signal of its request.
    const cancel = () => void reader.cancel().catch(() => undefined);
    if (patience.ended()) cancel();
    patience.signal.addEventListener('abort', cancel);
    const decoder = createAnswerDecoder({ isError, mostBytes });
    let doneAt: number | undefined;
    let heardAt = at();
    let problem: ErrorReport | undefined;
    while (!patience.ended()) {
      if (doneAt !== undefined) patience.endIn(Math.max(0, doneAt + graceAfterDoneMs - at()), 'over');
      else if (isAnswered() || decoder.isWholeJson())
        patience.endIn(Math.max(0, heardAt + graceAfterAnswerMs - at()), 'over');
      else if (isError) patience.endIn(Math.max(0, heardAt + graceOfErrorMs - at()), 'over');
      else patience.endIn(idleTimeoutMs, 'timeout');
      let packet: ReadableStreamReadResult<Uint8Array>;
      try {
        packet = await reader.read();
      } catch (error) {
        problem = connectionLost(error);
        break;
      } finally {
        patience.clear();
      }
      if (packet.done) break;
      const entries = stamped(decoder.push(packet.value, at()));
      if (entries.length > 0) yield entries;
      const takenAt = at();
      if (entries.length === 0) heardAt = takenAt;
      for (const found of entries) {
        if (!('data' in found)) continue;
        heardAt = takenAt;
        if (doneAt === undefined && isDoneMark(found.data)) doneAt = heardAt;
      }
      problem = isError ? undefined : limitReport(decoder.limit(), mostBytes);
      if (decoder.limit()) break;
    }
    const isWhole = !patience.ended() && !problem && !decoder.limit();
    const left = stamped(decoder.end(at(), isWhole));
    const end = endEntry(at(), patience, idleTimeoutMs, problem);
    // Any other end is the page's own doing, or its own news.
    yield [...left, ...(isWhole ? stamped([end]) : [end])];
  } finally {
    patience.end('over');
  }
}

async function opened(http: Http, body: ChatRequest, requestId: string, patience: Patience) {
  const accept =
    body.stream === true ? 'text/event-stream, application/json' : 'application/json, text/event-stream';
  const request = { method: 'POST' as const, path: '/v1/chat/completions', body, accept, requestId };
  try {
    return await http.open({ ...request, signal: patience.signal });
  } catch (error) {
    return error instanceof GatewayError ? error.report : connectionLost(error);
  }
}

function endEntry(at: number, patience: Patience, idleTimeoutMs: number, problem?: ErrorReport): TapeEntry {
  const ended = patience.ended();
  if (ended === 'aborted') return { at, end: 'aborted' };
  if (ended === 'timeout') return { at, end: 'timeout', error: timedOut(idleTimeoutMs, 'No data received') };
  if (ended === 'over' || !problem) return { at, end: 'closed' };
  const isOurs = problem.source === 'app';
  return { at, end: isOurs ? 'closed' : 'lost', error: problem };
}

function limitReport(limit: ReturnType<AnswerDecoder['limit']>, mostBytes: number): ErrorReport | undefined {
  if (limit === 'answer-too-large') {
    const most = mostBytes >= 2 ** 20 ? `${Math.round(mostBytes / 2 ** 20)} MB` : `${mostBytes} bytes`;
    const message = `Bench keeps up to ${most} of an answer. This one was longer, so Bench closed the connection.`;
    return { source: 'app', kind: 'answer-too-large', message };
  }
  if (limit === 'event-too-large') {
    const message =
      'One event of the answer was larger than 16 MB, so Bench closed the connection. What arrived before it is kept.';
    return { source: 'app', kind: 'event-too-large', message };
  }
  if (limit === 'body-too-large') {
    const message = 'The answer is larger than 32 MB. Only its first part was read.';
    return { source: 'app', kind: 'answer-too-large', message };
  }
  return undefined;
}
