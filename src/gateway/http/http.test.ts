import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ChannelResponse, type ChannelClient } from '../channel/channel-client.ts';
import { GatewayError } from '../errors/errors.ts';
import { createHttp, buildTimeoutReport, withGatewayName } from './http.ts';

/** Creates a body that never ends and reports its cancellation. */
function createEndlessBody(first: string) {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    cancel: () => void (cancelled = true),
  });
  return { body, isCancelled: () => cancelled };
}

describe('createHttp', () => {
  it('sends gateway requests to /gateway and others to /playground without following redirects', async () => {
    const sentRequests: string[] = [];
    const http = createHttp({
      monotonicNow: () => 0,
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers);
        sentRequests.push(
          `${init?.method} ${input instanceof Request ? input.url : input.toString()} ${init?.redirect} ${headers.get('x-gateway-playground')} ${headers.get('content-type')}`,
        );
        return new Response('{}');
      },
    });
    await http.read({ method: 'GET', path: '/v1/models' });
    await http.read({ area: 'playground', method: 'POST', path: '/login', body: {} });
    expect(sentRequests).toEqual([
      'GET /gateway/v1/models manual 1 null',
      'POST /playground/login manual 1 application/json',
    ]);
  });

  it('sends requests for a named gateway to a path with its name, and reports responses under the name', async () => {
    const paths: string[] = [];
    const responses: (string | undefined)[] = [];
    const http = createHttp({
      monotonicNow: () => 0,
      onResponse: (_headers, _status, gatewayName) => responses.push(gatewayName),
      fetch: async (input) => {
        paths.push(input instanceof Request ? input.url : input.toString());
        return new Response('{}', { headers: { 'x-gateway-headers': '{}' } });
      },
    });
    const namedHttp = withGatewayName(http, 'staging');
    await namedHttp.read({ method: 'GET', path: '/healthz' });
    await namedHttp.open({
      method: 'POST',
      path: '/v1/chat/completions',
      body: {},
      signal: new AbortController().signal,
    });
    await namedHttp.read({ area: 'playground', method: 'GET', path: '/status' });
    await http.read({ method: 'GET', path: '/healthz' });
    expect(paths).toEqual([
      '/gateway/staging/healthz',
      '/gateway/staging/v1/chat/completions',
      '/playground/status',
      '/gateway/healthz',
    ]);
    expect(responses).toEqual(['staging', 'staging', 'staging', undefined]);
  });

  it('sends the name of a gateway in the path of a channel frame', async () => {
    const sentPaths: string[] = [];
    const channel: ChannelClient = {
      ensureConnected: async () => true,
      send: async ({ path }) => {
        sentPaths.push(path);
        return new ChannelResponse(null, {}, () => 0);
      },
      getState: () => 'open',
      isBuffered: () => false,
      closeAll: () => undefined,
    };
    const http = createHttp({ monotonicNow: () => 0, channel });
    const request = { method: 'POST', path: '/v1/embeddings', body: {} } as const;
    await http.read(request);
    await withGatewayName(http, 'staging').read(request);
    expect(sentPaths).toEqual(['/v1/embeddings', '/staging/v1/embeddings']);
  });

  it('sends nothing for text from a file or link that cannot be the name of a gateway', async () => {
    const paths: string[] = [];
    const http = createHttp({
      monotonicNow: () => 0,
      fetch: async (input) => {
        paths.push(
          new URL(input instanceof Request ? input.url : input.toString(), 'http://bench.test').pathname,
        );
        return new Response('{}');
      },
    });
    const hostileNames = [
      '..',
      '.',
      '//evil.test',
      'http://evil.test',
      'a/../b',
      '%2e%2e',
      'a?b',
      'a#b',
      'A',
      '__proto__',
      '',
    ];
    const name = fc.oneof(
      fc.constantFrom(...hostileNames),
      fc.string(),
      fc.stringMatching(/^[a-z][a-z0-9-]{0,25}$/),
    );
    await fc.assert(
      fc.asyncProperty(name, async (gatewayName) => {
        paths.length = 0;
        const send = async () =>
          withGatewayName(http, gatewayName).read({ method: 'POST', path: '/v1/embeddings', body: {} });
        const error: unknown = await send().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) expect(paths).toEqual([`/gateway/${gatewayName}/v1/embeddings`]);
        else {
          expect(error).toMatchObject({ report: { kind: 'unknown-gateway' } });
          expect(paths).toEqual([]);
        }
      }),
    );
  });

  it('stops reading after the timeout and cancels the body', async () => {
    const { body, isCancelled } = createEndlessBody('{');
    const http = createHttp({ monotonicNow: () => 0, fetch: async () => new Response(body) });
    const error: unknown = await http
      .read({ method: 'GET', path: '/x', timeoutMs: 20 })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      report: {
        source: 'app',
        kind: 'timeout',
        message: 'No response received for 0.02 s, so Bench closed the connection.',
      },
    });
    expect(isCancelled()).toBe(true);
  });

  it("rejects with the signal's reason if an abort caused the failure", async () => {
    const controller = new AbortController();
    const http = createHttp({
      monotonicNow: () => 0,
      fetch: async () => {
        controller.abort('no longer wanted');
        throw new TypeError('Failed to fetch');
      },
    });
    const responsePromise = http.read({ method: 'GET', path: '/x', signal: controller.signal });
    await expect(responsePromise).rejects.toBe('no longer wanted');
  });

  it('distinguishes an offline browser from an unreachable Bench server', async () => {
    const captureFailure = (isOnline: boolean, cause: unknown) =>
      createHttp({
        monotonicNow: () => 0,
        isOnline: () => isOnline,
        fetch: async () => {
          throw cause;
        },
      })
        .read({ method: 'GET', path: '/x' })
        .catch((reason: unknown) => reason);
    expect(await captureFailure(true, new TypeError('Failed to fetch'))).toMatchObject({
      report: { source: 'network', kind: 'proxy-unreachable', raw: 'TypeError: Failed to fetch' },
    });
    expect(await captureFailure(false, 'odd')).toMatchObject({
      report: { source: 'network', kind: 'offline', raw: 'No cause reported.' },
    });
  });

  it('reports a response body that breaks off as a lost connection', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError('network error')),
    });
    const http = createHttp({ monotonicNow: () => 0, fetch: async () => new Response(body) });
    const error: unknown = await http.read({ method: 'GET', path: '/x' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ report: { source: 'network', kind: 'connection-lost' } });
  });

  it('formats long timeouts in minutes', () => {
    const sentences = [119_000, 120_000, 600_000].map(
      (ms) => buildTimeoutReport(ms, 'No response received').message,
    );
    expect(sentences.map((text) => text.split(',')[0])).toEqual([
      'No response received for 120 s',
      'No response received for 2 minutes',
      'No response received for 10 minutes',
    ]);
  });

  it('reads at most 64 KiB of an error body and cancels the rest', async () => {
    const { body, isCancelled } = createEndlessBody('x'.repeat(100_000));
    const http = createHttp({
      monotonicNow: () => 0,
      fetch: async () => new Response(body, { status: 500 }),
    });
    const response = await http.read({ method: 'GET', path: '/x' });
    expect(response).toMatchObject({ status: 500, ok: false, isTruncated: true });
    expect(response.text).toHaveLength(64 * 1024);
    expect(isCancelled()).toBe(true);
  });

  it('reads a response without a body, with an arrival time only if a clock is given', async () => {
    const options = { monotonicNow: () => 0, fetch: async () => new Response(null, { status: 204 }) };
    const response = await createHttp(options).read({ method: 'GET', path: '/x' });
    expect(response).toStrictEqual({
      status: 204,
      ok: true,
      headers: {},
      isProxied: false,
      text: '',
      isTruncated: false,
      latencyMs: 0,
    });
    const timedResponse = await createHttp({ ...options, epochNow: () => 7 }).read({
      method: 'GET',
      path: '/x',
    });
    expect(timedResponse.receivedAt).toBe(7);
  });

  it('decodes characters that are split across packets', async () => {
    const bytes = new TextEncoder().encode('é漢👍');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const http = createHttp({ monotonicNow: () => 0, fetch: async () => new Response(body) });
    expect((await http.read({ method: 'GET', path: '/x' })).text).toBe('é漢👍');
  });
});
