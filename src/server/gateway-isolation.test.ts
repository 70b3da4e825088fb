/**
 * Requests over the POST and GET routes and over the channel, with names, addresses, headers and bodies that try to
 * choose where a request or a key goes.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';

import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

import {
  channelPath,
  channelProtocol,
  decodeBytesFrame,
  demoHeader,
  encodeBytesFrame,
} from '../lib/channel-frames.ts';
import { getOwnProperty, parseJson } from '../lib/json.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { startTestPlayground, type TestPlayground } from './testing/test-playground.ts';

const names = ['one', 'two', 'three'] as const;
type Name = (typeof names)[number];

const keys = { one: 'fk-one/1234567890', two: 'sk-two+"1234567890', three: 'fk-three-1234567890' };
/** A further header of each gateway, with a value that must stay secret. */
const secretHeaders = {
  one: ['x-desk', 'desk-yellow-421377'],
  two: ['x-tenant-token', 'tenant-violet-99'],
  three: ['api-key', 'Key hidden-orange-7'],
} as const;
const secrets = names.flatMap((name) => [keys[name], secretHeaders[name][1]]);

const encoders = [
  (text: string) => text,
  (text: string) => JSON.stringify(text).slice(1, -1),
  (text: string) => encodeURIComponent(text),
  // Without the last character, which depends on what follows.
  (text: string) =>
    Buffer.from(text)
      .toString('base64')
      .slice(0, Math.floor((text.length * 4) / 3)),
  (text: string) => Buffer.from(text).toString('hex'),
];
const encodedSecrets = secrets.flatMap((secret) => encoders.map((encode) => encode(secret)));

const answerKinds = ['redirect', 'json', 'error', 'stream', 'headers'] as const;
/** Stands for the address of a gateway, or of a server that is not configured, in the generated texts. */
const addressMarks = ['ADDRESS-one', 'ADDRESS-two', 'ADDRESS-three', 'ADDRESS-other'] as const;

const postRoutes = ['/v1/chat/completions', '/v1/embeddings'];
const getRoutes = ['/v1/models', '/healthz'];

const address = fc.constantFrom(...addressMarks);
const url = address.map((host) => `http://${host}/v1/chat/completions`);
const gatewayName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(undefined, ...names) },
  fc.constantFrom(
    'demo',
    'default',
    'four',
    'v1',
    'healthz',
    'channel',
    'One',
    'TWO',
    '%6fne',
    'one%2f',
    'one/two',
  ),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    'one/..',
    'one/',
    '/one',
    'one@',
    'one:80',
    'one?',
    'one;two',
    'one,two',
    '__proto__',
  ),
  address,
  address.map((host) => `one@${host}`),
  url,
  url.map(encodeURIComponent),
);
const headers = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom('forwarded', 'via', 'x-forwarded-host', 'x-forwarded-for', 'x-original-host', 'x-host'),
      fc.oneof(
        address,
        address.map((host) => `host=${host};proto=http`),
      ),
    ),
    fc.tuple(
      fc.constantFrom(
        'referer',
        'x-original-url',
        'x-rewrite-url',
        'x-gateway-base-url',
        'destination',
        'location',
        'accept',
      ),
      url,
    ),
    fc.tuple(
      fc.constantFrom(
        'authorization',
        'proxy-authorization',
        'cookie',
        ...names.map((name) => secretHeaders[name][0]),
      ),
      fc.constantFrom('Bearer fk-of-the-page-12345', 'gateway=two'),
    ),
    fc.tuple(fc.constantFrom('x-gateway', 'x-gateway-name', 'gateway'), fc.constantFrom(...names)),
  ),
  { maxLength: 4 },
);
const body = fc.record(
  {
    model: fc.oneof(fc.constantFrom('north/one', 'two:north/one', '@three/north'), url),
    messages: fc.constant([{ role: 'user', content: 'Hello' }]),
    base_url: url,
    api_base: url,
    gateway: fc.oneof(fc.constantFrom(...names), url),
    api_key: fc.constantFrom('fk-of-the-page-12345', '$GATEWAY_TWO_API_KEY'),
    headers: fc.record({ host: address, authorization: fc.constant('Bearer fk-of-the-page-12345') }),
  },
  { requiredKeys: [] },
);
const attack = fc.record({
  transport: fc.constantFrom('http', 'http', 'http', 'channel'),
  method: fc.constantFrom('POST', 'POST', 'GET'),
  name: gatewayName,
  route: fc.constantFrom(...postRoutes, ...getRoutes),
  /** Text before and after the path, which makes it a different one. */
  prefix: fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    url,
    address.map((host) => `//${host}`),
  ),
  suffix: fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    fc.constantFrom('/', '/..', '%2f', '?gateway=two', '/../../two/v1/chat/completions'),
    url.map((target) => `?base_url=${target}`),
  ),
  host: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, address),
  isForDemo: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  headers,
  body,
  answer: fc.record({
    kind: fc.constantFrom(...answerKinds),
    status: fc.constantFrom(301, 302, 303, 307, 308),
    redirectUrl: url,
    encode: fc.constantFrom(...encoders),
    cuts: fc.array(fc.nat(400), { maxLength: 4 }),
  }),
});
type Attack = typeof attack extends fc.Arbitrary<infer Value> ? Value : never;

/** Listens on a free port and closes at the end of the test. */
async function listenForTest(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? `127.0.0.1:${bound.port}` : '';
}

interface ReceivedRequest {
  name: Name;
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
}

/** Starts three gateways, a server that is not configured, and a playground in front of them and the demo gateway. */
async function startGateways() {
  const received: ReceivedRequest[] = [];
  let otherRequests = 0;
  let answer: Attack['answer'] | undefined;
  const hosts: Record<string, string> = {};
  /** Replaces the marks by the addresses of this run. */
  const resolveText = (text: string) => text.replaceAll(/ADDRESS-\w+/g, (mark) => hosts[mark] ?? mark);

  const startGateway = (name: Name) =>
    listenForTest((request, response) => {
      request.resume();
      const lines = request.rawHeaders.flatMap((text, index) =>
        index % 2 === 0 ? [[text.toLowerCase(), request.rawHeaders[index + 1] ?? ''] as const] : [],
      );
      received.push({ name, path: request.url ?? '', headers: lines });
      if (answer !== undefined) sendEcho(response, answer, JSON.stringify(lines), resolveText);
    });
  for (const name of names) hosts[`ADDRESS-${name}`] = await startGateway(name);
  hosts['ADDRESS-other'] = await listenForTest((_, response) => {
    otherRequests += 1;
    response.end();
  });
  const settings = names.flatMap((name) => {
    const prefix = `GATEWAY_${name.toUpperCase()}`;
    const [header, value] = secretHeaders[name];
    return [
      [`${prefix}_BASE_URL`, `http://${hosts[`ADDRESS-${name}`]}/v1`],
      [`${prefix}_API_KEY`, keys[name]],
      [`${prefix}_EXTRA_HEADERS`, JSON.stringify({ [header]: value })],
    ];
  });
  const playground = await startTestPlayground({
    GATEWAYS: 'one,two,three,demo',
    GATEWAY_RPM: '0',
    ...Object.fromEntries(settings),
  });
  onTestFinished(playground.close);
  return {
    playground,
    hosts,
    resolveText,
    countOtherRequests: () => otherRequests,
    /** Sets the next answer of all gateways. Returns the requests that arrive from now on. */
    prepare: (nextAnswer: Attack['answer']) => {
      answer = nextAnswer;
      received.length = 0;
      return received;
    },
  };
}

/** Answers with the headers of the request and the secrets of every gateway, in one of the forms of an answer. */
function sendEcho(
  response: ServerResponse,
  { kind, status, redirectUrl, encode, cuts }: Attack['answer'],
  requestLines: string,
  resolveText: (text: string) => string,
): void {
  const leakedText = `${requestLines} ${secrets.map(encode).join(' ')}`;
  const json = { 'content-type': 'application/json' };
  if (kind === 'redirect') {
    const location = new URL(resolveText(redirectUrl));
    location.username = keys.two;
    location.search = secrets.map(encodeURIComponent).join('&');
    response.writeHead(status, { location: location.href, 'x-location': leakedText }).end(leakedText);
  } else if (kind === 'headers') {
    const values = { 'x-request-id': keys.one, 'x-ratelimit-key': encode(keys.two), 'x-seen': leakedText };
    response.writeHead(200, { ...json, ...values }).end('{}');
  } else if (kind === 'stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = `data: ${leakedText}\n\ndata: [DONE]\n\n`;
    const positions = [0, ...cuts.toSorted((first, second) => first - second), text.length];
    for (const [index, position] of positions.entries())
      response.write(text.slice(position, positions[index + 1] ?? position));
    response.end();
  } else {
    const error = { message: leakedText, type: 'x', code: '400' };
    response.writeHead(kind === 'error' ? 400 : 200, json).end(JSON.stringify({ error }));
  }
}

interface PageResponse {
  /** 0 if the server refused or closed the channel. */
  status: number;
  /** Everything that the page receives, without the framing. */
  text: string;
}

async function sendOverHttp(
  { port }: TestPlayground,
  method: string,
  path: string,
  requestHeaders: readonly string[],
  text: string,
): Promise<PageResponse> {
  const request = sendRequest({ host: '127.0.0.1', port, method, path, headers: requestHeaders, agent });
  request.end(text);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  let received = response.rawHeaders.join('\n');
  for await (const bytes of response) received += String(bytes);
  return { status: response.statusCode ?? 0, text: received };
}

async function sendOverChannel(
  { port, origin }: TestPlayground,
  frame: Record<string, unknown>,
  requestHeaders: Record<string, string>,
  text: string,
): Promise<PageResponse> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${channelPath}`, channelProtocol, {
    origin,
    headers: requestHeaders,
  });
  const result: PageResponse = { status: 0, text: '' };
  socket.on('error', () => undefined);
  socket.on('open', () => {
    socket.send(JSON.stringify({ runs: [] }));
    socket.send(JSON.stringify({ run: 1, accept: '*/*', bytes: Buffer.byteLength(text), ...frame }));
    socket.send(encodeBytesFrame(1, 0, Buffer.from(text)));
  });
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      result.text += Buffer.from(decodeBytesFrame(data)?.bytes ?? []).toString();
      return;
    }
    result.text += data.toString();
    const parsed = parseJson(data.toString());
    const value = parsed.ok ? parsed.value : undefined;
    const status = getOwnProperty(value, 'status');
    if (typeof status === 'number') result.status = status;
    if (getOwnProperty(value, 'end') !== undefined) socket.close();
  });
  await new Promise((resolve) => socket.on('close', resolve));
  return result;
}

const agent = new Agent({ keepAlive: true });

/** Returns the gateway that a request must reach, if any; the demo gateway has no server of its own. */
function findExpectedName(sent: Attack): Name | 'demo' | undefined {
  const { transport, method, name, route, prefix, suffix, host, isForDemo } = sent;
  const isPost = postRoutes.includes(route);
  const isRoute = transport === 'channel' ? isPost : isPost === (method === 'POST');
  if (prefix !== '' || suffix !== '' || host !== undefined || !isRoute) return undefined;
  const target = name === undefined ? 'one' : [...names, 'demo' as const].find((text) => text === name);
  return target !== undefined && isForDemo ? 'demo' : target;
}

const expectedStatuses = { redirect: 502, json: 200, error: 400, stream: 200, headers: 200 };
/** Headers that the proxy sends, besides those of the configuration. */
const proxyHeaders =
  /^(?:host|connection|accept|accept-encoding|authorization|content-type|content-length|user-agent|x-request-id)$/;

it('sends no request and no key to an address that a page, a link, a file or a gateway chose', async () => {
  const { playground, hosts, resolveText, prepare, countOtherRequests } = await startGateways();
  onTestFinished(() => agent.destroy());
  const reachedNames = new Set<string | undefined>();

  await fc.assert(
    fc.asyncProperty(attack, async (sent) => {
      const received = prepare(sent.answer);
      const segment = sent.name === undefined ? '' : `/${sent.name}`;
      const text =
        sent.method === 'GET' && sent.transport === 'http' ? '' : resolveText(JSON.stringify(sent.body));
      const extraHeaders = sent.headers.map(([name, value]) => [name, resolveText(value)] as const);
      const host = resolveText(sent.host ?? `127.0.0.1:${playground.port}`);
      const pageHeaders = [
        ['host', host],
        ['origin', playground.origin],
        ['content-type', 'application/json'],
        ['x-gateway-playground', '1'],
        ['content-length', String(Buffer.byteLength(text))],
        ...(sent.isForDemo ? [[demoHeader, '1']] : []),
        ...extraHeaders,
      ];
      const path = (base: string) =>
        resolveText(`${sent.prefix}${base}${segment}${sent.route}${sent.suffix}`);
      const response =
        sent.transport === 'http'
          ? await sendOverHttp(playground, sent.method, path('/gateway'), pageHeaders.flat(), text)
          : await sendOverChannel(
              playground,
              { path: path(''), ...(sent.isForDemo ? { demo: true } : {}) },
              { host, ...Object.fromEntries(extraHeaders) },
              text,
            );

      const expectedName = findExpectedName(sent);
      reachedNames.add(expectedName);
      expect(received.map(({ name }) => name)).toEqual(
        expectedName === undefined || expectedName === 'demo' ? [] : [expectedName],
      );
      for (const request of received) {
        const [secretName, secretValue] = secretHeaders[request.name];
        expect(request.path).toBe(sent.route);
        expect(Object.fromEntries(request.headers)).toMatchObject({
          host: hosts[`ADDRESS-${request.name}`],
          authorization: `Bearer ${keys[request.name]}`,
          [secretName]: secretValue,
        });
        const headerNames = request.headers.map(([name]) => name);
        expect(headerNames.filter((name) => !proxyHeaders.test(name))).toEqual([secretName]);
        expect(new Set(headerNames).size).toBe(headerNames.length);
        expect(response.status).toBe(expectedStatuses[sent.answer.kind]);
        if (sent.answer.kind === 'redirect')
          expect(response.text).toContain(`Check GATEWAY_${request.name.toUpperCase()}_BASE_URL.`);
      }
      for (const secret of encodedSecrets) expect(response.text).not.toContain(secret);
      if (expectedName === undefined && !sent.isForDemo) {
        // A channel is closed if a frame violates the rules.
        expect(sent.transport === 'channel' ? [0, 404] : [400, 403, 404, 405]).toContain(response.status);
        if (sent.transport === 'http')
          expect(response.text).toMatch(/\{"error":\{"message":"[^"]+","type":"\w+","code":"40\d"\}\}$/);
      }
    }),
    { numRuns: getCaseCount(4000) },
  );

  expect(countOtherRequests()).toBe(0);
  expect(reachedNames).toEqual(new Set([...names, 'demo', undefined]));
  for (const secret of encodedSecrets) expect(playground.log.join('\n')).not.toContain(secret);
});
