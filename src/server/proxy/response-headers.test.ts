import { describe, expect, it } from 'vitest';

import { isRecord, parseJson } from '../../lib/json.ts';
import { filterResponseHeaders } from './response-headers.ts';

const filterHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(filterResponseHeaders(new Headers(headers), (text) => text));

const readPackedHeaders = (headers: Record<string, string>): Record<string, unknown> => {
  const parsed = parseJson(filterHeaders(headers)['x-gateway-headers'] ?? '');
  return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
};

describe('forwarded headers', () => {
  it('omits forwarded headers whose value is long or not plain text', () => {
    const filtered = filterHeaders({
      'content-type': 'x'.repeat(256),
      'retry-after': 'x'.repeat(257),
      'x-request-id': 'é',
      'x-ratelimit-a': 'x'.repeat(256),
      'x-ratelimit-b': 'x'.repeat(257),
      'x-ratelimit-c': 'é',
    });
    expect(Object.keys(filtered)).toEqual(['content-type', 'x-ratelimit-a', 'x-gateway-headers']);
    expect(filtered['x-gateway-headers']).toBe('{}');
  });

  it('forwards at most 32 rate limit headers', () => {
    const names = Array.from({ length: 40 }, (_, index) => `x-ratelimit-${index + 10}`);
    const filtered = Object.keys(filterHeaders(Object.fromEntries(names.map((name) => [name, '1']))));
    expect(filtered).toEqual([...names.slice(0, 32), 'x-gateway-headers']);
  });
});

describe('packed headers', () => {
  it('cuts and writes packed headers in ASCII, without cookies and connection headers', () => {
    expect(
      readPackedHeaders({
        [`x-${'n'.repeat(80)}`]: 'v'.repeat(2000),
        'set-cookie': 'a=b',
        connection: 'close',
        'keep-alive': '5',
      }),
    ).toEqual({ [`x-${'n'.repeat(62)}`]: 'v'.repeat(1024) });
    expect(filterHeaders({ 'x-a': 'é"', 'x-b': '1' })['x-gateway-headers']).toBe(
      String.raw`{"x-a":"\u00e9\"","x-b":"1"}`,
    );
  });

  it('limits packed headers to 6 KB, omitting only those that do not fit', () => {
    const fiveHeaders = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`x-${name}`, 'v'.repeat(1024)]),
    );
    expect(Object.keys(readPackedHeaders({ ...fiveHeaders, 'x-f': 'v'.repeat(968) }))).toContain('x-f');
    expect(Object.keys(readPackedHeaders({ ...fiveHeaders, 'x-f': 'v'.repeat(969), 'x-g': '1' }))).toEqual([
      ...Object.keys(fiveHeaders),
      'x-g',
    ]);
  });
});
