/** Installs packages with a stub of npm that records its arguments. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

const scripts = [
  'bootstrap.mjs',
  'packages.mjs',
  'run-tool.mjs',
  'ensure-built.mjs',
  'command.mjs',
  'test-run/steps.mjs',
];

/** Writes npm's list of installed packages as an installation with the given arguments would. */
const fakeNpmScript = `#!/bin/sh
echo "npm $*"
mkdir -p node_modules
case "$*" in
  *--include=dev*) echo '{"dev": true}' > node_modules/.package-lock.json ;;
  *) echo '{}' > node_modules/.package-lock.json ;;
esac
`;

let cloneFolder = '';

beforeEach(() => {
  cloneFolder = mkdtempSync(path.join(tmpdir(), 'bench-bootstrap-'));
  for (const name of scripts)
    cpSync(path.join(import.meta.dirname, name), path.join(cloneFolder, 'src/scripts', name));
  writeFileSync(path.join(cloneFolder, 'package-lock.json'), '{}');
  mkdirSync(path.join(cloneFolder, 'bin'));
  writeFileSync(path.join(cloneFolder, 'bin/npm'), fakeNpmScript);
  chmodSync(path.join(cloneFolder, 'bin/npm'), 0o755);
});

afterEach(() => rmSync(cloneFolder, { recursive: true, force: true }));

/** Runs a script in the copy. Returns its exit code and both outputs. */
function run(script: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(cloneFolder, 'src/scripts', script), ...args],
    {
      cwd: cloneFolder,
      encoding: 'utf8',
      env: { PATH: `${path.join(cloneFolder, 'bin')}:${process.env['PATH'] ?? ''}` },
    },
  );
  return { status, output: stdout + stderr };
}

it('installs only packages for building and serving in a bare clone, and nothing the next time', () => {
  expect(run('bootstrap.mjs').output).toContain('npm ci --omit=dev --ignore-scripts');
  expect(run('bootstrap.mjs')).toEqual({ status: 0, output: '' });
});

it('installs all packages for npm test after npm start, and npm start removes none afterwards', () => {
  run('bootstrap.mjs');
  expect(run('bootstrap.mjs', '--all').output).toContain('npm ci --include=dev --ignore-scripts');
  expect(run('bootstrap.mjs', '--all')).toEqual({ status: 0, output: '' });
  expect(run('bootstrap.mjs')).toEqual({ status: 0, output: '' });
});

it('keeps development packages when npm start finds a newer lock file', () => {
  run('bootstrap.mjs', '--all');
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(path.join(cloneFolder, 'package-lock.json'), tomorrow, tomorrow);
  expect(run('bootstrap.mjs').output).toContain('npm ci --include=dev');
});

it('prints the command that installs everything and exits with 2 if packages are missing', () => {
  const missing = { status: 2, output: 'Run npm test once to install everything.\n' };
  expect(run('run-tool.mjs', 'oxlint')).toEqual(missing);
  expect(run('command.mjs').output).toContain(missing.output);
});
