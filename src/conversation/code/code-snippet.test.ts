import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createDemoGateway } from '../../demo-gateway/gateway.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import type { Json } from '../../lib/json.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { withMediaData } from '../request/media-data.ts';
import { toPortableRequest } from './code-request.ts';
import { buildCodeSnippet, type CodeLanguage } from './code-snippet.ts';

const execFileAsync = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

let folder = '';
let demo: TestServer;
let receivedBodies: unknown[] = [];

beforeAll(async () => {
  // The folder is inside the repository, so that the code can resolve its packages.
  folder = mkdtempSync(path.join(root, 'node_modules/.bench-code-'));
  const gateway = createDemoGateway({ key: 'fk-test' });
  demo = await startTestServer(async (request) => {
    if (request.method === 'POST') receivedBodies.push(await request.clone().json());
    return gateway(request);
  });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await demo.close();
});

const commands: Record<CodeLanguage, { file: string; program: string }> = {
  curl: { file: 'call.sh', program: 'sh' },
  python: { file: 'call.py', program: 'python3' },
  typescript: { file: 'call.mjs', program: process.execPath },
  fetch: { file: 'call-fetch.mjs', program: process.execPath },
};

/** Runs the code with both environment variables set and returns its output. */
async function runCode(
  language: CodeLanguage,
  code: string,
  extraEnv: Record<string, string> = {},
): Promise<string> {
  const { file, program } = commands[language];
  writeFileSync(path.join(folder, file), code);
  receivedBodies = [];
  const env = {
    PATH: process.env['PATH'] ?? '',
    GATEWAY_BASE_URL: demo.url,
    GATEWAY_API_KEY: 'fk-test',
    ...extraEnv,
  };
  const { stdout } = await execFileAsync(program, [file], { cwd: folder, env });
  return stdout;
}

const hostileText = `"double" 'single' \`back\` $HOME \${x} $(id) \\ \\n back\\slash\nline\r\n\ttab \u0000\u0007\u007f é 漢 👩‍🚀 \u2028\u2029 \u202Eright #{a} %s {{b}} <!-- JSON
JSON
EOF ''' """ \\`;

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: `The weather. ${hostileText}`,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} satisfies Json;

const fullRequest: ChatRequest = {
  model: 'demo/guide',
  messages: [
    { role: 'system', content: hostileText, name: 'boss' },
    { role: 'user', content: [{ type: 'text', text: hostileText }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Köln"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: hostileText },
    { role: 'user', content: 'Go on' },
  ],
  temperature: 0.25,
  top_p: 1,
  max_tokens: 24,
  demo_tokens_per_second: 0,
  frequency_penalty: -0.5,
  presence_penalty: 2,
  stop: ['\n\nUser:', hostileText],
  n: 2,
  seed: 7,
  top_k: 40,
  repetition_penalty: 1.1,
  logit_bias: { '50256': -100 },
  enable_thinking: true,
  thinking_budget: 4096,
  stream: true,
  stream_options: { include_usage: true },
  response_format: { type: 'text' },
  tools: [weather],
  tool_choice: 'auto',
  [hostileText]: { deep: [[], {}, [null, true, false, -0.0000001, 1e21, 12345678901234567890]] },
  nothing: null,
};

const plainRequest: ChatRequest = {
  model: 'demo/guide',
  messages: [{ role: 'user', content: 'Hello' }],
  seed: 7,
  demo_tokens_per_second: 0,
};

const languages = ['curl', 'typescript', 'fetch'] as const;

/** Requests that pass the type check of the SDK: specified fields with known values, and extra fields. */
const typedRequests: readonly ChatRequest[] = [
  { ...fullRequest, stream: false, n: 1 },
  fullRequest,
  { ...plainRequest, stream: true },
  plainRequest,
  {
    ...fullRequest,
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'AAAA'.repeat(60)}` } }],
      },
    ],
  },
];

it('generates TypeScript that compiles in strict mode', async () => {
  const files = typedRequests.flatMap((body, index) =>
    (['typescript', 'fetch'] as const).map((language) => {
      const file = `call-${language}-${index}.mts`;
      writeFileSync(path.join(folder, file), buildCodeSnippet(language, body).code);
      return file;
    }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--skipLibCheck',
    '--ignoreConfig',
  ];
  const { stdout } = await execFileAsync(process.execPath, [compiler, ...flags, ...files], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

describe.each(languages)('%s code against the demo gateway', (language) => {
  it('sends every field as Bench does, including a field called __proto__', async () => {
    const body = withOwnProto(fullRequest);
    await runCode(language, buildCodeSnippet(language, body).code);
    expect(receivedBodies).toEqual([body]);
    expect(JSON.stringify(receivedBodies[0])).toContain('"__proto__":{"polluted":true}');
  });

  it('prints the same answer with and without streaming', async () => {
    const whole = await runCode(language, buildCodeSnippet(language, plainRequest).code);
    const streamed = await runCode(
      language,
      buildCodeSnippet(language, { ...plainRequest, stream: true }).code,
    );
    expect(whole.length).toBeGreaterThan(40);
    if (language === 'curl') expect(streamed).toContain('chat.completion.chunk');
    else expect(streamed.trim()).toBe(whole.trim());
  });

  it('prints every candidate if several are requested', async () => {
    const printed = await runCode(
      language,
      buildCodeSnippet(language, { ...plainRequest, n: 2, stream: true }).code,
    );
    if (language !== 'curl') expect(printed).toMatch(/^1 .+\n[\s\S]*^2 .+/m);
    expect(receivedBodies).toEqual([{ ...plainRequest, n: 2, stream: true }]);
  });
});

function withOwnProto(body: ChatRequest): ChatRequest {
  const copy: ChatRequest = { ...body };
  Object.defineProperty(copy, '__proto__', { value: { polluted: true }, enumerable: true });
  return copy;
}

describe('images in code', () => {
  const bytes = Buffer.from(Array.from({ length: 400 }, (_, index) => index % 256));
  const dataUrl = `data:image/webp;base64,${bytes.toString('base64')}`;
  const hash = 'a'.repeat(64);
  const withImage = (url: string): ChatRequest => ({
    ...plainRequest,
    max_tokens: 8,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `What is this? $HOME \`x\` \\ bench-image:${hash}` },
          { type: 'image_url', image_url: { url, detail: 'low' } },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  });

  it.each(languages)('reads image files in %s and sends an identical request', async (language) => {
    const { code, files } = buildCodeSnippet(language, withImage(dataUrl));
    expect(files.map(({ file }) => file)).toEqual(['image-1.webp']);
    expect(code).not.toContain(bytes.toString('base64').slice(0, 60));
    writeFileSync(path.join(folder, 'image-1.webp'), bytes);
    await runCode(language, code).catch(() => undefined);
    expect(receivedBodies).toEqual([withImage(dataUrl)]);
  });

  it.each(languages)('reads documents and sounds in %s and sends an identical request', async (language) => {
    const file = Buffer.from(`%PDF-1.7 ${'x'.repeat(200)}`);
    const sound = Buffer.from(`RIFF${'y'.repeat(203)}`);
    const request: ChatRequest = {
      model: 'north/one',
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'file',
              file: {
                filename: 'My "paper" $HOME.PDF',
                file_data: `data:application/pdf;base64,${file.toString('base64')}`,
              },
            },
            { type: 'input_audio', input_audio: { data: sound.toString('base64'), format: 'wav' } },
          ],
        },
      ],
    };
    const { code, files } = buildCodeSnippet(language, request);
    expect(files.map((each) => each.file)).toEqual(['file-1.pdf', 'audio-2.wav']);
    writeFileSync(path.join(folder, 'file-1.pdf'), file);
    writeFileSync(path.join(folder, 'audio-2.wav'), sound);
    await runCode(language, code).catch(() => undefined);
    expect(receivedBodies).toEqual([request]);
  });

  it('uses the stored media type of an image in its file name and data URL', async () => {
    const storedImageRequest = withImage(`bench-image:${hash}`);
    const { code } = buildCodeSnippet('curl', storedImageRequest, new Map([[hash, 'image/webp']]));
    writeFileSync(path.join(folder, 'image-1.webp'), bytes);
    await runCode('curl', code).catch(() => undefined);
    expect(receivedBodies).toEqual([withMediaData(storedImageRequest, new Map([[hash, dataUrl]]))]);
  });

  it('marks guessed image types, and keeps short data URLs and web URLs inline', () => {
    expect(buildCodeSnippet('python', withImage(`bench-image:${hash}`)).code).toContain('Change image/png');
    for (const url of ['https://example.com/a.png', 'data:image/png;base64,AAAA']) {
      expect(buildCodeSnippet('python', withImage(url)).files).toEqual([]);
      expect(buildCodeSnippet('python', withImage(url)).code).toContain(url);
    }
  });
});

/** Replacement for the Python package that accepts only its real arguments and prints the body it would send. */
const pythonPackage = `
import json
class _Any:
    def __getattr__(self, name): return _Any()
    def __iter__(self): return iter(())
    def __getitem__(self, index): return _Any()
    def __str__(self): return ""
class _Completions:
    def create(self, *, model, messages, extra_body=None, frequency_penalty=..., logit_bias=..., max_tokens=..., n=...,
               presence_penalty=..., response_format=..., seed=..., stop=..., stream=..., stream_options=...,
               temperature=..., tool_choice=..., tools=..., top_p=...):
        given = {key: value for key, value in locals().items() if value is not ... and key not in ("self", "extra_body")}
        print(json.dumps({**given, **(extra_body or {})}))
        return _Any()
class OpenAI:
    def __init__(self, *, base_url, api_key):
        assert base_url.endswith("/v1") and api_key == "fk-test"
        self.chat = _Any()
        self.chat.completions = _Completions()
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('Python code', () => {
  async function captureSentBody(body: ChatRequest): Promise<unknown> {
    writeFileSync(path.join(folder, 'openai.py'), pythonPackage);
    const printed = await runCode('python', buildCodeSnippet('python', body).code, {
      PYTHONDONTWRITEBYTECODE: '1',
    });
    return JSON.parse(printed.split('\n')[0] ?? '');
  }

  it('passes every field to the Python SDK as Bench sends it', async () => {
    expect(await captureSentBody(fullRequest)).toEqual(fullRequest);
    expect(await captureSentBody({ ...fullRequest, stream: false, n: 1 })).toEqual({
      ...fullRequest,
      stream: false,
      n: 1,
    });
    expect(await captureSentBody(plainRequest)).toEqual(plainRequest);
  });

  it('sends the same body from Python for arbitrary texts and values', async () => {
    const bodies = fc.sample(createBodyArbitrary({ wellFormed: true }), getCaseCount(25));
    const calls = bodies.map((body) => buildCodeSnippet('python', body).code);
    // All calls share one process, each in a separate function.
    const script = calls
      .map((code, index) => `def call_${index}():\n${code.replace(/^(?=.)/gm, '  ')}\ncall_${index}()`)
      .join('\n');
    writeFileSync(path.join(folder, 'openai.py'), pythonPackage);
    const printed = await runCode('python', script, { PYTHONDONTWRITEBYTECODE: '1' });
    const printedBodies = printed
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line));
    expect(printedBodies).toEqual(bodies.map(toReceivedJson));
  });
});

function createBodyArbitrary({ wellFormed }: { wellFormed: boolean }): fc.Arbitrary<ChatRequest> {
  const piece = fc.constantFrom(
    '"',
    "'",
    '`',
    '$',
    '\\',
    '\n',
    '\r',
    '${x}',
    '$(id)',
    'JSON',
    '\u2028',
    '\u202e',
    '\u0000',
    '#',
    '%',
  );
  const text = fc
    .array(
      fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 4 }), fc.constant(wellFormed ? '' : '\ud83d')),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''));
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  return fc
    .record({
      prompt: text,
      system: text,
      stop: fc.array(text, { maxLength: 4 }),
      extra: fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true }),
      stream: fc.boolean(),
    })
    .map(({ prompt, system, stop, extra, stream }): ChatRequest => {
      const messages: ChatRequest['messages'] = [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ];
      return { ...extra, model: 'demo/guide', messages, stop, stream };
    });
}

const toReceivedJson = (body: ChatRequest): unknown => JSON.parse(JSON.stringify(body));

describe('escaping in code', () => {
  it('escapes arbitrary bodies for the shell, with and without variables', () => {
    const image = `data:image/png;base64,${'AAAA'.repeat(60)}`;
    fc.assert(
      fc.property(createBodyArbitrary({ wellFormed: false }), fc.boolean(), (body, hasImage) => {
        const content = [{ type: 'image_url' as const, image_url: { url: image } }];
        const request: ChatRequest = hasImage
          ? { ...body, messages: [...body.messages, { role: 'user', content }] }
          : body;
        // `cat` prints the body that curl would send.
        const code = buildCodeSnippet('curl', request)
          .code.replace(/^image_1=.*$/m, `image_1="${image}"`)
          .replace(/^curl[\s\S]*?--data-binary @-/m, 'cat');
        const { stdout, status } = spawnSync('sh', { input: code, encoding: 'utf8' });
        expect(status).toBe(0);
        expect(JSON.parse(stdout)).toEqual(toReceivedJson(request));
      }),
      { numRuns: getCaseCount(60) },
    );
  });

  it.each(['typescript', 'fetch'] as const)('escapes arbitrary bodies in %s code', async (language) => {
    const opening = language === 'fetch' ? 'JSON.stringify(' : 'completions.create(';
    fc.assert(
      fc.property(createBodyArbitrary({ wellFormed: false }), (body) => {
        const { code } = buildCodeSnippet(language, body);
        const start = code.indexOf(opening) + opening.length;
        const end = language === 'fetch' ? code.lastIndexOf('\n  }),') + 4 : code.indexOf('\n});', start) + 2;
        const value: unknown = runInNewContext(`(${code.slice(start, end)})`);
        expect(toSentJson(value)).toEqual(toReceivedJson(body));
      }),
      { numRuns: getCaseCount(200) },
    );
  });

  it('escapes invisible and bidirectional characters in code', () => {
    const { code } = buildCodeSnippet('curl', {
      ...plainRequest,
      messages: [{ role: 'user', content: 'a\u202Eb\u200Bc\u2066' }],
    });
    expect(code).toContain(String.raw`a\u202eb\u200bc\u2066`);
  });
});

function toSentJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('portable code', () => {
  it('omits fields that some models reject, and lists them', () => {
    const { body, omittedFields } = toPortableRequest(fullRequest);
    expect(Object.keys(body).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'response_format',
      'stream',
      'temperature',
      'top_p',
    ]);
    expect(omittedFields).toContain('top_k');
    expect(omittedFields).toHaveLength(Object.keys(fullRequest).length - 7);
  });
});

it('never includes a key or a URL in code', () => {
  for (const language of ['curl', 'python', 'typescript', 'fetch'] as const) {
    const { code } = buildCodeSnippet(language, fullRequest);
    expect(code).toContain('GATEWAY_API_KEY');
    expect(code).toContain('GATEWAY_BASE_URL');
    expect(code).not.toMatch(/fk-|https?:\/\//);
  }
});
