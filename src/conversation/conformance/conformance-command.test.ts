import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createDemoGateway } from '../../demo-gateway/gateway.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { CheckRow } from './conformance-check-client.ts';
import { runConformance, type ConformanceOptions } from './conformance-command.ts';
import { getFaultSeverity, formatFaultCount, ruleTitles } from './conformance-finding.ts';

const key = 'fk-conformance-key';

/** Creates a demo gateway without delays. */
const createTestDemo = () =>
  createDemoGateway({ key, wait: () => new Promise((resolve) => setImmediate(resolve)) });

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

async function runCommand(
  options: ConformanceOptions,
  environment: Record<string, string> = { GATEWAY_API_KEY: key },
): Promise<CommandResult> {
  const [outputLines, errorLines]: [string[], string[]] = [[], []];
  let ids = 0;
  const code = await runConformance(options, (name) => environment[name], {
    send: fetch,
    now: () => performance.now(),
    newId: () => `bench-${(ids += 1)}`,
    print: (line) => void outputLines.push(line),
    printError: (line) => void errorLines.push(line),
    width: 100,
  });
  return { code, stdout: outputLines.join('\n'), stderr: errorLines.join('\n') };
}

async function readRows(baseUrl: string, options: ConformanceOptions = {}): Promise<CheckRow[]> {
  const { stdout } = await runCommand({ ...options, baseUrl, json: true });
  return JSON.parse(stdout);
}

const describeRows = (rows: readonly CheckRow[], verdict: CheckRow['verdict']) =>
  rows
    .filter((row) => row.verdict === verdict)
    .map(({ about, title, section }) => `${about}: ${title} ${section}`);

it('reports a missing key in one line if the gateway requires one', async () => {
  const demo = await startTestServer(createTestDemo());
  const { code, stdout, stderr } = await runCommand({ baseUrl: demo.url }, {});
  expect([code, stdout, stderr]).toEqual([2, '', 'No key. Set GATEWAY_API_KEY.']);
  await demo.close();
});

it('grades faults as breaking clients or harmless', () => {
  const gradeFault = (title: string, detail: string) => getFaultSeverity({ title, detail });
  expect(gradeFault(ruleTitles.fields, 'In a chunk, created is missing.')).toBe('harmless');
  expect(gradeFault(ruleTitles.fields, 'In a chunk, choices is missing.')).toBe('breaks clients');
  expect(gradeFault(ruleTitles.n, '1 candidate; 2 were requested.')).toBe('breaks clients');
  expect(
    formatFaultCount([
      { title: ruleTitles.usage, detail: '' },
      { title: 'Response', detail: '' },
    ]),
  ).toBe('2 faults: 1 breaks clients, 1 harmless');
});

describe('conformance check of the demo gateway', () => {
  let demo: TestServer;
  beforeAll(async () => {
    demo = await startTestServer(createTestDemo());
  });
  afterAll(() => demo.close());

  it('finds no fault in the demo gateway, whatever the form of its base URL', async () => {
    const { code, stdout } = await runCommand({ baseUrl: `${demo.url}/v1/` });
    expect(stdout).not.toMatch(/^fault/m);
    expect(code).toBe(0);
    for (const about of [
      'Health',
      'Models',
      'Chat, streamed',
      'Chat, not streamed',
      'Embeddings',
      'Errors',
    ]) {
      expect(stdout).toMatch(new RegExp(`^pass .*${about}`, 'm'));
    }
    expect(stdout).toContain('Nothing contradicts the specification.');
    expect(stdout).not.toContain(key);
  });

  it('checks the models given as options', async () => {
    const rows = await readRows(demo.url, { model: 'demo/tools', embeddingModel: 'demo/none' });
    expect(rows.find(({ about, title }) => about === 'Chat, tools' && title === 'Tool calls')?.verdict).toBe(
      'pass',
    );
    expect(describeRows(rows, 'fault')).toEqual(['Embeddings: Response §4']);
  });

  it('reports faults of the model list for a wrong key', async () => {
    const { code, stdout } = await runCommand({ baseUrl: demo.url }, { GATEWAY_API_KEY: 'fk-another' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fault .*GET \/v1\/models/m);
  });

  it('uses the base URL from GATEWAY_BASE_URL', async () => {
    const { stdout } = await runCommand({ json: true }, { GATEWAY_BASE_URL: demo.url, GATEWAY_API_KEY: key });
    expect(stdout).toContain('"verdict": "pass"');
  });
});

describe('conformance check of aimock, a third-party mock gateway', () => {
  let mock: LLMock;
  beforeAll(async () => {
    mock = await LLMock.create({ port: 0, chunkSize: 6, latency: 5 });
    mock.onMessage(/.*/, { content: 'one\ntwo\nthree\nfour\nfive' });
  });
  afterAll(() => mock.stop());

  it('finds that aimock accepts any key and ignores n, stop, max_tokens, JSON mode and base64', async () => {
    const rows = await readRows(mock.url, { model: 'gpt-4o', embeddingModel: 'text-embedding-3-small' });
    expect(describeRows(rows, 'fault')).toEqual([
      'Health: GET /healthz §4',
      'Chat, n: n §2.1',
      'Chat, stop: stop §2.1',
      'Chat, max_tokens: max_tokens §2.1',
      'Chat, JSON mode: response_format §2.1',
      'Embeddings: encoding_format base64 §2.7',
      'Errors: No key §5.1',
      'Errors: Wrong key §5.1',
    ]);
    const streamed = rows.filter(({ about, verdict }) => about === 'Chat, streamed' && verdict === 'pass');
    expect(streamed.length).toBeGreaterThan(7);
  });
});

describe('conformance check of a gateway with one flaw', () => {
  async function findFaults(
    flaw: (response: Response, request: Request) => Promise<Response> | Response,
  ): Promise<string[]> {
    const demo = createTestDemo();
    const flawedServer = await startTestServer(async (request) => flaw(await demo(request), request));
    try {
      return describeRows(await readRows(flawedServer.url), 'fault');
    } finally {
      await flawedServer.close();
    }
  }
  const getPath = (request: Request) => new URL(request.url).pathname;

  it.each<[string, string[], (response: Response, request: Request) => Promise<Response> | Response]>([
    [
      'no health route',
      ['Health: GET /healthz §4'],
      (response, request) => (getPath(request) === '/healthz' ? new Response('', { status: 404 }) : response),
    ],
    [
      'embeddings not in base64',
      ['Embeddings: encoding_format base64 §2.7'],
      async (response, request) => {
        if (getPath(request) !== '/v1/embeddings') return response;
        const text = (await response.text()).replace(/"embedding":"[^"]*"/, '"embedding":[0.5]');
        return new Response(text, {
          status: response.status,
          headers: { 'content-type': 'application/json' },
        });
      },
    ],
    [
      'errors of another shape for a missing or wrong key',
      ['Errors: No key §5.4', 'Errors: Wrong key §5.4'],
      async (response) =>
        response.status === 401 ? Response.json({ detail: 'no' }, { status: 401 }) : response,
    ],
    [
      'an error of another shape for an invalid body',
      ['Errors: Request body is not JSON §7'],
      async (response) =>
        response.status === 400 ? Response.json({ error: 'bad request' }, { status: 400 }) : response,
    ],
  ])('reports exactly the faults of a gateway with this flaw: %s', async (_name, expected, flaw) => {
    expect(await findFaults(flaw)).toEqual(expected);
  });
});

describe('conformance command', () => {
  it('reports invalid arguments and exits with code 2', async () => {
    for (const [options, message] of [
      [{}, 'No address'],
      [{ baseUrl: 'ftp://a' }, 'http:// or https://'],
    ] as const) {
      const { code, stderr, stdout } = await runCommand(options, {});
      expect(stderr).toContain(message);
      expect([code, stdout]).toEqual([2, '']);
    }
  });

  it('reports an unreachable gateway in one row', async () => {
    const closedServer = await startTestServer(async () => new Response());
    await closedServer.close();
    const { code, stdout } = await runCommand({ baseUrl: closedServer.url });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fault [^]*No response: [^]*1 fault/);
  });

  it('never prints the key or terminal control characters', async () => {
    const failingServer = await startTestServer(
      async (request) =>
        new Response(`\u001b[31m${request.headers.get('authorization') ?? ''}`, { status: 500 }),
    );
    const { stdout } = await runCommand({ baseUrl: failingServer.url });
    await failingServer.close();
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('Bearer fk-…');
  });
});
