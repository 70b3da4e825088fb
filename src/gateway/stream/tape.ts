import { hasJsonSource, parseExactJson, writeExactJson } from '../../lib/exact-json.ts';
import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { ErrorReport } from '../errors/errors.ts';
import type { ChatRequest } from '../wire.ts';

/**
 * One entry of a tape, in order. `at` is monotonic ms since the request, by the page's clock. `serverAt` is the arrival
 * time at the server, in monotonic ms since the request went to the gateway; absent for separate connections and local
 * events. A tape starts with `request`, usually followed by `status`, then events (`data`, `comment`) or one `body` (a
 * response that is not an event stream), and has exactly one `end`.
 */
export type TapeEntry = { at: number; serverAt?: number } &
  /** `requestText` is the exact body, if its values alone would not reproduce it. */
  (
    | { request: ChatRequest; requestId: string; requestText?: string }
    /**
     * `proxied`: the gateway's own response, passed through by the proxy; absent on responses of the proxy itself.
     * `requestBytes`: size of a request that was rejected as too large.
     */
    | { status: number; headers: Record<string, string>; proxied?: true; requestBytes?: number }
    /** One server-sent event with its name and ID. `unterminated`: the stream ended before its blank line. */
    | { data: string; event?: string; id?: string; unterminated?: true }
    | { comment: string }
    /** Lines of an event stream that are not fields. `ofEvent`: they look like fields and are inside an event. */
    | { outside: string; ofEvent?: true }
    /** A response that is not an event stream; `cut` if the connection broke or only the first part was read. */
    | { body: string; cut?: true }
    /** Closed by the other side (or by us once complete), aborted by us, lost, or timed out. */
    | { end: TapeEnd; error?: ErrorReport }
  );

/** Returns the arrival time, preferring the server's clock. */
export function getEntryTime({ at, serverAt }: Pick<TapeEntry, 'at' | 'serverAt'>): number {
  return serverAt ?? at;
}

type RequestEntry = Extract<TapeEntry, { request: unknown }>;

/**
 * Creates the first entry of a tape. Stores and exports keep only plain values, so a body with exact values also gets
 * its text.
 */
export function createRequestEntry(body: ChatRequest, requestId: string): RequestEntry {
  if (!hasJsonSource(body)) return { at: 0, request: body, requestId };
  const requestText = writeExactJson(body);
  const plain = parseJson(requestText);
  const request = plain.ok && isChatRequest(plain.value) ? plain.value : body;
  return { at: 0, request, requestId, requestText };
}

/** Returns the request body of this entry with the exact values that were sent. */
export function readRequestBody({ request, requestText }: RequestEntry): ChatRequest {
  if (requestText === undefined) return request;
  const exact = parseExactJson(requestText);
  return exact.ok && isChatRequest(exact.value) ? exact.value : request;
}

/** Returns true for a value that can be a chat request; its messages are not checked. */
function isChatRequest(value: unknown): value is ChatRequest {
  return getStringProperty(value, 'model') !== undefined && Array.isArray(getOwnProperty(value, 'messages'));
}

export type TapeEnd = 'closed' | 'aborted' | 'lost' | 'timeout';
