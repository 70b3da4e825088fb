// Builds whatever is missing or stale. No dependencies.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { requirePackage, root } from './packages.mjs';

/** Inputs of the build. */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** Outputs of the build, all of which must exist; the last one is written first. */
const BUILD_OUTPUTS = [
  'dist/client/index.html',
  'dist/server/main.js',
  'dist/server/demo-main.js',
  'dist/server/command.js',
];

/** Builds if necessary, with messages on standard error. Ends the process if the build fails. */
export function ensureBuilt() {
  if (getNewestMtime(SOURCES) <= getOldestMtime(BUILD_OUTPUTS)) return;
  console.error('Building Bench.');
  const { status } = spawnSync(
    process.execPath,
    [requirePackage('vite/bin/vite.js'), 'build', '--app', '--logLevel', 'warn'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  if (status !== 0) {
    console.error('The build failed. See the message above.');
    process.exit(status ?? 1);
  }
}

function getNewestMtime(names) {
  return Math.max(
    ...names.flatMap((name) => listFiles(path.join(root, name))).map((file) => statSync(file).mtimeMs),
  );
}

function getOldestMtime(names) {
  return Math.min(
    ...names.map((name) => statSync(path.join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}

/**
 * Returns the file itself, or everything inside a folder, including folders, since a deletion only changes the folder's
 * time.
 */
function listFiles(name) {
  const entry = statSync(name, { throwIfNoEntry: false });
  if (entry === undefined) return [];
  if (!entry.isDirectory()) return [name];
  const entries = readdirSync(name, { recursive: true }).map((file) => path.join(name, file));
  return [name, ...entries].filter((file) => !/\.test\.tsx?$/.test(file));
}
