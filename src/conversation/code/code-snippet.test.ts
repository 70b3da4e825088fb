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
import { cases } from '../../testing/seeds.ts';
import { serve, type ServedHandler } from '../../testing/test-server.ts';
import { withImageData } from '../request/message-images.ts';
import { portableRequest } from './code-request.ts';
import { codeSnippet, type CodeLanguage } from './code-snippet.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

let folder = '';
let demo: ServedHandler;
let received: unknown[] = [];

beforeAll(async () => {
  // Below the checkout, so that the code finds the packages it imports.
  folder = mkdtempSync(path.join(root, 'node_modules/.bench-code-'));
  const gateway = createDemoGateway({ key: 'fk-test' });
  demo = await serve(async (request) => {
    if (request.method === 'POST') received.push(await request.clone().json());
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

/** Runs the code as a person would, with the two variables set; what it printed. */
async function runCode(
  language: CodeLanguage,
  code: string,
  more: Record<string, string> = {},
): Promise<string> {
  const { file, program } = commands[language];
  writeFileSync(path.join(folder, file), code);
  received = [];
  const env = {
    PATH: process.env['PATH'] ?? '',
    GATEWAY_BASE_URL: demo.url,
    GATEWAY_API_KEY: 'fk-test',
    ...more,
  };
  const { stdout } = await run(program, [file], { cwd: folder, env });
  return stdout;
}

const hostile = `"double" 'single' \`back\` $HOME \${x} $(id) \\ \\n back\\slash\nline\r\n\ttab \u0000\u0007\u007f é 漢 👩‍🚀 \u2028\u2029 \u202Eright #{a} %s {{b}} <!-- JSON
JSON
EOF ''' """ \\`;

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: `The weather. ${hostile}`,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} satisfies Json;

const everything: ChatRequest = {
  model: 'demo/guide',
  messages: [
    { role: 'system', content: hostile, name: 'boss' },
    { role: 'user', content: [{ type: 'text', text: hostile }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Köln"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: hostile },
    { role: 'user', content: 'Go on' },
  ],
  temperature: 0.25,
  top_p: 1,
  max_tokens: 24,
  demo_tokens_per_second: 0,
  frequency_penalty: -0.5,
  presence_penalty: 2,
  stop: ['\n\nUser:', hostile],
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
  [hostile]: { deep: [[], {}, [null, true, false, -0.0000001, 1e21, 12345678901234567890]] },
  nothing: null,
};

const plain: ChatRequest = {
  model: 'demo/guide',
  messages: [{ role: 'user', content: 'Hello' }],
  seed: 7,
  demo_tokens_per_second: 0,
};

const languages = ['curl', 'typescript', 'fetch'] as const;

/** What the SDK's own types accept: the specification's fields with the values that they know, and extra ones. */
const typed: readonly ChatRequest[] = [
  { ...everything, stream: false, n: 1 },
  everything,
  { ...plain, stream: true },
  plain,
  {
    ...everything,
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'AAAA'.repeat(60)}` } }],
      },
    ],
  },
];

it('is TypeScript that passes in strict mode', async () => {
  const files = typed.flatMap((body, index) =>
    (['typescript', 'fetch'] as const).map((language) => {
      const file = `call-${language}-${index}.mts`;
      writeFileSync(path.join(folder, file), codeSnippet(language, body).code);
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
  const { stdout } = await run(process.execPath, [compiler, ...flags, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

describe.each(languages)('code for %s, run against the demo gateway', (language) => {
  it('sends every field as Bench sends it, also one called __proto__', async () => {
    const body = withOwnProto(everything);
    await runCode(language, codeSnippet(language, body).code);
    expect(received).toEqual([body]);
    expect(JSON.stringify(received[0])).toContain('"__proto__":{"polluted":true}');
  });

  it('prints the answer, streamed and whole', async () => {
    const whole = await runCode(language, codeSnippet(language, plain).code);
    const streamed = await runCode(language, codeSnippet(language, { ...plain, stream: true }).code);
    expect(whole.length).toBeGreaterThan(40);
    if (language === 'curl') expect(streamed).toContain('chat.completion.chunk');
    else expect(streamed.trim()).toBe(whole.trim());
  });

  it('prints each candidate where several are asked for', async () => {
    const printed = await runCode(language, codeSnippet(language, { ...plain, n: 2, stream: true }).code);
    if (language !== 'curl') expect(printed).toMatch(/^1 .+\n[\s\S]*^2 .+/m);
    expect(received).toEqual([{ ...plain, n: 2, stream: true }]);
  });
});

function withOwnProto(body: ChatRequest): ChatRequest {
  const own: ChatRequest = { ...body };
  Object.defineProperty(own, '__proto__', { value: { polluted: true }, enumerable: true });
  return own;
}

describe('images', () => {
  const bytes = Buffer.from(Array.from({ length: 400 }, (_, index) => index % 256));
  const dataUrl = `data:image/webp;base64,${bytes.toString('base64')}`;
  const hash = 'a'.repeat(64);
  const withImage = (url: string): ChatRequest => ({
    ...plain,
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

  it.each(languages)(
    'are read from a file by %s, and the request is the same to the byte',
    async (language) => {
      const { code, images } = codeSnippet(language, withImage(dataUrl));
      expect(images.map(({ file }) => file)).toEqual(['image-1.webp']);
      expect(code).not.toContain(bytes.toString('base64').slice(0, 60));
      writeFileSync(path.join(folder, 'image-1.webp'), bytes);
      await runCode(language, code).catch(() => undefined);
      expect(received).toEqual([withImage(dataUrl)]);
    },
  );

  it('that Bench has stored are named by their own type', async () => {
    const referring = withImage(`bench-image:${hash}`);
    const { code } = codeSnippet('curl', referring, new Map([[hash, 'image/webp']]));
    writeFileSync(path.join(folder, 'image-1.webp'), bytes);
    await runCode('curl', code).catch(() => undefined);
    expect(received).toEqual([withImageData(referring, new Map([[hash, dataUrl]]))]);
  });

  it('say so where their type is a guess, and stay in the code where they are short or an address', () => {
    expect(codeSnippet('python', withImage(`bench-image:${hash}`)).code).toContain('Change image/png');
    for (const url of ['https://example.com/a.png', 'data:image/png;base64,AAAA']) {
      expect(codeSnippet('python', withImage(url)).images).toEqual([]);
      expect(codeSnippet('python', withImage(url)).code).toContain(url);
    }
  });
});

/** Stands in for the package: takes only arguments that it really has, and prints the body it would send. */
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

describe.skipIf(!hasPython)('code for python', () => {
  async function bodyOf(body: ChatRequest): Promise<unknown> {
    writeFileSync(path.join(folder, 'openai.py'), pythonPackage);
    const printed = await runCode('python', codeSnippet('python', body).code, {
      PYTHONDONTWRITEBYTECODE: '1',
    });
    return JSON.parse(printed.split('\n')[0] ?? '');
  }

  it('calls the SDK with every field as Bench sends it', async () => {
    expect(await bodyOf(everything)).toEqual(everything);
    expect(await bodyOf({ ...everything, stream: false, n: 1 })).toEqual({
      ...everything,
      stream: false,
      n: 1,
    });
    expect(await bodyOf(plain)).toEqual(plain);
  });

  it('means the same for any text and any value', async () => {
    const bodies = fc.sample(anyBody({ wellFormed: true }), cases(25));
    const calls = bodies.map((body) => codeSnippet('python', body).code);
    // One process for all: each call is a function of its own.
    const script = calls
      .map((code, index) => `def call_${index}():\n${code.replace(/^(?=.)/gm, '  ')}\ncall_${index}()`)
      .join('\n');
    writeFileSync(path.join(folder, 'openai.py'), pythonPackage);
    const printed = await runCode('python', script, { PYTHONDONTWRITEBYTECODE: '1' });
    const seen = printed
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line));
    expect(seen).toEqual(bodies.map(asReceived));
  });
});

function anyBody({ wellFormed }: { wellFormed: boolean }): fc.Arbitrary<ChatRequest> {
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

const asReceived = (body: ChatRequest): unknown => JSON.parse(JSON.stringify(body));

describe('escaping', () => {
  it('of the shell gives back any body, with and without variables in it', () => {
    const image = `data:image/png;base64,${'AAAA'.repeat(60)}`;
    fc.assert(
      fc.property(anyBody({ wellFormed: false }), fc.boolean(), (body, hasImage) => {
        const content = [{ type: 'image_url' as const, image_url: { url: image } }];
        const sent: ChatRequest = hasImage
          ? { ...body, messages: [...body.messages, { role: 'user', content }] }
          : body;
        // The shell hands over what curl would have sent.
        const code = codeSnippet('curl', sent)
          .code.replace(/^image_1=.*$/m, `image_1="${image}"`)
          .replace(/^curl[\s\S]*?--data-binary @-/m, 'cat');
        const { stdout, status } = spawnSync('sh', { input: code, encoding: 'utf8' });
        expect(status).toBe(0);
        expect(JSON.parse(stdout)).toEqual(asReceived(sent));
      }),
      { numRuns: cases(60) },
    );
  });

  it.each(['typescript', 'fetch'] as const)('of %s gives back any body', async (language) => {
    const open = language === 'fetch' ? 'JSON.stringify(' : 'completions.create(';
    fc.assert(
      fc.property(anyBody({ wellFormed: false }), (body) => {
        const { code } = codeSnippet(language, body);
        const from = code.indexOf(open) + open.length;
        const to = language === 'fetch' ? code.lastIndexOf('\n  }),') + 4 : code.indexOf('\n});', from) + 2;
        const value: unknown = runInNewContext(`(${code.slice(from, to)})`);
        expect(asSent(value)).toEqual(asReceived(body));
      }),
      { numRuns: cases(200) },
    );
  });

  it('shows what reorders or hides text', () => {
    const { code } = codeSnippet('curl', {
      ...plain,
      messages: [{ role: 'user', content: 'a\u202Eb\u200Bc\u2066' }],
    });
    expect(code).toContain(String.raw`a\u202eb\u200bc\u2066`);
  });
});

function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('portable fields only', () => {
  it('leaves out what not every model takes, and names it', () => {
    const { body, left } = portableRequest(everything);
    expect(Object.keys(body).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'response_format',
      'stream',
      'temperature',
      'top_p',
    ]);
    expect(left).toContain('top_k');
    expect(left).toHaveLength(Object.keys(everything).length - 7);
  });
});

it('never holds a key or an address', () => {
  for (const language of ['curl', 'python', 'typescript', 'fetch'] as const) {
    const { code } = codeSnippet(language, everything);
    expect(code).toContain('GATEWAY_API_KEY');
    expect(code).toContain('GATEWAY_BASE_URL');
    expect(code).not.toMatch(/fk-|https?:\/\//);
  }
});
