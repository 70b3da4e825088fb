// npm run benchmark -- trials [--only T1,T3,page]: trials.md section 18. T1 to T6 without a page, in CPU time; `page` is
// 10,000 × 8 in the built app beside a bare virtual list of the same run. Results in .bench/trials.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { runnerImport } from 'vite';

import { measurePage } from './trials/page.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const ROUNDS = 7;
const CASES = 10_000;

/** Medians of milliseconds of CPU, and what each should stay under where trials.md says so. */
const parts = (modules) => ({
  T1: {
    what: '10,000 cases, one comparison, from nothing',
    goal: 100,
    prepare: () => modules.testing.aLargeTable(CASES, 2),
    measure: (table) => modules.verdict.verdictOf(countingOf(table), plan(2)),
  },
  T2: {
    what: 'the watched bets alone: 10,000 cases from nothing',
    goal: 100,
    prepare: () => differences(),
    measure: (all) => watchOf(modules, all).range(20),
  },
  T3: {
    what: 'one further case, and its range',
    goal: 0.2,
    times: 1000,
    prepare: () => watchOf(modules, differences()),
    measure: (watch, round) => {
      watch.add((round % 3) - 1);
      watch.range(20);
    },
  },
  T4: {
    what: '10,000 × 8: all comparisons and rates, from nothing',
    prepare: () => modules.testing.aLargeTable(CASES, 8),
    measure: (table) => modules.verdict.verdictOf(countingOf(table), plan(8)),
  },
  T5: {
    what: '10,000 × 8: the rows of a filter',
    goal: 50,
    prepare: () => modules.testing.aLargeTable(CASES, 8),
    measure: (table) => modules.results.shownRows(table, { name: 'columns disagree' }),
  },
  T6: {
    what: 'the plan of 10,000 cases: what could be told, what is needed',
    prepare: () => modules.testing.aTrial(CASES),
    measure: (trial) => modules.plan.planOf(trial, { perMinute: 50, places: 3, earlier: [] }),
  },
});

const plan = (columns) => ({ margin: 5, family: columns - 1 });
const countingOf = (table) => ({ table, stopped: Array(table.columns).fill(false), baseline: 0 });

/** 15 of 100 cases go to the column alone, 7 to the baseline alone; the same every time. */
function differences() {
  let state = 1;
  return Array.from({ length: CASES }, () => {
    state = (state * 16_807) % 2_147_483_647;
    const place = state / 2_147_483_647;
    return place < 0.15 ? 1 : place < 0.22 ? -1 : 0;
  });
}

function watchOf(modules, all) {
  const watch = modules.bets.createWatch();
  for (const difference of all) watch.add(difference);
  return watch;
}

export async function run(args) {
  const at = args.indexOf('--only');
  const only = at === -1 ? undefined : args[at + 1]?.split(',');
  const load = async (file) =>
    (await runnerImport(path.join(root, 'src', file), { root, configFile: false, logLevel: 'error' })).module;
  const modules = {
    bets: await load('trials/statistics/running-bet.ts'),
    plan: await load('trials/plan.ts'),
    results: await load('trials/results.ts'),
    testing: await load('testing/trials.ts'),
    verdict: await load('trials/verdict.ts'),
    records: await load('trials/records.ts'),
    checks: await load('trials/checks/score-answer.ts'),
  };
  const rows = [];
  for (const [id, { what, goal, prepare, measure, times = 1 }] of Object.entries(parts(modules))) {
    if (only && !only.includes(id)) continue;
    const took = Array.from({ length: ROUNDS }, () => {
      const subject = prepare();
      const before = process.cpuUsage();
      for (let round = 0; round < times; round += 1) measure(subject, round);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / times;
    }).toSorted((one, other) => one - other);
    const measured = Number(took[Math.floor(ROUNDS / 2)].toFixed(3));
    const met = goal === undefined || measured <= goal;
    const row = { id, what, goal, measured, worst: Number(took.at(-1).toFixed(3)), met };
    rows.push(row);
    const verdict = goal === undefined ? '      ' : met ? 'met   ' : 'MISSED';
    console.log(`${verdict} ${id} ${what}: ${measured} ms, worst ${row.worst} (goal ${goal ?? 'none'})`);
  }
  if (!only || only.includes('page')) rows.push(...(await pageRows(modules)));
  mkdirSync(path.join(root, '.bench'), { recursive: true });
  writeFileSync(path.join(root, '.bench/trials.json'), `${JSON.stringify(rows, undefined, 2)}\n`);
  return rows.every(({ met }) => met) ? 0 : 1;
}

/** 10,000 × 8 in the built app. */
async function pageRows(modules) {
  const { openedMs, elements, memory, ours, still, bare, filterMs, keys, keysFast, csv } = await measurePage(
    modules,
    {
      cases: CASES,
      columns: 8,
    },
  );
  const ratio = ours.frames / bare.frames;
  const rows = [
    {
      id: 'P1',
      what: '10,000 × 8 opens, from the click to its cells, in ms',
      goal: 1000,
      measured: openedMs,
    },
    {
      id: 'P2',
      what: 'frames over 50 ms while it scrolls and loads',
      goal: 0,
      measured: ours.over50,
      worst: ours.worstMs,
    },
    {
      id: 'P3',
      what: 'its frames while it loads by those of a bare virtual list',
      goal: 0.9,
      isLeast: true,
      measured: ratio,
    },
    {
      id: 'P7',
      what: 'the same once it is all there',
      goal: 0.9,
      isLeast: true,
      measured: still.frames / bare.frames,
    },
    { id: 'P8', what: 'frames over 50 ms then', goal: 0, measured: still.over50, worst: still.worstMs },
    { id: 'P9', what: 'frames over 50 ms of the bare list', measured: bare.over50, worst: bare.worstMs },
    { id: 'P4', what: 'elements of the page', goal: 1500, measured: elements },
    {
      id: 'P5',
      what: 'a filter, from the click to the next frame that has it, in ms',
      goal: 50,
      measured: filterMs,
    },
    {
      id: 'P10',
      what: 'a key in the prompt while it fills at 50 per minute, to its paint, median in ms',
      goal: 16,
      measured: keys.median,
      worst: keys.worst,
    },
    {
      id: 'P14',
      what: 'the same before anything is asked',
      measured: keys.still.median,
      worst: keys.still.worst,
    },
    {
      id: 'P15',
      what: 'the same while it fills as fast as the demo gateway answers',
      goal: 16,
      measured: keysFast.median,
      worst: keysFast.worst,
    },
    { id: 'P11', what: 'a CSV of 50 MB is read, in ms', measured: csv.readMs },
    { id: 'P12', what: 'the longest frame of the page meanwhile, in ms', goal: 50, measured: csv.readWorst },
    { id: 'P13', what: 'the longest frame while its cases are added', measured: csv.addWorst },
    { id: 'P6', what: 'script memory of the page, in MB', measured: memory },
  ].map(({ isLeast = false, ...row }) => {
    const measured = Number(row.measured.toFixed(2));
    const met = row.goal === undefined || (isLeast ? measured >= row.goal : measured <= row.goal);
    return { ...row, measured, met };
  });
  for (const { id, what, goal, measured, worst, met } of rows) {
    const verdict = goal === undefined ? '      ' : met ? 'met   ' : 'MISSED';
    const most = worst === undefined ? '' : `, worst ${worst.toFixed(1)} ms`;
    console.log(`${verdict} ${id} ${what}: ${measured}${most} (goal ${goal ?? 'none'})`);
  }
  return rows;
}
