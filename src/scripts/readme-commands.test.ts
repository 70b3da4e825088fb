/** Runs each README command in a copy of the repository without settings and checks its output. */
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

interface NpmCommand {
  /** Standard output of the command without npm's own lines. */
  getStdout: () => string;
  /** Standard error without the lines that a server logs per request. */
  getStderr: () => string;
  /** Resolves with the match on standard output. Rejects if the command ends without one. */
  waitForOutput: (pattern: RegExp) => Promise<string>;
  /** Exit code, or the signal that ended the command. All output has arrived by then. */
  exitCode: Promise<number | string>;
}

let copyFolder = '';
let stopFunctions: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  copyFolder = mkdtempSync(path.join(tmpdir(), 'bench-commands-'));
  copySources();
  linkPackages(path.join(ROOT, 'node_modules'), path.join(copyFolder, 'node_modules'));
  // This list is newer than the lock file, so nothing is installed.
  writeFileSync(path.join(copyFolder, 'node_modules/.package-lock.json'), '{}');
  const buildFolder = process.env['BENCH_BUILT'];
  if (buildFolder !== undefined) cpSync(buildFolder, path.join(copyFolder, 'dist'), { recursive: true });
  else if ((await runNpm(['run', 'build']).exitCode) !== 0) throw new Error('npm run build failed');
});

afterEach(async () => {
  await Promise.all(stopFunctions.map((stop) => stop()));
  stopFunctions = [];
});

afterAll(() => {
  rmSync(copyFolder, { recursive: true, force: true });
});

/** Copies files that are committed or could be: no `.env`, no build output. */
function copySources(): void {
  const listedFiles = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const name of listedFiles.split('\0').filter(Boolean)) {
    // The file was deleted but is still listed by git.
    if (!existsSync(path.join(ROOT, name))) continue;
    mkdirSync(path.dirname(path.join(copyFolder, name)), { recursive: true });
    copyFileSync(path.join(ROOT, name), path.join(copyFolder, name));
  }
}

const ignoredEntries = new Set([
  '.cache',
  '.experimental-vitest-cache',
  '.package-lock.json',
  '.vite',
  '.vite-temp',
]);

/** Folders of the packages that `npm ci --omit=dev` does not install and the commands must work without. */
const devFolders = new Set(listDevFolders());

function listDevFolders(): string[] {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'),
  );
  return Object.keys(packages)
    .filter((folder) => packages[folder]?.dev === true)
    .map((folder) => path.join(ROOT, folder));
}

/** Links each installed file. With a link to the whole folder, an installation in the copy would empty the real one. */
function linkPackages(sourceFolder: string, targetFolder: string): void {
  mkdirSync(targetFolder);
  for (const entry of readdirSync(sourceFolder, { withFileTypes: true })) {
    const [source, target] = [path.join(sourceFolder, entry.name), path.join(targetFolder, entry.name)];
    if (ignoredEntries.has(entry.name) || devFolders.has(source)) continue;
    if (entry.isDirectory()) linkPackages(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The copy may be on another disk, where hard links do not work.
    copyFileSync(source, target);
  }
}

const requestLinePattern = /^\d{4}-\d\d-\d\dT\S+Z [A-Z]+ \//;

const splitOutputLines = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Runs npm in the copy without any settings of this machine. */
function runNpm(
  args: readonly string[],
  settings: Record<string, string> = {},
  folder = copyFolder,
): NpmCommand {
  const child = spawn('npm', args, {
    cwd: folder,
    // Uses a separate process group, so that processes started by npm can also be ended.
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: copyFolder,
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
  const exitCode = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const getStdoutText = () =>
    splitOutputLines(stdout)
      .filter((line) => !line.startsWith('> '))
      .join('\n');
  const getStderrText = () =>
    splitOutputLines(stderr)
      .filter((line) => !requestLinePattern.test(line))
      .join('\n');
  const waitForOutput = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const checkOutput = () => {
        const match = pattern.exec(getStdoutText())?.[0];
        if (match !== undefined) resolve(match);
      };
      listeners.add(checkOutput);
      checkOutput();
      void exitCode.then((code) => reject(new Error(`ended with ${code}:\n${stdout}\n${stderr}`)));
    });
  stopFunctions.push(async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGTERM');
    return exitCode;
  });
  return { getStdout: getStdoutText, getStderr: getStderrText, waitForOutput, exitCode };
}

/** Stops all running commands, so that their output is complete. */
async function stopAll(): Promise<void> {
  await Promise.all(stopFunctions.map((stop) => stop()));
}

it('mentions only scripts of package.json in the README', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const scriptNames = [...readme.matchAll(/npm (?:run )?([a-z][a-z-]*)/g)].map(([, script = '']) => script);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  );
  expect(scriptNames).toContain('start');
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(scriptNames));
});

it('mentions only existing files in src/README.md', () => {
  const mapText = readFileSync(path.join(ROOT, 'src/README.md'), 'utf8');
  const fileNames = [...mapText.matchAll(/`([\w.-]+(?:\/[\w.-]+)+(?:\/|\.\w+))`/g)].map(
    ([, file = '']) => file,
  );
  expect(fileNames.length).toBeGreaterThan(40);
  expect(fileNames.filter((file) => !existsSync(path.join(ROOT, 'src', file)))).toEqual([]);
});

it('prints the URL of Bench on npm start and serves the page', async () => {
  const command = runNpm(['start'], { PORT: '0' });
  const line = await command.waitForOutput(/^Bench ready at http:\/\/127\.0\.0\.1:\d+\/$/m);
  const page = await fetch(line.replace('Bench ready at ', ''));
  expect(await page.text()).toContain('<title>Bench</title>');
  await stopAll();
  expect([command.getStdout(), command.getStderr()]).toEqual([
    line,
    'No gateway is configured (GATEWAY_BASE_URL). Using the embedded demo gateway.',
  ]);
});

it('reports no findings when npm run conformance checks npm run demo-gateway', async () => {
  const gateway = runNpm(['run', 'demo-gateway'], {
    PORT: '0',
    DEMO_GATEWAY_KEY: 'fk-mine',
    DEMO_GATEWAY_TOKENS_PER_SECOND: '0',
  });
  const line = await gateway.waitForOutput(
    /^Demo gateway ready at http:\/\/127\.0\.0\.1:\d+ with key fk-mine$/m,
  );
  const address = /http:\S+/.exec(line)?.[0] ?? '';
  const check = runNpm(['run', 'conformance', '--', address], { GATEWAY_API_KEY: 'fk-mine' });
  expect(await check.exitCode).toBe(0);
  expect([check.getStderr(), check.getStdout()]).toEqual([
    '',
    expect.stringMatching(/^[1-9]\d* passed, .* 0 faults\./m),
  ]);
  await stopAll();
  expect([gateway.getStdout(), gateway.getStderr()]).toEqual([line, '']);
});

it('runs a trial on npm run trial, with files from the folder of the user', async () => {
  const folder = path.join(copyFolder, 'evaluations');
  mkdirSync(folder);
  const config = {
    prompts: ['{{question}}'],
    providers: ['openai:demo/guide', 'openai:demo/quiz'],
    tests: [{ vars: { question: 'Is it raining?' }, assert: [{ type: 'contains', value: 'raining' }] }],
  };
  writeFileSync(path.join(folder, 'config.yaml'), JSON.stringify(config));
  const command = runNpm(['run', 'trial', '--', 'run', 'config.yaml', '--out', 'results'], {}, folder);
  expect(await command.exitCode).toBe(3);
  expect(command.getStdout()).toContain('Too early to say: 1 case so far');
  expect(readdirSync(path.join(folder, 'results'))).toEqual(
    expect.arrayContaining(['trial.jsonl', 'verdict.json', 'junit.xml', 'summary.md']),
  );
});

it('serves every module on npm run dev from packages found beforehand, without reloading the page', async () => {
  const command = runNpm(['run', 'dev'], { PORT: '0' });
  const address = (await command.waitForOutput(/http:\/\/127\.0\.0\.1:\d+\//)).replace(/\/$/, '');
  const loadResult = await loadAll(address);
  expect(loadResult.failures).toEqual([]);
  expect([...loadResult.paths]).toEqual(
    expect.arrayContaining([
      '/src/main.tsx',
      expect.stringContaining('/node_modules/.vite/deps/react-dom_client.js'),
      expect.stringContaining('highlight-worker.ts?worker_file'),
    ]),
  );
  await stopAll();
  expect(command.getStderr()).toBe('');
  expect(command.getStdout()).toMatch(/^ +VITE v\S+ +ready in/);
  expect(command.getStdout()).not.toMatch(/warn|error|fail|optimized|reload/i);
});

/**
 * Sends a GET request on a new connection, because a busy server may close a kept-alive connection just as it is
 * reused.
 */
function getWithoutAgent(url: string, accept: string): Promise<{ status: number; text: string }> {
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

/** Loads the page and, as a browser would, everything it references, including lazy imports and workers. */
async function loadAll(address: string): Promise<{ paths: ReadonlySet<string>; failures: string[] }> {
  const paths = new Set(['/']);
  const failures: string[] = [];
  const load = async (name: string): Promise<void> => {
    const { status, text } = await getWithoutAgent(address + name, name === '/' ? 'text/html' : '*/*');
    if (status !== 200) failures.push(`${status} ${name}`);
    const referencedPaths = [...text.matchAll(/["'(](\/(?:src|node_modules|@)[^"'()\s]*)["')]/g)].flatMap(
      (match) => match[1] ?? [],
    );
    const newPaths = referencedPaths.filter((next) => !paths.has(next));
    for (const next of newPaths) paths.add(next);
    await Promise.all(newPaths.map(load));
  };
  await load('/');
  return { paths, failures };
}
