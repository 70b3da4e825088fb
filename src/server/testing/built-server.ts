import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { createBuilder } from 'vite';

import { createPlaygroundPlugin } from '../build/vite-plugin.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The built server in a temporary folder with a placeholder app. */
export interface BuiltServer {
  folder: string;
  /** Starts `main` or `demo-main` without any settings from this machine. */
  run: (name: 'main' | 'demo-main', environment?: Record<string, string>) => RunningServer;
  /** Runs the command `gateway-playground` in the folder. */
  runCommand: (args: readonly string[], environment?: Record<string, string>) => RunningServer;
  remove: () => void;
}

export interface RunningServer {
  process: ChildProcess;
  getStdout: () => string;
  getStderr: () => string;
  /** Resolves with the first line on standard output. Rejects if the process ends without one. */
  readyLine: Promise<string>;
  /** Resolves with the exit code, or the signal that ended the process. */
  exitResult: Promise<number | string>;
}

/** Uses the build of `npm test` if there is one (BENCH_BUILT), otherwise creates its own. */
export async function prepareBuiltServer(): Promise<BuiltServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-built-'));
  const sharedBuild = process.env['BENCH_BUILT'];
  if (sharedBuild === undefined) await buildServer(folder);
  else cpSync(path.join(sharedBuild, 'server'), path.join(folder, 'server'), { recursive: true });
  mkdirSync(path.join(folder, 'client'));
  writeFileSync(path.join(folder, 'client/index.html'), '<!doctype html><title>Bench</title>');
  return {
    folder,
    run: (name, variables = {}) => start([path.join(folder, 'server', `${name}.js`)], folder, variables),
    runCommand: (args, variables = {}) => {
      const module = JSON.stringify(pathToFileURL(path.join(folder, 'server/command.js')));
      const script = `import { runCommand } from ${module}; await runCommand(process.argv.slice(1), process.cwd());`;
      return start(['--input-type=module', '--eval', script, '--', ...args], folder, variables);
    },
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

export async function buildServer(folder: string): Promise<void> {
  const builder = await createBuilder({
    root: ROOT,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    plugins: [createPlaygroundPlugin(ROOT, folder)],
  });
  const environment = builder.environments['server'];
  if (environment === undefined) throw new Error('there is no server environment');
  await builder.build(environment);
}

function start(args: readonly string[], cwd: string, variables: Record<string, string>): RunningServer {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...variables },
  });
  let stdout = '';
  let stderr = '';
  const exitResult = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
    });
  });
  const readyLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
      const end = stdout.indexOf('\n');
      if (end !== -1) resolve(stdout.slice(0, end));
    });
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    void exitResult.then((code) => {
      reject(new Error(`ended with ${code} before it was ready: ${stderr}`));
    });
  });
  // A server that is expected not to start has no ready line.
  readyLine.catch(() => undefined);
  return { process: child, getStdout: () => stdout, getStderr: () => stderr, readyLine, exitResult };
}
