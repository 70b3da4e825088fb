import { deltasOf, LAST_WORDS, textOf } from './corpus.mjs';
import { countersOf, difference, median } from './measure.mjs';
import { openSubject } from './subjects.mjs';
import { printTable } from './table.mjs';

const TOKENS_A_FRAME = 33;
/** What comes after the last words (comparing with the reference, colours off screen) belongs to the cost. */
const QUIET_MS = 1_500;
/** A size that would take longer than this, going by the size before it, is left out. */
const MOST_CPU_MS = 200_000;

/** CPU of one whole stream, one packet of 33 tokens per frame. */
async function streamOnce(setting, subject, kind, tokens) {
  const opened = await openSubject({ subject, columns: 1, ...setting });
  const { page, session } = opened;
  try {
    const deltas = deltasOf(`${textOf(kind, tokens)}\n\n${LAST_WORDS}`);
    await page.evaluate(
      ([all, each]) => window.benchmark.prepare(all, each, 'frame'),
      [deltas, TOKENS_A_FRAME],
    );
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(300);
    const before = await countersOf(session);
    await opened.start();
    const frames = await page.evaluate((words) => window.benchmark.framesUntil(words, 1), LAST_WORDS);
    await opened.ended();
    await page.waitForTimeout(QUIET_MS);
    return { ...difference(before, await countersOf(session)), framesAfterLastByte: frames };
  } finally {
    await opened.close();
  }
}

function medianOf(results) {
  const names = Object.keys(results[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(results.map((result) => result[name]))]));
}

/** Slope of log cost over log size: 1 is linear. */
export function growthExponent(points) {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)]);
  const mean = (index) => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const over = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return over / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}

/** All subjects at all sizes; rounds are interleaved, so that a slow minute of the machine touches all alike. */
export async function measureCost(setting) {
  return measureTexts(setting, setting.subjects, ['mixed']).then(({ mixed }) => mixed);
}

/** The floor and the app on one giant block of each kind. */
export async function measureShapes(setting) {
  const subjects = setting.subjects.filter(
    ({ name }) => name === 'floor' || name === 'app' || name === 'leaf',
  );
  return measureTexts(setting, subjects, ['list', 'table', 'code', 'paragraph']);
}

async function measureTexts(setting, subjects, kinds) {
  const table = {};
  for (const kind of kinds) {
    const known = new Map(subjects.map(({ name }) => [name, new Map()]));
    for (const tokens of setting.sizes) {
      for (let round = 0; round < setting.runs; round += 1) {
        for (const subject of subjects) {
          if (isTooDear(known.get(subject.name), tokens)) continue;
          const result = await streamOnce(setting, subject, kind, tokens);
          const bySize = known.get(subject.name);
          bySize.set(tokens, [...(bySize.get(tokens) ?? []), result]);
          console.error(`  ${kind} ${tokens / 1_000}k ${subject.name}: ${Math.round(result.taskMs)} ms`);
        }
      }
    }
    table[kind] = subjects.map((subject) => rowOf(subject, known.get(subject.name), known.get('floor')));
    printCost(kind, table[kind], setting.sizes);
  }
  return table;
}

function isTooDear(bySize, tokens) {
  const smaller = [...bySize]
    .filter(([size]) => size < tokens)
    .map(([size, results]) => [size, medianOf(results).taskMs]);
  const last = smaller.at(-1);
  if (last === undefined) return false;
  const exponent = smaller.length > 1 ? Math.max(1, growthExponent(smaller.slice(-2))) : 1;
  return last[1] * (tokens / last[0]) ** exponent > MOST_CPU_MS;
}

function rowOf(subject, bySize, floor) {
  const sizes = [...bySize].map(([tokens, results]) => ({
    tokens,
    ...medianOf(results),
    runs: results.map(({ taskMs }) => taskMs),
  }));
  const points = sizes.map(({ tokens, taskMs }) => [tokens, taskMs]);
  const against = Object.fromEntries(
    sizes.flatMap(({ tokens, taskMs }) => {
      const results = floor?.get(tokens);
      return results === undefined ? [] : [[tokens, taskMs / medianOf(results).taskMs]];
    }),
  );
  return {
    name: subject.name,
    label: subject.label,
    sizes,
    exponent: points.length > 1 ? growthExponent(points) : undefined,
    against,
  };
}

function printCost(kind, rows, sizes) {
  printTable(
    `Cost of a whole stream (${kind}), 33 tokens per frame: main-thread CPU in ms, in brackets against the floor`,
    [
      '',
      ...sizes.map((size) => `${size / 1_000}k`),
      'exponent',
      'script/layout/style at the largest',
      'frames after last byte',
    ],
    rows.map((row) => {
      const largest = row.sizes.at(-1);
      return [
        row.label,
        ...sizes.map((size) => {
          const found = row.sizes.find(({ tokens }) => tokens === size);
          if (found === undefined) return 'left out';
          const ratio = row.against[size];
          return `${Math.round(found.taskMs)}${ratio === undefined ? '' : ` (${ratio.toFixed(2)})`}`;
        }),
        row.exponent?.toFixed(2) ?? '',
        largest === undefined
          ? ''
          : ['scriptMs', 'layoutMs', 'styleMs'].map((name) => Math.round(largest[name])).join('/'),
        `${Math.max(...row.sizes.map(({ framesAfterLastByte }) => framesAfterLastByte))}`,
      ];
    }),
  );
}
