import { installDrip } from './drip.mjs';

const NAMES = {
  TaskDuration: 'taskMs',
  ScriptDuration: 'scriptMs',
  LayoutDuration: 'layoutMs',
  RecalcStyleDuration: 'styleMs',
};

/** A fresh page with the drip in place. Every page of the benchmark is made here, Bench's own too. */
export async function openPage(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`  page: ${error.message}`));
  await page.addInitScript(installDrip);
  await page.goto(url);
  const session = await context.newCDPSession(page);
  // CPU time of the thread, not time on the wall: a busy neighbour does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, session, close: () => context.close() };
}

/** Milliseconds of main-thread CPU that this page has used so far, by kind. */
export async function countersOf(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(
    metrics.filter(({ name }) => name in NAMES).map(({ name, value }) => [NAMES[name], value * 1_000]),
  );
}

export function difference(before, after) {
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
}

const EVERY_TASK = ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'];
/** Without what else the timeline holds: enough for minutes of streaming. */
export const TASKS_ALONE = ['toplevel', '__metadata'];

/**
 * Tasks of the page's main thread while `work` runs: longest and 95th percentile on the wall and by CPU, and how many
 * over 50 ms.
 */
export async function tasksDuring(browser, page, work, categories = EVERY_TASK) {
  await browser.startTracing(page, { categories });
  let trace;
  try {
    await work();
  } finally {
    trace = JSON.parse((await browser.stopTracing()).toString());
  }
  const events = trace.traceEvents;
  // The thread that painted most is the page's.
  const busy = new Map();
  for (const event of events) {
    if (event.name !== 'RunTask' && event.name !== 'ThreadControllerImpl::RunTask') continue;
    const key = `${event.pid}.${event.tid}`;
    if (!isMain(events, event)) continue;
    const tasks = busy.get(key) ?? [];
    tasks.push({
      wallMs: (event.dur ?? 0) / 1_000,
      cpuMs: (event.tdur ?? event.dur ?? 0) / 1_000,
      at: event.ts,
    });
    busy.set(key, tasks);
  }
  const total = (tasks) => tasks.reduce((sum, { wallMs }) => sum + wallMs, 0);
  const tasks = [...busy.values()].toSorted((one, other) => total(other) - total(one))[0] ?? [];
  const wall = tasks.map(({ wallMs }) => wallMs).toSorted((one, other) => one - other);
  const cpu = tasks.map(({ cpuMs }) => cpuMs).toSorted((one, other) => one - other);
  return {
    longestTaskMs: wall.at(-1) ?? 0,
    longestTaskCpuMs: cpu.at(-1) ?? 0,
    p95TaskMs: wall[Math.floor(wall.length * 0.95)] ?? 0,
    p95TaskCpuMs: cpu[Math.floor(cpu.length * 0.95)] ?? 0,
    over50: tasks.filter(({ wallMs }) => wallMs > 50).length,
    over50Cpu: tasks.filter(({ cpuMs }) => cpuMs > 50).length,
  };
}

const mains = new WeakMap();
function isMain(events, { pid, tid }) {
  let known = mains.get(events);
  if (known === undefined) {
    known = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
        .map((event) => `${event.pid}.${event.tid}`),
    );
    mains.set(events, known);
  }
  return known.has(`${pid}.${tid}`);
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
