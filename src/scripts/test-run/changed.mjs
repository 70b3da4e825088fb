// What `npm test -- --changed [REF]` runs: the tests that the files changed since then can reach. No dependencies.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { specsFor } from './browser-specs.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
/** Names the last commit at which everything passed. */
const passedFile = path.join(root, '.bench/passed');

/** The commit that the work tree is at; undefined where it holds changes of its own, or where git knows nothing of it. */
export function cleanCommit() {
  if (git('status', '--porcelain') !== '') return undefined;
  return git('rev-parse', 'HEAD')?.trim();
}

export function rememberPassed(commit) {
  mkdirSync(path.dirname(passedFile), { recursive: true });
  writeFileSync(passedFile, `${commit}\n`);
}

/** The unit tests and browser specs to run; without a REF since the last commit that passed. Undefined after saying why. */
export function selectionSince(givenRef) {
  const ref = givenRef ?? passedCommit();
  if (ref === undefined) {
    console.error(
      'The last commit where everything passed is not known: name a commit (npm test -- --changed main), or run npm test on a clean work tree.',
    );
    return undefined;
  }
  const changed = git('diff', '--name-only', '--merge-base', ref, '--');
  if (changed === undefined) {
    console.error(`git has no commit ${ref} to compare with.`);
    return undefined;
  }
  const files = linesOf(changed + (git('ls-files', '--others', '--exclude-standard') ?? ''));
  return {
    ref,
    files,
    unit: files.length === 0 ? [] : unitTestsSince(ref),
    specs: specsFor(files),
  };
}

function passedCommit() {
  try {
    return readFileSync(passedFile, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Those that import what changed, and all that look at files without importing them. */
function unitTestsSince(ref) {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { stdout } = spawnSync(
    process.execPath,
    [vitest, 'list', '--changed', ref, '--filesOnly', '--json', '--passWithNoTests'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] },
  );
  const importing = JSON.parse(stdout).map(({ file }) => path.relative(root, file));
  const source = path.join(root, 'src');
  const looking = readdirSync(source, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) =>
      /readFile|readdir|spawn|builtServer|documentation/.test(readFileSync(path.join(source, name), 'utf8')),
    )
    .map((name) => path.join('src', name));
  return [...new Set([...importing, ...looking])];
}

/** What git prints, or undefined where it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

const linesOf = (text) => text.split('\n').filter((line) => line !== '');
