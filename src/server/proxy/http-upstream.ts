import { Agent, EnvHttpProxyAgent, errors } from 'undici';
import type { Dispatcher } from 'undici';

import type { GatewayConfig } from '../gateway-settings.ts';
import type { WebHandler } from '../web-handler.ts';
import { SourcedResponse } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { UpstreamError, toUpstreamError } from './upstream-error.ts';

/** The configured gateway, with the same signature as the embedded one. */
export interface HttpUpstream {
  /** Rejects with UpstreamError if no response arrived. Never follows a redirect and never retries. */
  handle: WebHandler;
  close: () => Promise<void>;
}

/** Creates an HTTP/1.1 client for one gateway with its own timeouts, using the proxies from the environment. */
export function createHttpUpstream(gateway: GatewayConfig): HttpUpstream {
  const dispatcher = createDispatcher(gateway);
  return {
    async handle(request) {
      const body = Buffer.from(await request.arrayBuffer());
      // The client detects a closed kept-alive connection only by reading from it, which takes one event loop turn.
      // Without it, a request would be lost with the connection, and a chat is never sent twice.
      await new Promise(setImmediate);
      return new Promise<Response>((resolve, reject) => {
        const exchange = new UpstreamExchange(gateway, request.signal, resolve, reject);
        const { pathname } = new URL(request.url);
        dispatcher.dispatch(
          {
            origin: gateway.origin,
            path: pathname,
            method: request.method,
            headers: [...request.headers].flat(),
            body,
          },
          exchange,
        );
      });
    },
    close: () => dispatcher.destroy(),
  };
}

function createDispatcher(gateway: GatewayConfig): Dispatcher {
  const connect = { timeout: gateway.connectTimeoutMs, highWaterMark: SOCKET_BUFFER_BYTES };
  const timeouts = {
    connect,
    headersTimeout: gateway.headersTimeoutMs,
    bodyTimeout: gateway.idleTimeoutMs,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
  };
  const proxy = gateway.origin.startsWith('https:') ? gateway.httpsProxy : gateway.httpProxy;
  // A gateway on this machine is never contacted through a proxy, which would connect to its own machine instead.
  if (gateway.isLoopback || proxy === undefined) return new Agent(timeouts);
  return new EnvHttpProxyAgent({
    ...timeouts,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: gateway.noProxy,
    proxyTls: connect,
    requestTls: connect,
  });
}

/**
 * Maximum number of bytes that wait for a slow reader in a gateway socket, and in our own queue, before reading pauses.
 * Node reads up to 64 KB at a time, so these limits keep one such piece in each place instead of two.
 */
const SOCKET_BUFFER_BYTES = 16 * 1024;
const MAX_PENDING_BYTES = 16 * 1024;

/** Idle connections close after this time in ms, even if the gateway would keep them longer. */
const MAX_KEEP_ALIVE_MS = 6000;

/** One request in flight: undici calls the on… methods, and the reader of the response pulls. */
class UpstreamExchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #pendingChunks: Uint8Array[] = [];
  #pendingBytes = 0;
  #hasEnded = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #interimTimer: NodeJS.Timeout | undefined;
  readonly #gateway: GatewayConfig;
  readonly #signal: AbortSignal;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: Error) => void;
  readonly #onAbort = () => {
    this.#stop();
  };

  constructor(
    gateway: GatewayConfig,
    signal: AbortSignal,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ) {
    this.#gateway = gateway;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    if (signal.aborted) this.#stop();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The client disconnected while the connection was being made, so nothing is sent.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx: the final response is still to come. undici restarts its timeouts for each 1xx response, so they have a
    // separate timer.
    if (status < 200) {
      this.#interimTimer ??= this.#startHeadersTimeout(controller);
      return;
    }
    clearTimeout(this.#interimTimer);
    if (status > 599) {
      const message = `The gateway at ${this.#gateway.host} responded, but its response could not be read: ${status} is not an HTTP status.`;
      this.#fail(new UpstreamError({ type: 'gateway_unreachable', message }));
      controller.abort(new Error('no HTTP status'));
      return;
    }
    const init = { status, headers: toHeaders(headers) };
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    const source: ByteSource = {
      next: () => this.#next(),
      cancel: () => {
        this.#stop();
      },
    };
    this.#resolve(hasBody ? new SourcedResponse(source, init) : new Response(null, init));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#pendingChunks.push(chunk);
    this.#pendingBytes += chunk.byteLength;
    if (this.#pendingBytes > MAX_PENDING_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    this.#settle();
  }

  onResponseError(_controller: Dispatcher.DispatchController, failure: Error): void {
    this.#fail(failure);
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#pendingChunks.shift();
      if (chunk !== undefined) {
        this.#pendingBytes -= chunk.byteLength;
        return chunk;
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#hasEnded) return undefined;
      // Resumed only on the next read, so that at most one piece waits for a stalled reader.
      if (this.#controller?.paused === true) {
        this.#controller.resume();
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #startHeadersTimeout(controller: Dispatcher.DispatchController): NodeJS.Timeout | undefined {
    const { headersTimeoutMs } = this.#gateway;
    if (headersTimeoutMs === 0) return undefined;
    return setTimeout(() => {
      const failure = new errors.HeadersTimeoutError();
      this.#fail(failure);
      controller.abort(failure);
    }, headersTimeoutMs);
  }

  /** Closes the gateway's socket immediately because the response is no longer needed. */
  #stop(): void {
    if (this.#hasEnded || this.#failure !== undefined) return;
    const reason = new Error('The client disconnected.');
    this.#pendingChunks = [];
    this.#pendingBytes = 0;
    this.#fail(reason);
    this.#controller?.abort(reason);
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#settle();
    this.#reject(failure instanceof UpstreamError ? failure : toUpstreamError(failure, this.#gateway));
  }

  #settle(): void {
    clearTimeout(this.#interimTimer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#wake?.();
  }
}

/** undici has already rejected invalid headers and reads values as Latin-1, as a Headers object requires. */
function toHeaders(rawHeaders: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(rawHeaders))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  return headers;
}
