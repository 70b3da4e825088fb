import { deltasOf, LAST_WORDS, textOf } from './corpus.mjs';
import { median } from './measure.mjs';
import { openSubject } from './subjects.mjs';
import { printTable } from './table.mjs';

const EVENTS = 100_000;
const EVENTS_A_FRAME = 500;
const SCROLLED_FRAMES = 240;
const PX_A_FRAME = 120;

/** The inspector on the tape of an answer of 100,000 events: the time until it is open, and frames a second in it. */
export async function measureInspector(setting) {
  const results = [];
  for (let round = 0; round < setting.runs; round += 1) {
    const result = await inspectOnce(setting);
    results.push(result);
    console.error(
      `  inspector: open ${Math.round(result.openMs)} ms, whole ${Math.round(result.wholeMs)} ms, ${result.framesPerSecond.toFixed(0)} frames a second`,
    );
  }
  const of = (name) => median(results.map((result) => result[name]));
  const row = {
    openMs: of('openMs'),
    wholeMs: of('wholeMs'),
    framesPerSecond: of('framesPerSecond'),
    longestFrameMs: of('longestFrameMs'),
  };
  printTable(
    'The inspector on a tape of 100,000 events',
    ['first rows ms', 'whole tape ms', 'frames a second while it scrolls', 'longest frame ms'],
    [
      [
        row.openMs.toFixed(0),
        row.wholeMs.toFixed(0),
        row.framesPerSecond.toFixed(1),
        row.longestFrameMs.toFixed(0),
      ],
    ],
  );
  return row;
}

async function inspectOnce(setting) {
  const opened = await openSubject({ subject: { page: undefined }, columns: 1, ...setting });
  const { page } = opened;
  try {
    const pieces = deltasOf(textOf('mixed', 20_000));
    const deltas = Array.from({ length: EVENTS }, (_, index) => pieces[index % pieces.length]);
    await page.evaluate(
      ([all, each]) => window.benchmark.prepare(all, each, 'frame'),
      [[...deltas, `\n\n${LAST_WORDS}`], EVENTS_A_FRAME],
    );
    await opened.start();
    await opened.ended();
    await page.waitForTimeout(2_000);

    const inspect = page.getByRole('button', { name: 'Inspect', exact: true }).last();
    await inspect.scrollIntoViewIfNeeded();
    await page.evaluate(() => {
      let began;
      addEventListener('click', (event) => (began ??= event.timeStamp), { capture: true });
      const painted = (isSeen) =>
        new Promise((resolve) => {
          const step = () => {
            const drawer = document.querySelector('[aria-label="Inspector"]');
            if (began === undefined || !drawer || !isSeen(drawer)) return requestAnimationFrame(step);
            const channel = new MessageChannel();
            channel.port1.onmessage = () => resolve(performance.now() - began);
            channel.port2.postMessage(undefined);
          };
          requestAnimationFrame(step);
        });
      window.opened = painted((drawer) => drawer.querySelector('[role=treegrid] [role=rowgroup] [role=row]'));
      window.whole = painted((drawer) => /^100,\d/.test(drawer.querySelector('h3')?.textContent ?? ''));
    });
    await inspect.click();
    const openMs = await page.evaluate(() => window.opened);
    const wholeMs = await page.evaluate(() => window.whole);
    const drawer = page.getByRole('complementary', { name: 'Inspector' });
    await drawer.getByRole('button', { name: /^content \d/ }).click();
    await page.waitForTimeout(1_000);
    const frames = await drawer
      .getByRole('treegrid')
      .getByRole('rowgroup')
      .evaluate(scrollThrough, [SCROLLED_FRAMES, PX_A_FRAME]);
    return { openMs, wholeMs, ...frames };
  } finally {
    await opened.close();
  }
}

/** Runs in the page: scrolls on in each frame, and says how many frames a second there were. */
function scrollThrough(grid, [count, distance]) {
  let box = grid;
  while (box && box.scrollHeight - box.clientHeight < 1_000) box = box.parentElement;
  if (!box) throw new Error('Nothing scrolls');
  return new Promise((resolve) => {
    const times = [];
    const step = (time) => {
      times.push(time);
      box.scrollTop += distance;
      if (times.length <= count) return requestAnimationFrame(step);
      const gaps = times.slice(1).map((each, index) => each - times[index]);
      const whole = times.at(-1) - times[0];
      resolve({ framesPerSecond: (1_000 * gaps.length) / whole, longestFrameMs: Math.max(...gaps) });
    };
    requestAnimationFrame(step);
  });
}
