// npm run benchmark -- embeddings [--quick] [--only search,neighbours,matrix,pca,umap,scatter,heat,sweep,decode,size]
// What the embeddings lab computes, in headless Chromium, each figure beside its plain or library counterpart in
// the same run, and the goals that were set for it. --quick leaves the 100,000 rows out.
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { chromium } from 'playwright';

import { ensureBuilt } from '../../scripts/built.mjs';
import { findChromium } from '../../scripts/test-run/find-browser.mjs';
import { buildPage } from './embeddings/build-page.mjs';
import { viewSize } from './embeddings/view-size.mjs';
import { startBuiltBench } from './streaming/bench-server.mjs';
import { servePages } from './streaming/serve-pages.mjs';
import { printTable } from './streaming/table.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const sizes = [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560, 4096];
const ms = (value) =>
  value >= 100 ? `${Math.round(value).toLocaleString('en')} ms` : `${value.toFixed(1)} ms`;
const times = (ours, theirs) => `${(theirs / ours).toFixed(theirs / ours < 10 ? 1 : 0)}x`;

/** Each part: what it is asked, and what it says as rows of goal, measured, met and counterpart. */
const parts = {
  search: {
    ask: (quick) =>
      [10_000, 100_000]
        .slice(0, quick ? 1 : 2)
        .map((rows) => ['search', { rows, dimensions: 1024, runs: 60 }]),
    rows: (results) =>
      results.map((result, place) => {
        const [rows, limit] = [
          ['10,000', 4],
          ['100,000', 16],
        ][place];
        return {
          goal: `1 exact search of ${rows} x 1,024, page to worker and back, under ${limit} ms`,
          measured: `${ms(result.medianMs)} (p95 ${ms(result.p95Ms)})`,
          met: result.medianMs < limit,
          beside: `map and sort: ${ms(result.plainMs)}${result.isExtrapolated ? ' from 10,000 rows' : ''}, ${times(result.medianMs, result.plainMs)}`,
        };
      }),
  },
  neighbours: {
    ask: () => [['neighbours', { rows: 10_000, dimensions: 1024, k: 15 }]],
    rows: ([result]) => [
      {
        goal: `2 exact 15 nearest of 10,000 x 1,024 under 3 s, on ${result.threads} cores`,
        measured: ms(result.ms),
        met: result.ms < 3_000,
        beside: `plain loops: ${ms(result.plainMs)} from 40 rows, ${times(result.ms, result.plainMs)}`,
      },
      {
        goal: '4 the neighbours of float64 arithmetic, error under 1e-6 (bit-equal fallback: kernel.test.ts)',
        measured: `recall ${result.recall.toFixed(4)}, error ${result.error.toExponential(1)}`,
        met: result.recall === 1 && result.error < 1e-6,
        beside: 'float64 loops over 40 rows of the 10,000',
      },
    ],
  },
  matrix: {
    ask: () => [['matrix', { rows: 2_000, dimensions: 1024, runs: 7 }]],
    rows: ([{ ms: took, gflops, bound, plainMs }]) => [
      {
        goal: '3 at least 85 % of what one core can do with 128-bit float32',
        measured: `${((100 * gflops) / bound).toFixed(0)} % (${gflops.toFixed(1)} of ${bound.toFixed(1)} GFLOP/s), matrix of 2,000 in ${ms(took)}`,
        met: gflops / bound >= 0.85,
        beside: `plain loops: ${ms(plainMs)} from 50 rows, ${times(took, plainMs)}`,
      },
    ],
  },
  pca: {
    ask: () => [['pca', { rows: 10_000, dimensions: 1024, libraryRows: 2_000 }]],
    rows: ([result]) => [
      {
        goal: '5 exact PCA of 10,000 x 1,024 under 0.5 s (error under 1e-8: reference.test.ts)',
        measured: `${ms(result.ms)}; of 2,000: ${ms(result.fewMs)}`,
        met: result.ms < 500,
        beside: `ml-pca NIPALS of 2,000: ${ms(result.libraryMs)}, ${times(result.fewMs, result.libraryMs)}; apart by ${result.apart.toExponential(1)}`,
      },
    ],
  },
  umap: {
    ask: () => [['umap', { rows: 2_000, dimensions: 1024 }]],
    rows: ([result]) => [
      {
        goal: '6 UMAP of 2,000 x 1,024 under 1.5 s, animated, reproducible, trust within 0.002 of umap-js',
        measured: `${ms(result.ms)}, ${result.frames} frames, ${result.isSame ? 'the same bits twice' : 'NOT the same twice'}, trust ${result.trust.toFixed(4)}`,
        met:
          result.ms < 1_500 &&
          result.frames > 10 &&
          result.isSame &&
          result.trust > result.libraryTrust - 0.002,
        beside: `umap-js: ${ms(result.libraryMs)}, ${times(result.ms, result.libraryMs)}, trust ${result.libraryTrust.toFixed(4)}`,
      },
    ],
  },
  scatter: {
    ask: () => [['scatter', { points: 100_000, density: 1_000_000, runs: 30 }]],
    rows: ([result]) => [
      {
        goal: '7 100,000 points at 60 frames a second without a GPU, 1,000,000 as density',
        measured: `${ms(result.flatMs)} a frame, ${result.fps.toFixed(0)} fps; at rest ${ms(result.smoothMs)}; density ${ms(result.densityMs)}`,
        met: result.flatMs < 16.7 && result.fps > 55 && result.densityMs < 16.7,
        beside: `canvas arcs: ${ms(result.plainMs)}, ${times(result.flatMs, result.plainMs)}`,
      },
    ],
  },
  heat: {
    ask: () => [['heat', { rows: 10_000, dimensions: 1024, blocks: 512, tile: 256, runs: 12 }]],
    rows: ([result]) => [
      {
        goal: '8 exact 10,000 x 10,000: overview under 50 ms, tile under 16 ms, under 10 MB more',
        measured: `overview of 512 blocks ${ms(result.overviewMs)}, tile of 256 cells ${ms(result.tileMs)}, ${(result.extraBytes / 1e6).toFixed(1)} MB`,
        met: result.overviewMs < 50 && result.tileMs < 16 && result.extraBytes < 10e6,
        beside: `the whole matrix in plain loops: ${ms(result.plainMs)} from 20 rows, and 400 MB`,
      },
    ],
  },
  sweep: {
    ask: () => [['sweep', { rows: 2_000, dimensions: 4096, sizes, k: 10 }]],
    rows: ([result]) => [
      {
        goal: '9 what each of 10 sizes loses, 2,000 x 4,096, under 1 s, no request',
        measured: ms(result.ms),
        met: result.ms < 1_000,
        beside: `each size by itself: ${ms(result.plainMs)} from 5 rows, ${times(result.ms, result.plainMs)}`,
      },
    ],
  },
  decode: {
    ask: () => [['decode', { items: 1_000, dimensions: 4096, runs: 20 }]],
    rows: ([result]) => [
      {
        goal: '10 the vectors of 1,000 x 4,096 read and checked under 10 ms',
        measured: ms(result.ms),
        met: result.ms < 10,
        beside: `JSON numbers: ${ms(result.plainJsonMs)}, ${times(result.ms, result.plainJsonMs)}; base64 by Uint8Array.from: ${ms(result.plainBase64Ms)}, ${times(result.ms, result.plainBase64Ms)}`,
      },
    ],
  },
};

const sizeLimitBytes = 90 * 1_000;

export async function run(args) {
  const quick = args.includes('--quick');
  const onlyAt = args.indexOf('--only');
  const only = onlyAt < 0 ? [...Object.keys(parts), 'size'] : (args[onlyAt + 1] ?? '').split(',');
  const executablePath = await findChromium();
  if (executablePath === undefined) return 1;
  const needsPage = Object.keys(parts).some((name) => only.includes(name));
  const pages = needsPage ? await servePages(await buildPage()) : undefined;
  const browser = await chromium.launch({ executablePath, args: ['--disable-background-timer-throttling'] });
  const results = { at: new Date().toISOString(), browser: browser.version() };
  const rows = [];
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (!only.includes(name)) continue;
      // A page for each part: what one leaves in memory does not slow the next.
      const page = await browser.newPage();
      page.on('pageerror', (error) => console.error(`  page: ${error.message}`));
      await page.goto(`${pages?.url}/index.html`);
      results.kernel = await page.evaluate(() => globalThis.bench.facts());
      results[name] = [];
      for (const [method, options] of part.ask(quick)) {
        console.error(`  ${name} ${JSON.stringify(options)}`);
        results[name].push(
          await page.evaluate(([asked, given]) => globalThis.bench[asked](given), [method, options]),
        );
      }
      rows.push(...part.rows(results[name]));
      await page.close();
    }
    if (only.includes('size')) rows.push(await sizeRow(browser, results));
  } finally {
    await browser.close();
    pages?.stop();
  }
  printTable(
    `Embeddings lab, Chromium ${results.browser}, ${results.kernel?.kernel ?? 'no kernel asked'}`,
    ['goal', 'measured', 'met', 'beside'],
    rows.map(({ goal, measured, met, beside }) => [goal, measured, met ? 'yes' : 'NO', beside]),
  );
  const load = os.loadavg().map((value) => value.toFixed(1));
  const speed = results.matrix?.[0]?.bound;
  console.log(
    `\n${os.cpus().length} cores${speed === undefined ? '' : `, each ${speed.toFixed(0)} GFLOP/s of 128-bit float32 (the goals were set on one of 65)`}; load average ${load.join(', ')}`,
  );
  results.load = os.loadavg();
  results.goals = rows;
  mkdirSync(path.join(root, '.bench'), { recursive: true });
  writeFileSync(path.join(root, '.bench/embeddings.json'), `${JSON.stringify(results, undefined, 2)}\n`);
  console.log('\nWritten to .bench/embeddings.json');
  return 0;
}

async function sizeRow(browser, results) {
  ensureBuilt();
  const bench = await startBuiltBench();
  try {
    const files = await viewSize(browser, bench.url);
    results.size = files;
    const sizeOf = (some) =>
      `${(some.reduce((sum, file) => sum + file.bytes, 0) / 1_024).toFixed(1)} KB in ${some.length} files`;
    const first = files.filter(({ isFirst }) => isFirst);
    const bytes = first.reduce((sum, file) => sum + file.bytes, 0);
    return {
      goal: '13 the whole view under 90 KB gzip',
      measured: `to embed and show the four views: ${sizeOf(first)}; with every tab and UMAP: ${sizeOf(files)}`,
      met: bytes > 0 && bytes < sizeLimitBytes,
      beside: "embedding-atlas' UMAP alone: 1,017 KB (measured once, not in this run)",
    };
  } finally {
    bench.stop();
  }
}
