import { describe, expect, it } from 'vitest';

import { getGatewayHeaders, isProxied, findRequestId, getGatewayStatus } from './headers.ts';

describe('getGatewayHeaders', () => {
  it("merges the gateway's packed and direct headers and drops the proxy's own", () => {
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
    expect(getGatewayHeaders(headers)).toEqual({
      date: 'then',
      server: 'nginx',
      'set-x': 'a, b',
      'content-type': 'text/event-stream',
      'x-request-id': 'r-1',
      'retry-after': '3',
      'x-ratelimit-limit-requests': '50',
    });
  });

  it('returns all headers if the packed headers are missing or invalid', () => {
    expect(getGatewayHeaders(new Headers({ server: 'a' }))).toEqual({ server: 'a' });
    expect(isProxied(new Headers({ server: 'a' }))).toBe(false);
    const unreadable = { server: 'a', 'x-gateway-headers': '{bad', 'x-gateway-status': '408' };
    expect(getGatewayHeaders(new Headers(unreadable))).toEqual({ server: 'a' });
  });

  it('treats a header named __proto__ as a plain name', () => {
    const headers = getGatewayHeaders(new Headers({ 'x-gateway-headers': '{"__proto__":"x"}' }));
    expect(Object.entries(headers)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });
});

describe('getGatewayStatus', () => {
  const getTestStatus = (status: number, headers: Record<string, string>) =>
    getGatewayStatus(new Response('', { status, headers }));
  const packedHeaders = { 'x-gateway-headers': '{}' };

  it("returns the gateway status from the header in place of the proxy's 502", () => {
    expect(getTestStatus(502, { ...packedHeaders, 'x-gateway-status': '408' })).toBe(408);
    expect(getTestStatus(502, packedHeaders)).toBe(502);
    expect(getTestStatus(503, packedHeaders)).toBe(503);
  });

  it('returns the response status if the status header is invalid or not from the proxy', () => {
    expect(getTestStatus(502, { 'x-gateway-status': '408' })).toBe(502);
    expect(getTestStatus(200, { ...packedHeaders, 'x-gateway-status': '408' })).toBe(200);
    for (const statusText of ['', '200', '4088', 'x'])
      expect(getTestStatus(502, { ...packedHeaders, 'x-gateway-status': statusText })).toBe(502);
  });
});

describe('findRequestId', () => {
  it.each(['x-request-id', 'request-id', 'x-generation-id', 'x-litellm-call-id', 'cf-ray'])(
    'reads the request ID from %s',
    (name) => {
      expect(findRequestId({ [name]: ' id-1 ' })).toBe('id-1');
    },
  );

  it("prefers the gateway's own request ID header and returns undefined if there is none", () => {
    expect(findRequestId({ 'cf-ray': 'b', 'x-request-id': 'a' })).toBe('a');
    expect(findRequestId({ 'x-request-id': ' ', 'cf-ray': 'b' })).toBe('b');
    expect(findRequestId({ server: 'x' })).toBeUndefined();
  });
});
