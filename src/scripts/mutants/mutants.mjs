// npm run mutants: changes the source in small ways, one at a time, and counts the changes that make a unit test fail.
//   -- --seed N          draws other mutants (default 16)
//   -- --count N         draws this many (default 400)
//   -- --all FOLDER      takes every mutant of a folder or file below src, and holds it to no bound
//   -- --concurrency N   runs this many at a time (default: one a core)
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { parseAst, runnerImport } from 'vite';

import { follow } from './reporter.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const reportFile = '.bench/mutants.json';

/** What a session is and how it changes: the part of src/conversation that all others stand on. */
const SESSION_CORE = [
  'reply/ending',
  'reply/fold-tape',
  'reply/metrics',
  'reply/note-sentence',
  'reply/run',
  'reply/think-tags',
  'request/image-routing',
  'request/images',
  'request/request',
  'request/tool-results',
  'request/tool-results-pending',
  'request/written-edit',
  'request/written-message',
  'session/candidates',
  'session/edit',
  'session/lanes',
  'session/made-with',
  'session/records',
  'session/reissue-ids',
  'session/revive',
  'session/rows',
  'session/tree',
  'session/variables',
  'setup/model-marks',
  'setup/param-readers',
  'setup/params',
  'setup/setup',
  'setup/stored-preset',
  'setup/tool-choice',
];

/** Sources that no unit test can reach: they run in a process of their own, in the build, or in a page. */
const OUT_OF_REACH = new Set([
  'src/server/main.ts',
  'src/server/demo-main.ts',
  'src/server/build/vite-packs.ts',
  'src/server/build/vite-plugin.ts',
  'src/state/react.tsx',
  'src/state/import-worker.ts',
]);

/** Where mutants are drawn, and the share that must be caught. */
const PARTS = [
  { name: 'gateway', files: filesBelow('src/gateway'), bound: 85 },
  { name: 'session core', files: SESSION_CORE.map((name) => `src/conversation/${name}.ts`), bound: 85 },
  { name: 'server', files: filesBelow('src/server'), bound: 85 },
  { name: 'state', files: filesBelow('src/state'), bound: 75 },
  { name: 'storage', files: filesBelow('src/storage'), bound: 75 },
];

/** A hang is caught: Stryker ends it. An error of Stryker's own tells nothing of the tests, so it is not. */
const CAUGHT = new Set(['Killed', 'Timeout']);
const SURVIVED = new Set(['Survived', 'NoCoverage']);

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main() {
  const options = readOptions();
  process.chdir(root);
  // A fifth of the cases that a property is tried with: a mutant is mostly caught by one of the first.
  process.env.BENCH_CASES ??= '0.2';
  const parts = await draw(options);
  const drawn = parts.reduce((sum, part) => sum + part.quota, 0);
  const found = parts.reduce((sum, part) => sum + part.queue.length, 0);
  console.log(`${drawn} of ${found} mutants, ${options.all ?? `seed ${options.seed}`}.`);

  const results = await run(parts, options.concurrency);
  const isMissed = report(parts, results, options);
  process.exitCode = isMissed ? 1 : 0;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '16' },
      count: { type: 'string', default: '400' },
      all: { type: 'string' },
      concurrency: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const whole = (name) => {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} takes a whole number.`);
    return number;
  };
  return {
    seed: whole('seed'),
    count: whole('count'),
    concurrency: Math.max(1, whole('concurrency')),
    all: values.all,
  };
}

/** The parts with their mutants in random order, and how many of each are to be run. */
async function draw({ seed, count, all }) {
  const parts = all === undefined ? PARTS : [{ name: all, files: filesBelow(all), bound: 0 }];
  const { seededRandom } = await sourceOf('src/embedding/maps/random.ts');
  const { shuffled } = await sourceOf('src/lib/random.ts');
  const chance = seededRandom(seed);
  const queues = [];
  for (const part of parts) queues.push(shuffled(await mutantsOf(part.files), chance));
  const found = queues.reduce((sum, queue) => sum + queue.length, 0);
  const share = all === undefined ? Math.min(1, count / found) : 1;
  return parts.map((part, index) => ({
    ...part,
    queue: queues[index],
    quota: Math.round(queues[index].length * share),
  }));
}

async function sourceOf(file) {
  return (await runnerImport(path.join(root, file), { root, configFile: false, logLevel: 'error' })).module;
}

/** Every mutant of the files, as Stryker will make them. */
async function mutantsOf(files) {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, isDebugEnabled: () => false };
  const { mutator } = JSON.parse(readFileSync('.stryker.config.json', 'utf8'));
  const sources = files.map((file) => ({
    name: path.resolve(file),
    mutate: true,
    content: readFileSync(file, 'utf8'),
  }));
  const { mutants } = await new Instrumenter(silent).instrument(sources, {
    plugins: null,
    ignorers: [],
    ...mutator,
  });
  const inFunction = new Map(sources.map(({ name, content }) => [name, functionsOf(content, name)]));
  return mutants.filter(
    ({ fileName, location, status }) =>
      status !== 'Ignored' &&
      inFunction.get(path.resolve(fileName)).some((one) => holds(one, location.start)),
  );
}

/**
 * The functions of a source, each from where to where, lines and columns from 0. What stands outside of them runs while
 * the module loads, once for all tests of a thread: a mutant there would be looked for where it no longer is.
 */
function functionsOf(source, name) {
  const lineStarts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  const placeOf = (offset) => {
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return { line, column: offset - lineStarts[line] };
  };
  const found = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (/Function(?:Declaration|Expression)$/.test(node.type ?? '') && node.body)
      found.push({ start: placeOf(node.body.start), end: placeOf(node.body.end) });
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(source, { lang: name.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

function holds({ start, end }, place) {
  const isAfter = (one, other) =>
    one.line > other.line || (one.line === other.line && one.column >= other.column);
  return isAfter(place, start) && isAfter(end, place);
}

/**
 * Runs as many of each part as its quota says. What is evaluated while a module loads costs a run of all tests for each
 * mutant, so those are passed over for the next in the queue; `passedOver` counts them.
 */
async function run(parts, concurrency) {
  const reserve = parts.flatMap(({ queue, quota }) => queue.slice(0, Math.ceil(quota * 1.2) + 5));
  let chosen = 0;
  let done = 0;
  const startedAt = Date.now();
  follow.choose = (plans) => {
    const planned = new Map(plans.map((plan) => [keyOf(plan.mutant), plan]));
    const all = parts.flatMap((part) => chosenOf(part, planned));
    chosen = all.length;
    return all;
  };
  follow.tested = (result) => {
    done += 1;
    if (!CAUGHT.has(result.status)) printSurvivor(described(result));
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
    if (done % 25 === 0 || done === chosen) console.log(`${done} of ${chosen} after ${minutes} min`);
  };
  const results = await new Stryker({
    configFile: '.stryker.config.json',
    concurrency,
    mutate: reserve.map(rangeOf),
    logLevel: 'warn',
  }).runMutationTest();
  if (results.length !== chosen)
    throw new Error(`Stryker ran ${results.length} mutants instead of ${chosen}.`);
  return results;
}

/** The first of the queue that can be run, as many as the quota. */
function chosenOf(part, planned) {
  const chosen = [];
  part.passedOver = 0;
  for (const mutant of part.queue) {
    const plan = planned.get(keyOf(mutant));
    if (chosen.length === part.quota) break;
    if (plan?.plan === 'Run') chosen.push(plan);
    else if (plan !== undefined) part.passedOver += 1;
  }
  return chosen;
}

/** Prints and stores what became of the mutants; true where a part misses its bound or a mutant could not be judged. */
function report(parts, results, { seed, all }) {
  const mutants = results.map(described);
  const unjudged = mutants.filter(({ status }) => !CAUGHT.has(status) && !SURVIVED.has(status));
  const rows = parts.map(({ name, files, bound, passedOver }) => {
    const own = mutants.filter((mutant) => files.includes(mutant.file));
    const caught = own.filter(({ status }) => CAUGHT.has(status)).length;
    const percent = own.length === 0 ? 100 : (100 * caught) / own.length;
    return { name, mutants: own.length, caught, percent: Math.round(percent * 10) / 10, bound, passedOver };
  });

  for (const { name, mutants: total, caught, percent, bound, passedOver } of rows) {
    const more = passedOver === 0 ? '' : `; ${passedOver} passed over that only loading a module meets`;
    console.log(`${name.padEnd(14)} ${caught} of ${total} caught, ${percent} % (bound ${bound} %)${more}`);
  }
  console.log(`Errors and crashes: ${unjudged.length}. Every mutant: ${reportFile}`);

  mkdirSync(path.dirname(reportFile), { recursive: true });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync(reportFile, JSON.stringify({ commit, seed, all, parts: rows, mutants }, null, 2));
  return unjudged.length > 0 || rows.some(({ percent, bound }) => percent < bound);
}

function printSurvivor({ file, line, column, mutator, original, replacement, status }) {
  console.log(`${status} ${file}:${line}:${column} ${mutator}\n    ${original}\n    ${replacement}`);
}

/** A result with its place counted from 1 and its text on one line. */
function described({
  fileName,
  location,
  mutatorName,
  replacement,
  status,
  statusReason,
  killedBy,
  coveredBy,
}) {
  const file = path.relative(root, path.resolve(fileName)).split(path.sep).join('/');
  const { start, end } = location;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return {
    file,
    line: start.line,
    column: start.column,
    mutator: mutatorName,
    original: onOneLine(lines.join(' ')),
    replacement: onOneLine(replacement ?? ''),
    status,
    reason: statusReason,
    killedBy,
    tests: coveredBy?.length,
  };
}

function onOneLine(text) {
  const joined = text.replace(/\s+/g, ' ').trim();
  return joined.length <= 160 ? joined : `${joined.slice(0, 160)}…`;
}

function keyOf({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = path.resolve(fileName);
  return [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(' ');
}

/** As Stryker's `mutate` wants it: lines from 1, columns from 0. */
function rangeOf({ fileName, location: { start, end } }) {
  const file = path.relative(root, fileName).split(path.sep).join('/');
  return `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** The sources of a folder or the file itself, without tests and what only tests use. */
function filesBelow(name) {
  const base = name.startsWith('src/') ? name.replace(/\/$/, '') : `src/${name.replace(/\/$/, '')}`;
  const entry = statSync(path.join(root, base), { throwIfNoEntry: false });
  if (entry === undefined) throw new Error(`There is no ${base}.`);
  if (entry.isFile()) return [base];
  return readdirSync(path.join(root, base), { recursive: true, encoding: 'utf8' })
    .map((file) => `${base}/${file.split(path.sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/__fixtures__\/|\/testing[/-]/.test(file))
    .filter((file) => !OUT_OF_REACH.has(file))
    .toSorted();
}
