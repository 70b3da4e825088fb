const timeoutMs = 120_000;

/** Opens a page in a new context. `initScript` runs before the scripts of the page. */
export async function openPage(browser, url, initScript = () => undefined) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  page.on('pageerror', (error) => console.error(`  page: ${error.message}`));
  await page.addInitScript(initScript);
  await page.goto(url);
  const session = await context.newCDPSession(page);
  // Measures CPU time of the thread, not clock time, so that other processes do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { browser, context, page, session, close: () => context.close() };
}

/** Returns the milliseconds of main-thread CPU that `action` takes. */
export async function measureCpu({ session }, action) {
  const readMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
  };
  const startMs = await readMs();
  await action();
  return (await readMs()) - startMs;
}

/** Returns the CPU milliseconds of the longest task of the page's main thread while `action` runs. */
export async function measureLongestTask({ browser, page }, action) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  let trace;
  try {
    await action();
  } finally {
    trace = JSON.parse((await browser.stopTracing()).toString());
  }
  const getThread = ({ pid, tid }) => `${pid}.${tid}`;
  const mainThreads = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(getThread),
  );
  const longestMicros = trace.traceEvents
    .filter((event) => event.name.endsWith('RunTask') && mainThreads.has(getThread(event)))
    .reduce((max, { tdur, dur = 0 }) => Math.max(max, tdur ?? dur), 0);
  return longestMicros / 1_000;
}

/** Runs in the page: collects the times from a key to its paint in `window.keyTimes`. */
export function watchKeys() {
  window.keyTimes = [];
  addEventListener(
    'keydown',
    (event) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.keyTimes.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(undefined);
      }),
    { capture: true },
  );
}

/** Types letters, with pauses, into the focused field until `hasEnded` returns true. */
export async function typeUntil(page, hasEnded, intervalMs) {
  for (let count = 0; !hasEnded(count); count += 1) {
    await page.keyboard.press('a');
    await page.waitForTimeout(intervalMs);
  }
}

export function getPercentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const getMedian = (values) => getPercentile(values, 0.5);

/** Returns the median of each field over results that have the same fields. */
export function getMedians(results) {
  return Object.fromEntries(
    Object.keys(results[0]).map((name) => [name, getMedian(results.map((result) => result[name]))]),
  );
}

/**
 * Measures every subject once per round and returns the medians by subject. The rounds are interleaved, so that a slow
 * minute of the machine affects all subjects equally.
 */
export async function measureInRounds(subjects, rounds, measure) {
  const results = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, subject] of subjects.entries()) {
      const result = await measure(subject);
      results[index].push(result);
      const values = Object.entries(result).map(([name, value]) => `${name} ${value.toFixed(1)}`);
      console.error(`  ${subject.name}: ${values.join(', ')}`);
    }
  return results.map(getMedians);
}

/** Returns a row for the report; the first of `results` belongs to the baseline. */
export function createRow(name, results, field, goals = {}) {
  const [baseline, ...values] = results.map((result) => result[field]);
  return { name, baseline, values, ...goals };
}
