import { writeExactJson } from '../../lib/exact-json.ts';
import { ChannelResponse } from '../channel/channel-client.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { maxAnswerBytes } from '../http/body-limits.ts';
import { createDeadline, type Deadline } from '../http/deadline.ts';
import { getGatewayHeaders, isProxied, getGatewayStatus } from '../http/headers.ts';
import { buildConnectionLostReport, buildTimeoutReport, type Http } from '../http/http.ts';
import type { ChatRequest } from '../wire.ts';
import { isDoneMarker } from './done-marker.ts';
import { createResponseDecoder, type ResponseDecoder } from './response-decoder.ts';
import { createRequestEntry, type TapeEntry } from './tape.ts';

/** Time in ms allowed for further data, such as usage, from gateways that keep the connection open after [DONE]. */
const graceAfterDoneMs = 300;

/**
 * Time in ms since the last bytes, applied if all finish reasons came without [DONE], which §6.8 does not guarantee, or
 * if the JSON is complete.
 */
const graceAfterAnswerMs = 2_000;

/** Time in ms allowed for further data about an error. */
const graceAfterErrorMs = 5_000;

/** The request body is larger than the other side accepts. */
const payloadTooLargeStatus = 413;

export interface StreamOptions {
  signal?: AbortSignal;
  /** The X-Request-ID sent with the request. */
  requestId: string;
  /** Called after each packet has been processed; true means that the answer has ended. */
  isComplete?: () => boolean;
  /** Silence in ms after which the connection is closed. */
  idleTimeoutMs?: number;
  /** Maximum number of bytes kept from a streamed answer; 64 MB by default. */
  maxBytes?: number;
}

/**
 * Sends POST /v1/chat/completions (§4, §6) and yields its tape: one array of entries per network packet, `request`
 * first, exactly one `end` last. Whole and streamed responses take the same path. Network failures do not throw but are
 * reported in `end`. Returning early closes the connection.
 */
export async function* streamChat(
  http: Http,
  body: ChatRequest,
  options: StreamOptions,
): AsyncGenerator<TapeEntry[]> {
  const { signal, requestId, isComplete = () => false, maxBytes = maxAnswerBytes } = options;
  const { idleTimeoutMs = http.idleTimeoutMs } = options;
  yield [createRequestEntry(body, requestId)];
  const sentAt = http.monotonicNow();
  const readElapsedMs = () => http.monotonicNow() - sentAt;
  const deadline = createDeadline(() => http.monotonicNow(), signal);
  try {
    deadline.setTimeoutMs(idleTimeoutMs, 'timeout');
    const response = await openResponse(http, body, requestId, deadline);
    if ('kind' in response) {
      yield [createEndEntry(readElapsedMs(), deadline, idleTimeoutMs, response)];
      return;
    }
    deadline.clear();
    /** Entries from the channel also carry the server's time. */
    const addServerTimes = (entries: TapeEntry[]): TapeEntry[] => {
      if (response instanceof ChannelResponse)
        for (const tapeEntry of entries) tapeEntry.serverAt = response.serverAt();
      return entries;
    };
    const status = getGatewayStatus(response);
    const isError = !response.ok;
    const entry: TapeEntry = { at: readElapsedMs(), status, headers: getGatewayHeaders(response.headers) };
    if (isProxied(response.headers)) entry.proxied = true;
    if (status === payloadTooLargeStatus)
      entry.requestBytes = new TextEncoder().encode(writeExactJson(body)).length;
    yield addServerTimes([entry]);

    // A response without a body is read as empty.
    const reader = (response.body ?? new Blob().stream()).getReader();
    // Cancelled as well as aborted: a body does not always follow the signal of its request.
    const cancel = () => void reader.cancel().catch(() => undefined);
    if (deadline.getEndReason()) cancel();
    deadline.signal.addEventListener('abort', cancel);
    const decoder = createResponseDecoder({ isError, maxBytes });
    let doneAt: number | undefined;
    let lastReceivedAt = readElapsedMs();
    let problem: ErrorReport | undefined;
    while (!deadline.getEndReason()) {
      if (doneAt !== undefined)
        deadline.setTimeoutMs(Math.max(0, doneAt + graceAfterDoneMs - readElapsedMs()), 'over');
      else if (isComplete() || decoder.isCompleteJson())
        deadline.setTimeoutMs(Math.max(0, lastReceivedAt + graceAfterAnswerMs - readElapsedMs()), 'over');
      else if (isError)
        deadline.setTimeoutMs(Math.max(0, lastReceivedAt + graceAfterErrorMs - readElapsedMs()), 'over');
      else deadline.setTimeoutMs(idleTimeoutMs, 'timeout');
      let packet: ReadableStreamReadResult<Uint8Array>;
      try {
        packet = await reader.read();
      } catch (error) {
        problem = buildConnectionLostReport(error);
        break;
      } finally {
        deadline.clear();
      }
      if (packet.done) break;
      const entries = addServerTimes(decoder.push(packet.value, readElapsedMs()));
      if (entries.length > 0) yield entries;
      const consumedAt = readElapsedMs();
      if (entries.length === 0) lastReceivedAt = consumedAt;
      for (const tapeEntry of entries) {
        if (!('data' in tapeEntry)) continue;
        lastReceivedAt = consumedAt;
        if (doneAt === undefined && isDoneMarker(tapeEntry.data)) doneAt = lastReceivedAt;
      }
      problem = isError ? undefined : buildLimitReport(decoder.getExceededLimit(), maxBytes);
      if (decoder.getExceededLimit()) break;
    }
    const hasClosedCleanly = !deadline.getEndReason() && !problem && !decoder.getExceededLimit();
    const lastEntries = addServerTimes(decoder.end(readElapsedMs(), hasClosedCleanly));
    const end = createEndEntry(readElapsedMs(), deadline, idleTimeoutMs, problem);
    // Any other end was caused or detected by the page itself.
    yield [...lastEntries, ...(hasClosedCleanly ? addServerTimes([end]) : [end])];
  } finally {
    deadline.end('over');
  }
}

async function openResponse(http: Http, body: ChatRequest, requestId: string, deadline: Deadline) {
  const accept =
    body.stream === true ? 'text/event-stream, application/json' : 'application/json, text/event-stream';
  const request = { method: 'POST' as const, path: '/v1/chat/completions', body, accept, requestId };
  try {
    return await http.open({ ...request, signal: deadline.signal });
  } catch (error) {
    return error instanceof GatewayError ? error.report : buildConnectionLostReport(error);
  }
}

function createEndEntry(
  atMs: number,
  deadline: Deadline,
  idleTimeoutMs: number,
  problem?: ErrorReport,
): TapeEntry {
  const endReason = deadline.getEndReason();
  if (endReason === 'aborted') return { at: atMs, end: 'aborted' };
  if (endReason === 'timeout')
    return { at: atMs, end: 'timeout', error: buildTimeoutReport(idleTimeoutMs, 'No data received') };
  if (endReason === 'over' || !problem) return { at: atMs, end: 'closed' };
  const isBenchError = problem.source === 'app';
  return { at: atMs, end: isBenchError ? 'closed' : 'lost', error: problem };
}

function buildLimitReport(
  limit: ReturnType<ResponseDecoder['getExceededLimit']>,
  maxBytes: number,
): ErrorReport | undefined {
  if (limit === 'answer-too-large') {
    const limitText = maxBytes >= 2 ** 20 ? `${Math.round(maxBytes / 2 ** 20)} MB` : `${maxBytes} bytes`;
    const message = `The answer exceeds the limit of ${limitText}, so Bench closed the connection.`;
    return { source: 'app', kind: 'answer-too-large', message };
  }
  if (limit === 'event-too-large') {
    const message =
      'One event was larger than 16 MB, so Bench closed the connection. The data before it was kept.';
    return { source: 'app', kind: 'event-too-large', message };
  }
  if (limit === 'body-too-large') {
    const message = 'The answer is larger than 32 MB. Only its first part was read.';
    return { source: 'app', kind: 'answer-too-large', message };
  }
  return undefined;
}
