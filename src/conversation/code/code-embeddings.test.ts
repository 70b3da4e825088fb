import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from 'vitest';

import { JsonSource } from '../../lib/json.ts';
import { buildEmbeddingsCode, type EmbeddingsCodeLanguage } from './code-embeddings.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts a server that accepts one request and responds with one vector per text. */
async function startEmbeddingsServer(): Promise<{
  base: string;
  bodies: unknown[];
  texts: string[];
  keys: (string | undefined)[];
}> {
  const bodies: unknown[] = [];
  const texts: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes) => (text += String(bytes)));
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      texts.push(text);
      keys.push(request.headers.authorization);
      const embedding = Buffer.from(Float32Array.of(1, 0.5).buffer).toString('base64');
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          data: [{ index: 1, embedding: [1, 2] }, { embedding }],
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => void server.close());
  const address = server.address();
  return {
    base: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    bodies,
    texts,
    keys,
  };
}

const body = {
  model: 'm',
  input: ['it\'s "quoted" $HOME `x`', 'back\\slash\nline', "'''"],
  encoding_format: 'base64' as const,
  input_type: 'document',
  user: new JsonSource('9007199254740993'),
};
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

const programs: [EmbeddingsCodeLanguage, string, string][] = [
  ['curl', 'bash', 'call.sh'],
  ['python', 'python3', 'call.py'],
];

describe('embeddings code', () => {
  it.each(programs.filter(([, program]) => isInstalled(program)))(
    'sends exactly the request body in %s',
    async (language, program, file) => {
      const { base, bodies, texts, keys } = await startEmbeddingsServer();
      const folder = mkdtempSync(path.join(tmpdir(), 'bench-code-'));
      closers.push(() => rmSync(folder, { recursive: true }));
      writeFileSync(path.join(folder, file), buildEmbeddingsCode(language, body));
      const { stdout } = await promisify(execFile)(program, [path.join(folder, file)], {
        env: { ...process.env, GATEWAY_BASE_URL: base, GATEWAY_API_KEY: 'fk-test', NO_PROXY: '127.0.0.1' },
      });
      expect(bodies).toEqual([{ ...body, user: 9007199254740992 }]);
      expect(texts[0]).toContain('"user": 9007199254740993');
      expect(keys).toEqual(['Bearer fk-test']);
      if (language === 'python') expect(stdout).toContain('2 vectors of 2 dimensions');
    },
  );

  it('writes the body as JSON in TypeScript, without the key', () => {
    const { user: _exact, ...plain } = body;
    const code = buildEmbeddingsCode('typescript', plain);
    expect(JSON.parse(/JSON\.stringify\((\{[\s\S]*?\n {2}\})\)/.exec(code)?.[1] ?? '')).toEqual(plain);
    expect(buildEmbeddingsCode('typescript', body)).toContain('JSON.rawJSON("9007199254740993")');
    expect(code).not.toMatch(/fk-/);
  });

  it('includes only the first 20 inputs and notes this in a comment', () => {
    const longRequest = { model: 'm', input: Array.from({ length: 30 }, (_, index) => `text ${index}`) };
    for (const language of ['curl', 'python', 'typescript'] as const) {
      const code = buildEmbeddingsCode(language, longRequest);
      expect(code).toContain('The first 20 of 30 inputs.');
      expect(code).toContain('text 19');
      expect(code).not.toContain('text 20');
    }
    expect(buildEmbeddingsCode('curl', { model: 'm', input: [1, 2, 3] })).not.toContain('inputs.');
  });
});
