/** Client that the command-line check uses to call a gateway directly, with or without its key. */
import { createHttp } from '../../gateway/http/http.ts';
import { streamChat } from '../../gateway/stream/stream-chat.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { parseJson, type Json } from '../../lib/json.ts';
import { readBasePath } from '../../lib/text/base-path.ts';
import type { RuleResult } from './conformance-finding.ts';

export interface CheckOptions {
  /** `{base_url}` of the API description; a trailing `/` or `/v1` is accepted. */
  baseUrl: string;
  key?: string | undefined;
  send: typeof globalThis.fetch;
  /** Returns a monotonic time in ms. */
  now: () => number;
  newId: () => string;
}

/** Row of the result table. */
export interface CheckRow {
  /** Request that was checked, such as `Chat, streamed`. */
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
  /** Parsed body; `undefined` if the text is not JSON. */
  value: Json | undefined;
}

interface CallOptions {
  /** Request body, sent unchanged even if it is not valid JSON. */
  body?: string;
  /** Key to send instead of the gateway key; `undefined` sends none. */
  key?: string | undefined;
}

export interface CheckClient {
  /** Resolves for any status. Rejects with an Error if the gateway does not respond within a minute. */
  call: (path: string, options?: CallOptions) => Promise<CheckResponse>;
  /** Resolves to the tape of a chat. Rejects only if the check was stopped. */
  chat: (body: ChatRequest) => Promise<TapeEntry[]>;
  /** True if no proxy is in between, so that requests can use another key, no key or no request ID. */
  isDirect: boolean;
}

/** Timeout of each check request in ms. */
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
        // Without a proxy every response comes from the gateway itself.
        for (const entry of entries) tape.push('status' in entry ? { ...entry, proxied: true } : entry);
      }
      return tape;
    },
  };
}
