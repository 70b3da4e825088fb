/** Each command of the README in a copy of the repository without settings: it says what it should, and nothing else. */
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Command {
  /** What it printed itself, without npm's own lines. */
  stdout: () => string;
  /** Without the lines that a server writes of each request. */
  stderr: () => string;
  /** What this finds on standard output, once it is there. Rejects when the command ends without it. */
  said: (what: RegExp) => Promise<string>;
  /** The exit code, or the signal that ended it. All that it printed is there by then. */
  ended: Promise<number | string>;
}

let copy = '';
let stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'bench-commands-'));
  copySources();
  linkPackages(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  // A list newer than the lock file: nothing is installed.
  writeFileSync(path.join(copy, 'node_modules/.package-lock.json'), '{}');
  const built = process.env['BENCH_BUILT'];
  if (built !== undefined) cpSync(built, path.join(copy, 'dist'), { recursive: true });
  else if ((await npm(['run', 'build']).ended) !== 0) throw new Error('npm run build failed');
});

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** What is committed or could be: no `.env`, nothing that was built. */
function copySources(): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const name of listed.split('\0').filter(Boolean)) {
    // Deleted, but not yet for git.
    if (!existsSync(path.join(ROOT, name))) continue;
    mkdirSync(path.dirname(path.join(copy, name)), { recursive: true });
    copyFileSync(path.join(ROOT, name), path.join(copy, name));
  }
}

const ofEarlierRuns = new Set(['.cache', '.package-lock.json', '.vite', '.vite-temp']);

/**
 * The installed packages as links to each file. A link to the whole folder would let an installation in the copy empty
 * the real one.
 */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (ofEarlierRuns.has(entry.name)) continue;
    if (entry.isDirectory()) linkPackages(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The copy is on another disk.
    copyFileSync(source, target);
  }
}

const isRequestLine = /^\d{4}-\d\d-\d\dT\S+Z [A-Z]+ \//;

const linesOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Runs npm in the copy with nothing of this machine's settings. */
function npm(args: readonly string[], settings: Record<string, string> = {}): Command {
  const child = spawn('npm', args, {
    cwd: copy,
    // A group of its own, so that what npm starts can be ended with it.
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: copy,
      npm_config_update_notifier: 'false',
      npm_config_offline: 'true',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
    for (const listener of listeners) listener();
  });
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const stdoutLines = () =>
    linesOf(stdout)
      .filter((line) => !line.startsWith('> '))
      .join('\n');
  const stderrLines = () =>
    linesOf(stderr)
      .filter((line) => !isRequestLine.test(line))
      .join('\n');
  const said = (what: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = what.exec(stdoutLines())?.[0];
        if (found !== undefined) resolve(found);
      };
      listeners.add(look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code}:\n${stdout}\n${stderr}`)));
    });
  stops.push(async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGTERM');
    return ended;
  });
  return { stdout: stdoutLines, stderr: stderrLines, said, ended };
}

/** Ends what runs, so that all that it printed is here. */
async function stopAll(): Promise<void> {
  await Promise.all(stops.map((stop) => stop()));
}

it('names in the README only scripts of package.json', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/npm (?:run )?([a-z][a-z-]*)/g)].map(([, script = '']) => script);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  );
  expect(named).toContain('start');
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

it('names in src/README.md only files that exist', () => {
  const map = readFileSync(path.join(ROOT, 'src/README.md'), 'utf8');
  const named = [...map.matchAll(/`([\w.-]+(?:\/[\w.-]+)+(?:\/|\.\w+))`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((file) => !existsSync(path.join(ROOT, 'src', file)))).toEqual([]);
});

it('npm start says where Bench is, and serves the page', async () => {
  const command = npm(['start'], { PORT: '0' });
  const line = await command.said(/^Bench ready at http:\/\/127\.0\.0\.1:\d+\/$/m);
  const page = await fetch(line.replace('Bench ready at ', ''));
  expect(await page.text()).toContain('<title>Bench</title>');
  await stopAll();
  expect([command.stdout(), command.stderr()]).toEqual([
    line,
    'No gateway is configured (GATEWAY_BASE_URL): the embedded demo gateway answers.',
  ]);
});

it('npm run demo-gateway and npm run conformance agree about the API', async () => {
  const gateway = npm(['run', 'demo-gateway'], {
    PORT: '0',
    DEMO_GATEWAY_KEY: 'fk-mine',
    DEMO_GATEWAY_TOKENS_PER_SECOND: '0',
  });
  const line = await gateway.said(/^Demo gateway ready at http:\/\/127\.0\.0\.1:\d+ with key fk-mine$/m);
  const address = /http:\S+/.exec(line)?.[0] ?? '';
  const check = npm(['run', 'conformance', '--', address], { GATEWAY_API_KEY: 'fk-mine' });
  expect(await check.ended).toBe(0);
  expect([check.stderr(), check.stdout()]).toEqual([
    '',
    expect.stringMatching(/^[1-9]\d* pass, .* 0 faults\./m),
  ]);
  await stopAll();
  expect([gateway.stdout(), gateway.stderr()]).toEqual([line, '']);
});

it('npm run dev serves every module with packages that it found beforehand, and reloads no page', async () => {
  const command = npm(['run', 'dev'], { PORT: '0' });
  const address = (await command.said(/http:\/\/127\.0\.0\.1:\d+\//)).replace(/\/$/, '');
  const loaded = await loadAll(address);
  expect(loaded.failed).toEqual([]);
  expect([...loaded.paths]).toEqual(
    expect.arrayContaining([
      '/src/main.tsx',
      expect.stringContaining('/node_modules/.vite/deps/react-dom_client.js'),
      expect.stringContaining('highlight-worker.ts?worker_file'),
    ]),
  );
  await stopAll();
  expect(command.stderr()).toBe('');
  expect(command.stdout()).toMatch(/^ +VITE v\S+ +ready in/);
  expect(command.stdout()).not.toMatch(/warn|error|fail|optimized|reload/i);
});

/** A GET on a connection of its own: one that is kept may be closed by a busy server just as it is used again. */
function getAlone(url: string, accept: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { accept } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    }).once('error', reject);
  });
}

/** Fetches the page and, as a browser would, all that it names, late imports and workers included. */
async function loadAll(address: string): Promise<{ paths: ReadonlySet<string>; failed: string[] }> {
  const paths = new Set(['/']);
  const failed: string[] = [];
  const load = async (name: string): Promise<void> => {
    const { status, text } = await getAlone(address + name, name === '/' ? 'text/html' : '*/*');
    if (status !== 200) failed.push(`${status} ${name}`);
    const named = [...text.matchAll(/["'(](\/(?:src|node_modules|@)[^"'()\s]*)["')]/g)].flatMap(
      (match) => match[1] ?? [],
    );
    const found = named.filter((next) => !paths.has(next));
    for (const next of found) paths.add(next);
    await Promise.all(found.map(load));
  };
  await load('/');
  return { paths, failed };
}
