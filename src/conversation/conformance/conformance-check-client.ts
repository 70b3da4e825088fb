/** How the check of a gateway speaks to it from the command line: directly, with or without its key. */
import { createHttp } from '../../gateway/http/http.ts';
import { streamChat } from '../../gateway/stream/stream-chat.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { parseJson, type Json } from '../../lib/json.ts';
import { readBasePath } from '../../lib/text/base-path.ts';
import type { RuleResult } from './conformance-finding.ts';

export interface CheckOptions {
  /** `{base_url}` of the API description; a trailing `/` or `/v1` is tolerated. */
  baseUrl: string;
  key?: string | undefined;
  send: typeof globalThis.fetch;
  /** Monotonic milliseconds. */
  now: () => number;
  newId: () => string;
}

/** One row of the table. */
export interface CheckRow {
  /** What was asked of the gateway, such as `Chat, streamed`. */
  about: string;
  title: string;
  section: string;
  verdict: RuleResult;
  detail: string;
}

export interface CheckResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Undefined where the text is not JSON. */
  value: Json | undefined;
}

interface CallOptions {
  /** Of the request, as it is: JSON or not. */
  body?: string;
  /** A key other than the gateway's own, or none at all. */
  key?: string | undefined;
}

export interface CheckClient {
  /** Resolves whatever the status; rejects with an Error where the gateway does not answer within a minute. */
  call: (path: string, options?: CallOptions) => Promise<CheckResponse>;
  /** The tape of a chat. Rejects only where the check was stopped. */
  chat: (body: ChatRequest) => Promise<TapeEntry[]>;
  /** Nothing stands between: it may ask with another key or none, and without a request ID. */
  isDirect: boolean;
}

/** How long an answer of the check may take. */
export const checkTimeoutMs = 60_000;

export function createDirectCheckClient({
  baseUrl,
  key,
  send,
  now: monotonicNow,
  newId,
}: CheckOptions): CheckClient {
  const { origin, pathname } = new URL(baseUrl);
  const [apiPath] = readBasePath(pathname).apiPaths;
  const buildUrl = (path: string) => origin + path.replace(/^\/v1(?=\/)/, apiPath);
  const setKey = (headers: Headers, apiKey: string | undefined) => {
    if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
    return headers;
  };
  const http = createHttp({
    gatewayBasePath: '',
    monotonicNow,
    idleTimeoutMs: checkTimeoutMs,
    fetch: (input, init) => {
      const headers = setKey(new Headers(init?.headers), key);
      headers.delete('x-gateway-playground');
      return send(typeof input === 'string' ? buildUrl(input) : input, { ...init, headers });
    },
  });
  return {
    isDirect: true,
    call: async (path, options = {}) => {
      const headers = setKey(
        new Headers({ accept: 'application/json' }),
        'key' in options ? options.key : key,
      );
      const init: RequestInit = { headers, redirect: 'manual', signal: AbortSignal.timeout(checkTimeoutMs) };
      if (options.body !== undefined) {
        headers.set('content-type', 'application/json');
        init.method = 'POST';
        init.body = options.body;
      }
      const response = await send(buildUrl(path), init);
      const text = await response.text();
      const reading = parseJson(text);
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        value: reading.ok ? reading.value : undefined,
      };
    },
    chat: async (body) => {
      const tape: TapeEntry[] = [];
      for await (const entries of streamChat(http, body, { requestId: newId() })) {
        // Nothing stands between: every answer is the gateway's own.
        for (const entry of entries) tape.push('status' in entry ? { ...entry, proxied: true } : entry);
      }
      return tape;
    },
  };
}
