import { hasJsonSource, parseExactJson, writeExactJson } from '../../lib/exact-json.ts';
import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { ErrorReport } from '../errors/errors.ts';
import type { ChatRequest } from '../wire.ts';

/**
 * One thing that went over the wire, in order. `at` is monotonic milliseconds since our own POST, by the page's clock.
 * `serverAt`: when it came to our server, in monotonic milliseconds since the request went to the gateway; absent where
 * the request went the direct way, and of what happened here.
 * A tape starts with `request`, then usually `status`, then events (`data`, `comment`) or one `body`
 * (an answer that was not an event stream), and has exactly one `end`.
 */
export type TapeEntry = { at: number; serverAt?: number } &
  /** `requestText`: the body to the byte, where its values alone would not give back what was sent. */
  (
    | { request: ChatRequest; requestId: string; requestText?: string }
    /**
     * `proxied`: the gateway's own answer, passed through our proxy; absent on answers that the proxy made itself.
     * `requestBytes`: what was sent, where the answer is that it was too large.
     */
    | { status: number; headers: Record<string, string>; proxied?: true; requestBytes?: number }
    /** One server-sent event with its own name and id. `unterminated`: the stream ended before its blank line. */
    | { data: string; event?: string; id?: string; unterminated?: true }
    | { comment: string }
    /** Lines of an event stream that are not fields of it. `ofEvent`: they have the form of fields, inside of an event. */
    | { outside: string; ofEvent?: true }
    /** An answer that is not an event stream; `cut` when the connection broke or only the first part was read. */
    | { body: string; cut?: true }
    /** Closed by the other side (or by us once it was over), aborted by us, lost on the way, or given up by a timeout. */
    | { end: TapeEnd; error?: ErrorReport }
  );

/** When it came, by the clock that knows best. */
export function getEntryTime({ at, serverAt }: Pick<TapeEntry, 'at' | 'serverAt'>): number {
  return serverAt ?? at;
}

type RequestEntry = Extract<TapeEntry, { request: unknown }>;

/** Creates the first entry of a tape. Stores and exports keep values only, so a body with exact values has its text. */
export function createRequestEntry(body: ChatRequest, requestId: string): RequestEntry {
  if (!hasJsonSource(body)) return { at: 0, request: body, requestId };
  const requestText = writeExactJson(body);
  const plain = parseJson(requestText);
  const request = plain.ok && isChatRequest(plain.value) ? plain.value : body;
  return { at: 0, request, requestId, requestText };
}

/** Returns the body of this entry with the exact values that were sent. */
export function readRequestBody({ request, requestText }: RequestEntry): ChatRequest {
  if (requestText === undefined) return request;
  const exact = parseExactJson(requestText);
  return exact.ok && isChatRequest(exact.value) ? exact.value : request;
}

/** True for a value that can be a chat request; its messages are not checked. */
function isChatRequest(value: unknown): value is ChatRequest {
  return getStringProperty(value, 'model') !== undefined && Array.isArray(getOwnProperty(value, 'messages'));
}

export type TapeEnd = 'closed' | 'aborted' | 'lost' | 'timeout';
