import { deltasOf, LAST_WORDS, textOf } from './corpus.mjs';
import { countersOf, difference, median, tasksDuring } from './measure.mjs';
import { openSubject } from './subjects.mjs';
import { printTable } from './table.mjs';

const FOUR_FAST = { lanes: 4, tokensASecond: 500, tokensAPacket: 8 };
/** Four are live at a time, two wait for their turn. */
const SIX_USUAL = { lanes: 6, tokensASecond: 100, tokensAPacket: 2 };
const KEY_EVERY_MS = 220;

/** Counts, in the page, frames in which new text was drawn and the time from a key to its paint. */
function watch(lanes) {
  const seen = { keys: [], drawn: 0, frames: 0, began: performance.now() };
  window.seen = seen;
  addEventListener(
    'keydown',
    (event) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => seen.keys.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(undefined);
      });
    },
    { capture: true },
  );
  let changed = new Set();
  const columnOf = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest('.column, .markdown');
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const column = columnOf(target);
      if (column) changed.add(column);
    }
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  const step = () => {
    seen.frames += 1;
    seen.drawn += Math.min(lanes, changed.size);
    if (changed.size > 0) changed = new Set();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Columns that stream side by side while someone types. */
export async function streamLanes(setting, subject, tokens, { lanes, tokensASecond, tokensAPacket }) {
  const opened = await openSubject({ subject, columns: lanes, ...setting });
  const { page, session } = opened;
  try {
    const deltas = deltasOf(`${textOf('mixed', tokens)}\n\n${LAST_WORDS}`);
    const pace = (1_000 * tokensAPacket) / tokensASecond;
    await page.evaluate(
      ([all, each, every]) => window.benchmark.prepare(all, each, every),
      [deltas, tokensAPacket, pace],
    );
    await page.evaluate(watch, lanes);
    await page.waitForTimeout(300);
    const before = await countersOf(session);
    let counters;
    const tasks = await tasksDuring(setting.browser, page, async () => {
      await opened.start();
      await opened.textBox.focus();
      const last = page.evaluate(
        ([words, streams]) => window.benchmark.framesUntil(words, streams),
        [LAST_WORDS, lanes],
      );
      let over = false;
      const ended = last.finally(() => {
        over = true;
      });
      while (!over) {
        await page.keyboard.press('a');
        await page.waitForTimeout(KEY_EVERY_MS);
      }
      await ended;
      await opened.ended();
      await page.waitForTimeout(1_000);
      counters = difference(before, await countersOf(session));
    });
    const { keys, drawn, framesPerSecond } = await page.evaluate(() => ({
      ...window.seen,
      framesPerSecond: (window.seen.frames * 1_000) / (performance.now() - window.seen.began),
    }));
    const packets = Math.ceil(deltas.length / tokensAPacket) * lanes;
    return {
      ...counters,
      ...tasks,
      worstKeyMs: Math.max(0, ...keys),
      medianKeyMs: median(keys),
      keyP95Ms: keys.toSorted((one, other) => one - other)[Math.floor(keys.length * 0.95)] ?? 0,
      keys: keys.length,
      drawnShare: drawn / packets,
      framesPerSecond,
    };
  } finally {
    await opened.close();
  }
}

/** Four columns at 500 tokens per second each while someone types: cost, longest task, key to paint. */
export async function measureLanes(setting) {
  const tokens = setting.quick ? 2_000 : 8_000;
  const known = new Map(setting.subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < setting.runs; round += 1) {
    for (const subject of setting.subjects) {
      const result = await streamLanes(setting, subject, tokens, FOUR_FAST);
      known.get(subject.name).push(result);
      console.error(
        `  lanes ${subject.name}: ${Math.round(result.taskMs)} ms, key ${Math.round(result.worstKeyMs)} ms`,
      );
    }
  }
  const rows = setting.subjects.map(({ name, label }) => {
    const results = known.get(name);
    const names = Object.keys(results[0] ?? {});
    return {
      name,
      label,
      tokens,
      ...Object.fromEntries(names.map((each) => [each, median(results.map((result) => result[each]))])),
    };
  });
  const floor = rows.find(({ name }) => name === 'floor')?.taskMs;
  printTable(
    `Four lanes at 500 tokens per second each (${tokens / 1_000}k tokens per lane), while someone types`,
    [
      '',
      'CPU ms',
      'against floor',
      'longest task ms (CPU)',
      'tasks over 50 ms (CPU)',
      'worst key to paint ms',
      'median',
      'updates drawn',
    ],
    rows.map((row) => [
      row.label,
      Math.round(row.taskMs),
      floor === undefined ? '' : (row.taskMs / floor).toFixed(2),
      `${row.longestTaskMs.toFixed(0)} (${row.longestTaskCpuMs.toFixed(0)})`,
      `${row.over50} (${row.over50Cpu})`,
      row.worstKeyMs.toFixed(0),
      row.medianKeyMs.toFixed(0),
      `${Math.round(row.drawnShare * 100)} %`,
    ]),
  );
  return rows;
}

/** Six lanes of the app at 100 tokens per second each, four live and two waiting, while someone types. */
export async function measureSix(setting) {
  const tokens = setting.quick ? 500 : 2_000;
  const app = setting.subjects.find(({ name }) => name === 'app');
  if (app === undefined) return undefined;
  const results = [];
  for (let round = 0; round < setting.runs; round += 1) {
    const result = await streamLanes(setting, app, tokens, SIX_USUAL);
    results.push(result);
    console.error(`  six lanes: key p95 ${Math.round(result.keyP95Ms)} ms of ${result.keys} keys`);
  }
  const of = (name) => median(results.map((result) => result[name]));
  const row = {
    keyP95Ms: of('keyP95Ms'),
    medianKeyMs: of('medianKeyMs'),
    worstKeyMs: of('worstKeyMs'),
    taskMs: of('taskMs'),
    longestTaskMs: of('longestTaskMs'),
  };
  printTable(
    `Six lanes at 100 tokens per second each (${tokens / 1_000}k tokens per lane), while someone types`,
    ['key to paint ms: p95', 'median', 'worst', 'longest task ms', 'CPU ms'],
    [
      [row.keyP95Ms, row.medianKeyMs, row.worstKeyMs, row.longestTaskMs, row.taskMs].map((value) =>
        value.toFixed(0),
      ),
    ],
  );
  return row;
}
