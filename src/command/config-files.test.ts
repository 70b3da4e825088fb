import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { describeImportNote } from '../trials/files/promptfoo/config-notes.ts';
import { parsePromptfooConfig } from '../trials/files/promptfoo/parse-promptfoo-config.ts';
import { createFolderFiles, readConfigText } from './config-files.ts';

const canary = 'canary-7f3a';
const key = 'sk-canary-9c41';

let root: string;
let folder: string;
let server: Server;
let requestCount = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'promptfoo-'));
  folder = join(root, 'project');
  mkdirSync(folder);
  writeFileSync(join(root, 'outside.txt'), canary);
  mkdirSync(join(root, 'project-other'));
  writeFileSync(join(root, 'project-other', 'outside.txt'), canary);
  writeFileSync(join(folder, 'inside.txt'), 'Ask {{q}}');
  symlinkSync(join(root, 'outside.txt'), join(folder, 'link.txt'));
  symlinkSync(root, join(folder, 'up'));
  symlinkSync(join(folder, 'inside.txt'), join(folder, 'link-inside.txt'));
  execFileSync('mkfifo', [join(folder, 'pipe.txt')]);
  writeFileSync(join(folder, 'binary.txt'), Buffer.from([0, 159, 146, 150, 0, 0, 1]));
  writeFileSync(join(folder, 'sheet.csv'), Buffer.from('PK\u0003\u0004rest'));
  writeFileSync(join(folder, 'large.txt'), '');
  truncateSync(join(folder, 'large.txt'), 60_000_000);
  writeFileSync(join(folder, 'run.sh'), `#!/bin/sh\ntouch ${join(root, 'executed')}\n`, { mode: 0o755 });
  vi.stubEnv('BENCH_CANARY', canary);
  server = createServer((_, response) => {
    requestCount += 1;
    response.end(canary);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  rmSync(root, { recursive: true });
});

const getAddress = (): string => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen');
  return `http://127.0.0.1:${address.port}`;
};

const read = async (source: string | Uint8Array) => {
  const path = join(folder, 'promptfooconfig.yaml');
  writeFileSync(path, source);
  const text = await readConfigText(path);
  if (!text.ok) return { text: text.reason, sentences: [text.reason] };
  const result = await parsePromptfooConfig(text.text, createFolderFiles(folder));
  const sentences = result.ok ? result.notes.map(describeImportNote) : [result.reason];
  return { text: JSON.stringify(result), sentences, ...(result.ok ? { draft: result.draft } : {}) };
};

const build = (config: object) =>
  JSON.stringify({ prompts: ['{{q}}'], providers: ['openai:m'], tests: [{}], ...config });
const withVar = (value: unknown) => build({ tests: [{ vars: { q: value } }] });
const withAssertion = (assertion: object) => build({ tests: [{ vars: { q: '1' }, assert: [assertion] }] });

const laughs = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from(
    { length: 9 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(', ')}]`,
  ),
  'prompts: *a9',
].join('\n');

const outsideReason = 'only files below the folder of the configuration are read';
const codeReason = 'Bench runs no code';

/** Configurations with a part of the sentence that names what was not read. */
const hostileRows: [name: string, source: string | Uint8Array | (() => string), sentence: string][] = [
  ['billion laughs', laughs, 'Excessive alias count'],
  ['many aliases', `a: &a x\nprompts: [${'*a, '.repeat(20_000)}]`, 'more than 1000 aliases'],
  ['an alias of itself', 'tests: &a [{vars: {q: *a}}, *a, *a]', 'cannot be read'],
  [
    'an alias of its own map',
    'shared: &a {type: assert-set, assert: [*a]}\ntests: [{assert: [*a]}]',
    'cannot be read',
  ],
  [
    'unclosed templates',
    build({ prompts: ['{{ '.repeat(100_000), '{% raw %}'.repeat(100_000), '{%'.repeat(100_000)] }),
    '',
  ],
  [
    'many settings',
    build(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`s${index}`, 1]))),
    '800 other parts were not read: the list ends after 200 kinds of parts.',
  ],
  ['a tag of js-yaml', 'prompts: !!js/function "function () { return 1 }"', 'tag'],
  ['a file by absolute path', withVar('file:///etc/passwd'), outsideReason],
  ['a file above the folder', withVar('file://../outside.txt'), outsideReason],
  ['a file above a subfolder', build({ prompts: ['file://sub/../../outside.txt'] }), outsideReason],
  [
    'a file in a folder with the same beginning',
    withVar('file://../project-other/outside.txt'),
    outsideReason,
  ],
  ['a file above the folder with backslashes', withVar('file://..\\outside.txt'), outsideReason],
  ['a link out of the folder', withVar('file://link.txt'), outsideReason],
  ['a linked folder', build({ prompts: ['file://up/outside.txt'] }), outsideReason],
  ['a pattern in a linked folder', build({ prompts: ['file://up/*.txt'] }), 'no file matches'],
  ['a pipe', withVar('file://pipe.txt'), 'it is not a file'],
  ['a device', withVar('file:///dev/zero'), outsideReason],
  ['a large file', withVar('file://large.txt'), 'it is larger than 50 MB'],
  ['a binary file', withVar('file://binary.txt'), 'it is not text'],
  ['a spreadsheet', build({ tests: 'file://sheet.csv' }), 'it is a spreadsheet'],
  [
    'a script as provider',
    build({ providers: ['exec:./run.sh', 'python:x.py', 'file://run.sh'] }),
    codeReason,
  ],
  ['a script as prompt', build({ prompts: ['exec:./run.sh', 'file://run.sh'] }), codeReason],
  ['a test generator', build({ tests: ['file://run.sh:create', { path: 'file://run.sh' }] }), codeReason],
  [
    'javascript',
    withAssertion({ type: 'javascript', value: "require('fs').writeFileSync('executed', '')" }),
    codeReason,
  ],
  [
    'a transform',
    withAssertion({ type: 'equals', value: '1', transform: 'process.env.BENCH_CANARY' }),
    codeReason,
  ],
  ['extensions', build({ extensions: ['file://run.sh:all'] }), codeReason],
  [
    'an environment variable',
    build({ prompts: ['{{env.BENCH_CANARY}}'] }),
    'environment variables are never read',
  ],
  [
    'an environment variable as parameter',
    build({ providers: [{ id: 'openai:m', config: { seed: '{{ env.BENCH_CANARY }}' } }] }),
    'Bench cannot send it',
  ],
  [
    'addresses',
    () =>
      build({
        prompts: [`${getAddress()}/a.txt`],
        tests: `${getAddress()}/cases.csv`,
        providers: [`${getAddress()}/chat`],
      }),
    'Bench fetches nothing',
  ],
  ['a webhook', () => withAssertion({ type: 'webhook', value: getAddress() }), 'no other server'],
  [
    'a Google sheet',
    build({ tests: 'https://docs.google.com/spreadsheets/d/1/edit' }),
    'Bench fetches nothing',
  ],
  [
    'a value named __proto__',
    '{"prompts": ["{{q}}"], "tests": [{"vars": {"__proto__": {"polluted": "yes"}, "q": 1}}]}',
    'Bench has no values of this name',
  ],
  [
    'enormous lists',
    build({
      tests: [
        {
          vars: Object.fromEntries(
            Array.from({ length: 40 }, (_, index) => [`v${index}`, Array(100).fill('x')]),
          ),
        },
      ],
    }),
    'cases are too many',
  ],
  [
    'values that contain each other',
    build({
      tests: [
        {
          vars: Object.fromEntries(
            Array.from({ length: 20 }, (_, index) => [`v${index}`, `{{v${(index + 1) % 20}}}`.repeat(2_000)]),
          ),
        },
      ],
    }),
    '',
  ],
  [
    'keys',
    build({
      providers: [
        {
          id: 'openai:m',
          config: { apiKey: key, apiHost: key, headers: { a: key }, passthrough: { api_key: key } },
        },
      ],
    }),
    'come from the server of Bench only',
  ],
  ['deep nesting', '['.repeat(100_000), 'nested too deeply'],
  ['nesting in values', `prompts: ${'['.repeat(200)}${']'.repeat(200)}`, 'nested more than'],
  ['duplicate keys', 'prompts: [a]\nprompts: [b]\n', '“prompts” is set twice'],
  ['several documents', 'prompts: [a]\n---\nprompts: [b]\n', 'several YAML documents'],
  ['a binary configuration', Buffer.from([1, 2, 0, 0, 3, 250, 251, 0]), 'it is not text'],
  [
    'references in a circle',
    build({ a: { $ref: '#/a' }, tests: [{ assert: [{ $ref: '#/a' }, { $ref: '#/__proto__/x' }] }] }),
    'unknown assertion',
  ],
];

describe('hostile configurations', () => {
  it.each(hostileRows)(
    'reads nothing of %s that it must not',
    { timeout: 10_000 },
    async (_, source, sentence) => {
      const { text, sentences } = await read(typeof source === 'function' ? source() : source);
      expect(sentences.join('\n')).toContain(sentence);
      expect(text).not.toContain(canary);
      expect(sentences.join('\n')).not.toContain(key);
      expect(text).not.toContain(key);
      expect(existsSync(join(root, 'executed')) || existsSync('executed')).toBe(false);
      expect(requestCount).toBe(0);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );
});

describe('files of a configuration', () => {
  it.each([
    ['UTF-8 with a byte order mark', `\uFEFFprompts: [é]`],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('prompts: [é]', 'utf16le')])],
    ['CRLF', 'prompts:\r\n  - é\r\n'],
  ])('reads a configuration in %s', async (_, source) => {
    const { draft } = await read(source);
    expect(draft?.messages).toEqual([{ role: 'user', content: 'é' }]);
  });

  it('reads links and patterns inside the folder', async () => {
    const { draft, sentences } = await read(
      build({ prompts: ['file://link-inside.txt', 'file://inside*.txt'] }),
    );
    expect(draft?.columns).toHaveLength(2);
    expect(sentences).toEqual([]);
  });
});
