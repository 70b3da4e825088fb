import { describe, expect, it } from 'vitest';

import { headersOf, isProxied, requestIdOf, statusOf } from './headers.ts';

describe('headersOf', () => {
  it("puts the packed headers of the gateway beside those that pass directly, without the proxy's own", () => {
    const headers = new Headers({
      'content-type': 'text/event-stream',
      'x-request-id': 'r-1',
      'retry-after': '3',
      'x-ratelimit-limit-requests': '50',
      'cache-control': 'no-store',
      date: 'now',
      'x-gateway-headers': JSON.stringify({
        Date: 'then',
        server: 'nginx',
        'set-x': ['a', 'b'],
        bad: 7,
        'content-type': 'x/y',
      }),
    });
    expect(isProxied(headers)).toBe(true);
    expect(headersOf(headers)).toEqual({
      date: 'then',
      server: 'nginx',
      'set-x': 'a, b',
      'content-type': 'text/event-stream',
      'x-request-id': 'r-1',
      'retry-after': '3',
      'x-ratelimit-limit-requests': '50',
    });
  });

  it('takes all headers where nothing is packed, or what is packed cannot be read', () => {
    expect(headersOf(new Headers({ server: 'a' }))).toEqual({ server: 'a' });
    expect(isProxied(new Headers({ server: 'a' }))).toBe(false);
    const unreadable = { server: 'a', 'x-gateway-headers': '{bad', 'x-gateway-status': '408' };
    expect(headersOf(new Headers(unreadable))).toEqual({ server: 'a' });
  });

  it('keeps a header named __proto__ a plain name', () => {
    const headers = headersOf(new Headers({ 'x-gateway-headers': '{"__proto__":"x"}' }));
    expect(Object.entries(headers)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });
});

describe('statusOf', () => {
  const answer = (status: number, headers: Record<string, string>) =>
    statusOf(new Response('', { status, headers }));
  const passed = { 'x-gateway-headers': '{}' };

  it('is the status that the proxy names in the place of its 502', () => {
    expect(answer(502, { ...passed, 'x-gateway-status': '408' })).toBe(408);
    expect(answer(502, passed)).toBe(502);
    expect(answer(503, passed)).toBe(503);
  });

  it('is that of the answer where the header is not of our proxy, or no such status', () => {
    expect(answer(502, { 'x-gateway-status': '408' })).toBe(502);
    expect(answer(200, { ...passed, 'x-gateway-status': '408' })).toBe(200);
    for (const named of ['', '200', '4088', 'x'])
      expect(answer(502, { ...passed, 'x-gateway-status': named })).toBe(502);
  });
});

describe('requestIdOf', () => {
  it.each(['x-request-id', 'request-id', 'x-generation-id', 'x-litellm-call-id', 'cf-ray'])(
    'reads %s',
    (name) => {
      expect(requestIdOf({ [name]: ' id-1 ' })).toBe('id-1');
    },
  );

  it("prefers the gateway's own name for it, and knows when there is none", () => {
    expect(requestIdOf({ 'cf-ray': 'b', 'x-request-id': 'a' })).toBe('a');
    expect(requestIdOf({ 'x-request-id': ' ', 'cf-ray': 'b' })).toBe('b');
    expect(requestIdOf({ server: 'x' })).toBeUndefined();
  });
});
