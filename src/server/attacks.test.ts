/** security.md as attacks on the built server, made again from their parts in each case; `npm run soak` makes many more. */
import { createServer } from 'node:net';
import { connect } from 'node:net';
import type { Server } from 'node:net';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cases } from '../testing/seeds.ts';
import { builtServer } from './testing/built-server.ts';
import type { BuiltServer, RunningServer } from './testing/built-server.ts';
import { chunk, LAST_CHUNK, scriptedGateway } from './testing/scripted-gateway.ts';
import type { ScriptedGateway } from './testing/scripted-gateway.ts';

const KEY = 'fk-Canary/7+q"9&Z';
const PASSWORD = 'a long enough password';
const CHAT = '/gateway/v1/chat/completions';

let built: BuiltServer;
let open: RunningServer;
let locked: RunningServer;
let gateway: ScriptedGateway;
let canary: Server;
let canaryHits = 0;
/** What the gateway says next, in these pieces. */
let script: readonly Buffer[] = [];
const portOf = { open: 0, locked: 0, canary: 0 };

beforeAll(async () => {
  gateway = await scriptedGateway(({ socket }) => {
    const pieces = [...script];
    const next = () => {
      const piece = pieces.shift();
      if (piece === undefined) socket.end();
      else socket.write(piece, () => setImmediate(next));
    };
    next();
  });
  canary = createServer((socket) => {
    canaryHits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  portOf.canary = typeof address === 'object' && address !== null ? address.port : 0;
  built = await builtServer();
  const settings = { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: KEY, GATEWAY_RPM: '0' };
  open = built.run('main', settings);
  locked = built.run('main', { ...settings, PLAYGROUND_PASSWORD: PASSWORD });
  portOf.open = Number(/:(\d+)\//.exec(await open.ready)?.[1]);
  portOf.locked = Number(/:(\d+)\//.exec(await locked.ready)?.[1]);
});

afterAll(async () => {
  for (const server of [open, locked]) server.process.kill('SIGKILL');
  await Promise.all([open.ended, locked.ended]);
  built.remove();
  await gateway.close();
  await new Promise((resolve) => canary.close(resolve));
});

/** All that comes back for these bytes until the server ends the connection, a byte a character. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    let received = '';
    socket.on('data', (data) => (received += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
  });
}

async function isWell(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${portOf.open}/playground/status`);
  return answer.status === 200 && open.process.exitCode === null && locked.process.exitCode === null;
}

/** Every program's way to write the key that the README promises to know. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  (text) => text.replace(/[&"/+]/g, (one) => `&#${one.charCodeAt(0)};`).replace('-', '&#45;'),
  (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&#x2F;'),
  (text) => Buffer.from(text).toString('hex'),
  (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  (text) => Buffer.from(text).toString('base64').slice(0, -2),
  (text) => Buffer.from(`Bearer ${text}`).toString('base64').slice(10),
  (text) => Buffer.from(`x ${text}`).toString('base64').slice(3, -3),
];

/** The bytes in pieces that end anywhere. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const edges = [...places.map((place) => Math.floor(place * bytes.length)), bytes.length].toSorted(
    (one, other) => one - other,
  );
  return edges
    .map((to, index) => bytes.subarray(edges[index - 1] ?? 0, to))
    .filter((piece) => piece.length > 0);
}

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 8 });

describe('the key', () => {
  /** Where a gateway can put it, in an answer that can be read. */
  const carriers: readonly ((echo: string, status: number) => string)[] = [
    (echo, status) => `HTTP/1.1 ${status} No\r\nx-debug: ${inHeader(echo)}\r\ncontent-length: 2\r\n\r\n{}`,
    (echo, status) => `HTTP/1.1 ${status} ${inHeader(echo)}\r\ncontent-length: 2\r\n\r\n{}`,
    (echo, status) => `HTTP/1.1 ${status} No\r\ncontent-length: ${echo.length}\r\n\r\n${echo}`,
    (echo, status) => `HTTP/1.1 ${status} No\r\nconnection: close\r\n\r\nbefore ${echo}${echo} after`,
    (echo, status) =>
      `HTTP/1.1 ${status} No\r\ntransfer-encoding: chunked\r\n\r\n${Array.from(echo, chunk).join('')}${LAST_CHUNK}`,
    (echo, status) =>
      `HTTP/1.1 ${status} No\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${chunk('data: a\n\n')}${Array.from(`data: ${echo}\n\n`, chunk).join('')}${LAST_CHUNK}`,
    (echo, status) =>
      `HTTP/1.1 103 Hints\r\nx-debug: ${inHeader(echo)}\r\n\r\nHTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\n{}`,
    (echo) => `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${portOf.canary}/${inHeader(echo)}\r\n\r\n`,
    (echo) => `HTTP/1.1 200 OK\r\ncontent-encoding: ${inHeader(echo)}\r\ncontent-length: 2\r\n\r\n\0\0`,
  ];

  it('comes back to nobody, whatever the gateway makes of it and however that is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SPELLINGS),
        fc.constantFrom(...carriers),
        fc.constantFrom(200, 400, 401, 407, 500),
        places,
        async (spell, carry, status, cuts) => {
          const echo = spell(KEY);
          script = cut(carry(echo, status), cuts);
          const answer = await fetch(`http://127.0.0.1:${portOf.open}${CHAT}`, {
            method: 'POST',
            headers: {
              origin: `http://127.0.0.1:${portOf.open}`,
              'content-type': 'application/json',
              'x-gateway-playground': '1',
              'sec-fetch-site': 'same-origin',
            },
            body: '{}',
          });
          const head = JSON.stringify([...answer.headers]) + answer.statusText;
          const seen = head + Buffer.from(await answer.arrayBuffer()).toString('latin1');
          expect(seen.replace(/\r\n[0-9a-f]*\r\n/gi, '')).not.toContain(echo);
          expect(open.stderr()).not.toContain(echo);
        },
      ),
      { numRuns: cases(150) },
    );
    expect([canaryHits, await isWell()]).toEqual([0, true]);
  });
});

/** What cannot be in a header becomes a dot. */
function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '.');
}

describe('a request', () => {
  const honest = {
    method: 'POST',
    target: CHAT,
    host: () => `127.0.0.1:${portOf.open}`,
    origin: () => `Origin: http://127.0.0.1:${portOf.open}`,
    type: 'Content-Type: application/json',
    mark: 'X-Gateway-Playground: 1',
    site: 'Sec-Fetch-Site: same-origin',
    length: 'Content-Length: 2',
  };
  type Part = keyof typeof honest;
  const foreign: readonly [part: Part, values: readonly string[]][] = [
    ['method', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD', 'post', 'POST\tX']],
    [
      'target',
      [
        '//CANARY/gateway/v1/chat/completions',
        'http://CANARY/gateway/v1/chat/completions',
        '/gateway/v1/../v1/chat/completions',
        '/gateway/%76%31/chat/completions',
        '/gateway/v1/chat/completions?url=http://CANARY/',
        '/gateway/v1/chat/completions/',
        '/gateway/v1/chat/completions#@CANARY',
        '/gateway/v1\\chat/completions',
        '/gateway//v1/chat/completions',
        '/gateway/v1/chat/completions%00',
        '/gateway/http://CANARY/',
        '*',
      ],
    ],
    ['host', ['evil.example', '127.0.0.1', 'CANARY', 'localhost.evil.example', '127.0.0.1:1@CANARY', '']],
    [
      'origin',
      [
        'Origin: http://evil.example',
        'Origin: null',
        'Origin: http://127.0.0.1',
        'Origin: http://CANARY',
        'Origin:',
      ],
    ],
    ['type', ['Content-Type: text/plain', 'Content-Type: application/x-www-form-urlencoded', 'X-None: 1']],
    ['mark', ['X-None: 1', 'X-Gateway-Playground: 0']],
    [
      'site',
      ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Site: none\r\nOrigin: null'],
    ],
    [
      'length',
      [
        'Content-Length: 2\r\nContent-Length: 3',
        'Content-Length: 2\r\nTransfer-Encoding: chunked',
        'Transfer-Encoding: chunked, identity',
        'Transfer-Encoding: xchunked',
        'Content-Length: -1',
        'Content-Length: 0x2',
        'Content-Length : 2',
        'Content-Length: 99999999999',
      ],
    ],
  ];

  /** With one part that no page of ours sends, and any others of that kind. */
  const hostile = fc
    .subarray(
      foreign.flatMap(([part, values]) => values.map((value): [Part, string] => [part, value])),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((changes) => new Map<Part, string>(changes));

  /** `connection`: what the client says of it after this request. */
  const bytesOf = (changes: ReadonlyMap<Part, string>, connection = 'close'): string => {
    const value = (part: Part) => {
      const given = changes.get(part) ?? honest[part];
      return (typeof given === 'string' ? given : given()).replaceAll('CANARY', `127.0.0.1:${portOf.canary}`);
    };
    const lines = [
      `${value('method')} ${value('target')} HTTP/1.1`,
      `Host: ${value('host')}`,
      ...(['origin', 'type', 'mark', 'site', 'length'] as const).map(value),
      `Connection: ${connection}`,
    ];
    return `${lines.join('\r\n')}\r\n\r\n{}`;
  };

  it('that no page of ours sends reaches neither the gateway nor anybody else, nor does what stands behind it', async () => {
    script = [Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')];
    await fc.assert(
      fc.asyncProperty(hostile, fc.boolean(), async (changes, hasMore) => {
        gateway.requests.length = 0;
        const more = hasMore && changes.get('method') === undefined ? bytesOf(new Map()) : '';
        const answer = await raw(portOf.open, bytesOf(changes, more === '' ? 'close' : 'keep-alive') + more);
        expect(answer.startsWith('HTTP/1.1 2') && gateway.requests.length > 0, answer.slice(0, 200)).toBe(
          false,
        );
        expect(gateway.requests.map(({ head }) => head)).toEqual([]);
      }),
      { numRuns: cases(150) },
    );
    expect([canaryHits, await isWell()]).toEqual([0, true]);
  });

  it('that a page of ours sends reaches it, so that the one above tells something', async () => {
    script = [Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')];
    gateway.requests.length = 0;
    expect(await raw(portOf.open, bytesOf(new Map()))).toMatch(/^HTTP\/1\.1 200 /);
    expect(gateway.requests.map(({ head }) => head.match(/authorization: .*/gi))).toEqual([
      [`authorization: Bearer ${KEY}`],
    ]);
  });

  it('without a session is let in by no cookie that can be made up', async () => {
    const name = `bench_session_${portOf.locked}`;
    const values = fc.oneof(
      fc.stringMatching(/^[\w.=-]{0,90}$/),
      fc
        .tuple(fc.nat(), fc.stringMatching(/^[\w-]{43}$/))
        .map(([at, mac]) => `${(Date.now() + at).toString(36)}.${mac}`),
      fc.constantFrom('__proto__', 'constructor.x', '.', '..', 'zzzzzzzzz.', '-1.AAAA'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 5 }), async (given) => {
        const cookie = given.map((value) => `${name}=${value}`).join('; ');
        const answer = await fetch(`http://127.0.0.1:${portOf.locked}/playground/status`, {
          headers: { cookie },
        });
        expect(answer.status).toBe(401);
      }),
      { numRuns: cases(50) },
    );
  });
});

it('bytes that are not an answer, or only half of one, never stop the server', async () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const parts = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.constantFrom(
      head,
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 999 Odd\r\n',
      'content-length: 5\r\n',
      'content-length: 7\r\n',
      'transfer-encoding: chunked\r\n',
      'content-encoding: gzip\r\n',
      'content-encoding: br, gzip\r\n',
      'x: a\r\n b\r\n',
      '__proto__: 1\r\n',
      '\r\n',
      '5\r\nhello\r\n',
      'ffffffff\r\n',
      '0\r\n\r\n',
      'data: {"a"\n\n',
      '\x1f\x8b\x08\0',
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { maxLength: 8 }),
      fc.boolean(),
      places,
      async (pieces, hasHead, cuts) => {
        script = cut((hasHead ? head : '') + pieces.join(''), cuts);
        const answer = await raw(
          portOf.open,
          `POST ${CHAT} HTTP/1.1\r\nHost: 127.0.0.1:${portOf.open}\r\nOrigin: http://127.0.0.1:${portOf.open}\r\nContent-Type: application/json\r\nX-Gateway-Playground: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
      },
    ),
    { numRuns: cases(100) },
  );
  expect(await isWell()).toBe(true);
});
