import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { parseListenHost } from '../listen-host.ts';
import { MAX_BODY_BYTES } from '../proxy/request-body.ts';
import { createGuardSettings } from './allowed-hosts.ts';
import { checkRequest, withoutHeader } from './guard.ts';
import { findTargetProblem } from './request-target.ts';

const settings = createGuardSettings(
  readConfig(() => undefined, { port: 4780 }),
  4780,
);
const HOST = '127.0.0.1:4780';
const ORIGIN = 'http://127.0.0.1:4780';

function getDecision(
  method: string,
  target: string,
  headers: Record<string, string>,
  extraHeaders: readonly string[] = [],
) {
  const decision = checkRequest(
    { method, target, rawHeaders: [...Object.entries(headers).flat(), ...extraHeaders] },
    settings,
  );
  return decision.name === 'refused' ? decision.error.type : decision.name;
}

it('accepts request targets of up to 4,096 characters', () => {
  const start = '/s/';
  expect(findTargetProblem(start.padEnd(4096, 'a'))).toBeUndefined();
  expect(findTargetProblem(start.padEnd(4097, 'a'))).toBe('The address is too long.');
});

const GOOD_POST = {
  Host: HOST,
  Origin: ORIGIN,
  'Content-Type': 'application/json',
  'X-Gateway-Playground': '1',
  'Content-Length': '2',
};
const CHAT_PATH = '/gateway/v1/chat/completions';

describe('a POST', () => {
  it('allows a POST from a page of this server', () => {
    expect(getDecision('POST', CHAT_PATH, GOOD_POST)).toBe('allowed');
    const { Origin: _origin, ...withoutOrigin } = GOOD_POST;
    expect(getDecision('POST', CHAT_PATH, { ...withoutOrigin, 'Sec-Fetch-Site': 'same-origin' })).toBe(
      'allowed',
    );
  });

  it('allows a POST for exactly one combination of origin, content type and header', () => {
    const origins = [ORIGIN, 'http://evil.example', 'null', 'http://127.0.0.1:4781'];
    const types = [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json-seq',
    ];
    const allowedRequests = origins.flatMap((Origin) =>
      types.flatMap((type) =>
        [true, false].filter((isMarked) => {
          const headers = {
            Host: HOST,
            Origin,
            'Content-Type': type,
            ...(isMarked ? { 'x-gateway-playground': '1' } : {}),
          };
          return getDecision('POST', CHAT_PATH, headers) === 'allowed';
        }),
      ),
    );
    expect(allowedRequests).toEqual([true]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['without Origin or Sec-Fetch-Site', { Origin: '' }, 'forbidden_origin'],
    [
      'with a foreign Sec-Fetch-Site and a valid Origin',
      { 'Sec-Fetch-Site': 'cross-site' },
      'forbidden_origin',
    ],
    ['from another port of the same machine', { 'Sec-Fetch-Site': 'same-site' }, 'forbidden_origin'],
    [
      'entered by the user, from a page without an origin',
      { 'Sec-Fetch-Site': 'none', Origin: 'null' },
      'forbidden_origin',
    ],
    ['with another value of the marker header', { 'X-Gateway-Playground': '0' }, 'forbidden_origin'],
    ['with a compressed body', { 'Content-Encoding': 'gzip' }, 'unsupported_media_type'],
    ['with Expect', { Expect: '100-continue' }, 'invalid_request'],
    [
      'with Expect and a body above the limit',
      { Expect: '100-continue', 'Content-Length': String(21 << 20) },
      'request_too_large',
    ],
    ['with Upgrade', { Upgrade: 'websocket' }, 'invalid_request'],
    [
      'with an unknown transfer encoding',
      { 'Transfer-Encoding': 'gzip, chunked', 'Content-Length': '' },
      'invalid_request',
    ],
    ['with a length and a transfer encoding', { 'Transfer-Encoding': 'chunked' }, 'invalid_request'],
    ['with a length that is not a number', { 'Content-Length': '+5' }, 'invalid_request'],
    [
      'with Expect and a body at the limit',
      { Expect: '100-continue', 'Content-Length': String(MAX_BODY_BYTES) },
      'invalid_request',
    ],
    ['without a content type', { 'Content-Type': '' }, 'unsupported_media_type'],
  ])('rejects a POST %s', (_name, changes, type) => {
    const headers = Object.fromEntries(
      Object.entries({ ...GOOD_POST, ...changes }).filter(([, value]) => value !== ''),
    );
    expect(getDecision('POST', CHAT_PATH, headers)).toBe(type);
  });

  it.each(['Host', 'Origin', 'Content-Type', 'Content-Length', 'X-Gateway-Playground'])(
    'rejects a POST with a second %s',
    (name) => {
      expect(getDecision('POST', CHAT_PATH, GOOD_POST, [name.toUpperCase(), 'x'])).toBe('invalid_request');
    },
  );

  it('accepts a chunked POST without a length', () => {
    const { 'Content-Length': _length, ...withoutLength } = GOOD_POST;
    expect(getDecision('POST', CHAT_PATH, { ...withoutLength, 'Transfer-Encoding': 'Chunked' })).toBe(
      'allowed',
    );
    expect(getDecision('POST', CHAT_PATH, withoutLength)).toBe('allowed');
  });

  it('rejects a POST to a page', () => {
    expect(getDecision('POST', '/', GOOD_POST)).toBe('method_not_allowed');
  });

  it('accepts spaces around header values', () => {
    const spacedHeaders = Object.entries(GOOD_POST).map(([name, value]) => [name, ` ${value} `]);
    expect(getDecision('POST', CHAT_PATH, Object.fromEntries(spacedHeaders))).toBe('allowed');
  });
});

describe('Host header', () => {
  it('accepts every loopback name as Host', () => {
    for (const host of ['127.0.0.1:4780', 'localhost:4780', 'LOCALHOST:4780', '[::1]:4780'])
      expect(getDecision('GET', '/playground/status', { Host: host }), host).toBe('allowed');
  });

  it('rejects any other Host on every route and method', () => {
    const hosts = [
      'evil.com',
      'localhost.evil.com:4780',
      '127.0.0.1.nip.io:4780',
      '127.0.0.1:4781',
      '127.0.0.1',
      'localhost',
      '',
      '[::1',
      '%',
      'localhost@evil.com',
      'localhost:4780@evil.com',
      '127.0.0.1:4780, evil.com',
      '127.1:4780',
      '0.0.0.0:4780',
      'localhost.:4780',
      '127.0.0.1:04780',
    ];
    const requests = [
      ['GET', '/'],
      ['GET', '/gateway/v1/models'],
      ['POST', CHAT_PATH],
      ['OPTIONS', '/'],
      ['GET', '//x'],
    ] as const;
    for (const host of hosts) {
      for (const [method, target] of requests)
        expect(getDecision(method, target, { ...GOOD_POST, Host: host }), host).toBe('forbidden_host');
    }
  });

  it('requires exactly one Host', () => {
    expect(getDecision('GET', '/', {})).toBe('invalid_request');
    expect(getDecision('GET', '/', { Host: HOST }, ['host', HOST])).toBe('invalid_request');
  });

  it('accepts hosts from PLAYGROUND_ALLOWED_HOSTS over http and https', () => {
    const listenHost = parseListenHost('127.0.0.1');
    if (listenHost === undefined) throw new Error('127.0.0.1 must be allowed');
    const proxySettings = createGuardSettings(
      { listenHost, allowedHosts: ['bench.example', 'b.example:8443'] },
      4780,
    );
    const checkHostAndOrigin = (host: string, origin: string) =>
      checkRequest(
        {
          method: 'POST',
          target: CHAT_PATH,
          rawHeaders: Object.entries({ ...GOOD_POST, Host: host, Origin: origin }).flat(),
        },
        proxySettings,
      ).name;
    expect(checkHostAndOrigin('bench.example', 'https://bench.example')).toBe('allowed');
    expect(checkHostAndOrigin('b.example:8443', 'https://b.example:8443')).toBe('allowed');
    expect(checkHostAndOrigin('bench.example', 'https://evil.example')).toBe('refused');
    expect(checkHostAndOrigin('b.example', 'https://b.example')).toBe('refused');
    expect(checkHostAndOrigin(HOST, `https://${HOST}`)).toBe('refused');
  });
});

describe('request target', () => {
  it('accepts any plain path as the request target', () => {
    const targets = [
      '/',
      '/history',
      '/s/0abc',
      '/assets/index-abc.js',
      '/gateway/healthz',
      '/@vite/client',
      '/src/main.tsx?t=1',
      '/a%20b?q=%2e%2e',
      '/.well-known/x',
    ];
    for (const target of targets)
      expect(getDecision('GET', target, { Host: HOST, 'Sec-Fetch-Dest': 'script' }), target).toBe('allowed');
  });

  it('rejects anything but a plain path as the request target', () => {
    const targets = [
      'http://evil.example/',
      'https://evil.example/gateway/v1/models',
      '//evil.example/',
      '/\\evil.example',
      '\\evil',
      '*',
      'evil.example:443',
      '',
      '?x',
      '/../etc/passwd',
      '/a/../../x',
      '/./x',
      '/..',
      '/%2e%2e/x',
      '/%2E%2E%2f',
      '/a%2fb',
      '/a%5cb',
      '/..\\x',
      '/%00',
      '/a%0d%0ax',
      '/%7f',
      '/%',
      '/%zz',
      '/a b',
      '/a\tb',
      '/a\u0000b',
      '/é',
      '/#/../',
      '/gateway/v1/models#x',
      '/gateway/v1/../v1/models',
    ];
    for (const target of targets)
      expect(getDecision('GET', target, { Host: HOST }), target).toBe('invalid_request');
  });
});

it('removes only the given header and its value', () => {
  const headers = ['Origin', 'upgrade', 'Upgrade', 'websocket', 'X-Last', 'upgrade', 'UPGRADE', 'h2c'];
  expect(withoutHeader(headers, 'upgrade')).toEqual(['Origin', 'upgrade', 'X-Last', 'upgrade']);
});

describe('request methods', () => {
  it.each(['OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'get'])(
    'rejects %s everywhere',
    (method) => {
      expect(getDecision(method, '/', { Host: HOST })).toBe('method_not_allowed');
      expect(getDecision(method, CHAT_PATH, GOOD_POST)).toBe('method_not_allowed');
    },
  );

  it('lists the allowed methods in a rejection and sends no unnecessary headers', () => {
    const getError = (method: string, target: string, headers: Record<string, string>) => {
      const decision = checkRequest({ method, target, rawHeaders: Object.entries(headers).flat() }, settings);
      return decision.name === 'refused' ? decision.error : undefined;
    };
    expect(getError('PUT', '/', { Host: HOST })?.headers).toEqual({ allow: 'GET, HEAD, POST' });
    expect(getError('POST', '/', GOOD_POST)?.headers).toEqual({ allow: 'GET, HEAD' });
    expect(getError('GET', '/', {})).not.toHaveProperty('headers');
  });

  it('rejects a GET with a body', () => {
    expect(getDecision('GET', '/', { Host: HOST, 'Content-Length': '1' })).toBe('invalid_request');
    expect(getDecision('GET', '/', { Host: HOST, 'Content-Length': '0' })).toBe('allowed');
    expect(getDecision('GET', '/', { Host: HOST, 'Content-Length': '5' })).toBe('invalid_request');
    expect(getDecision('GET', '/', { Host: HOST, 'Transfer-Encoding': 'chunked' })).toBe('invalid_request');
  });
});

describe('requests from other sites', () => {
  const crossSite = { Host: HOST, 'Sec-Fetch-Site': 'cross-site' };
  it('allows links from other sites to a page', () => {
    const link = { ...crossSite, 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };
    expect(getDecision('GET', '/history', { ...link, 'Sec-Fetch-Dest': 'document' })).toBe('allowed');
    expect(getDecision('HEAD', '/history', link)).toBe('allowed');
  });

  it('allows a URL typed by the user', () => {
    expect(getDecision('GET', '/gateway/v1/models', { Host: HOST, 'Sec-Fetch-Site': 'none' })).toBe(
      'allowed',
    );
  });

  it.each<[string, string, Record<string, string>]>([
    ['a script', '/assets/index-abc.js', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
    ['an image', '/favicon.svg', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
    ['a frame', '/', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe', Accept: 'text/html' }],
    ['API data', '/gateway/v1/models', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    [
      'a link to the API',
      '/gateway/v1/models',
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', Accept: 'text/html' },
    ],
    [
      'the data of a page',
      '/history',
      { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty', Accept: 'text/html' },
    ],
    [
      'a page loaded as another resource type',
      '/history',
      { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'empty', Accept: 'text/html' },
    ],
    [
      'a page without navigation',
      '/history',
      { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'document', Accept: 'text/html' },
    ],
    ['data with an Origin', '/playground/status', { Origin: 'http://evil.example' }],
  ])('rejects a request from another site for %s', (_name, target, headers) => {
    expect(getDecision('GET', target, { ...crossSite, ...headers })).toBe('forbidden_origin');
  });
});

describe('pages at localhost', () => {
  it('redirects pages at localhost to the canonical host with path and query', () => {
    const decision = checkRequest(
      { method: 'GET', target: '/s/1?x=2', rawHeaders: ['Host', 'localhost:4780', 'Accept', 'text/html'] },
      settings,
    );
    expect(decision).toEqual({ name: 'redirected', location: 'http://127.0.0.1:4780/s/1?x=2' });
  });

  it('redirects only requests that may be for a page', () => {
    const checkHistory = (method: string, headers: Record<string, string>) =>
      getDecision(method, '/history', { Host: 'localhost:4780', ...headers });
    expect(checkHistory('GET', {})).toBe('redirected');
    expect(checkHistory('HEAD', { Accept: '*/*' })).toBe('redirected');
    expect(checkHistory('GET', { 'Sec-Fetch-Dest': 'empty' })).toBe('redirected');
    expect(checkHistory('GET', { 'Sec-Fetch-Dest': 'document' })).toBe('redirected');
    expect(checkHistory('GET', { 'Sec-Fetch-Dest': 'iframe' })).toBe('allowed');
    const post = { ...GOOD_POST, Host: 'localhost:4780', Origin: 'http://localhost:4780' };
    expect(getDecision('POST', CHAT_PATH, post)).toBe('allowed');
  });

  it('does not redirect requests for files or the API, or requests that do not accept HTML', () => {
    expect(getDecision('GET', '/assets/a-12345678.js', { Host: 'localhost:4780' })).toBe('allowed');
    expect(getDecision('GET', '/gateway/healthz', { Host: 'localhost:4780', Accept: 'text/html' })).toBe(
      'allowed',
    );
    expect(getDecision('GET', '/history', { Host: 'localhost:4780', Accept: 'application/json' })).toBe(
      'allowed',
    );
  });
});
