// L10: the rows of the catalogue in any order, 50 at a time.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { build } from 'vite';

import { startServer } from './processes.mjs';

const root = path.resolve(import.meta.dirname, '../../../..');
const atOnce = 50;

/** The rows and the client are TypeScript: bundled, since not every Node that Bench runs on reads it. */
async function loadRows() {
  const outDir = path.join(root, '.bench/soak');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: path.join(root, 'e2e/faults/soak.ts'),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'soak.mjs' } },
    },
  });
  return import(pathToFileURL(path.join(outDir, 'soak.mjs')).href);
}

export async function measureSoak({ quick }) {
  const requests = quick ? 1000 : 10_000;
  const { rowCount, settings, startRows, walkRow } = await loadRows();
  const gateway = await startRows();
  const server = await startServer(gateway, settings);
  const wrong = new Map();
  try {
    const walk = async (count) => {
      let left = count;
      const one = async () => {
        while (left > 0) {
          left -= 1;
          const number = Math.floor(Math.random() * rowCount);
          for (const what of await walkRow(server.url, number)) wrong.set(what, (wrong.get(what) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    };
    await walk(500);
    await sleep(2000);
    const idleMb = server.rssMb();
    const posts = gateway.posts();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, server.rssMb())), 200);
    await walk(requests);
    clearInterval(watch);
    for (const [what, times] of wrong) console.log(`  ${times} × ${what}`);
    const differing = [...wrong.values()].reduce((sum, times) => sum + times, 0);
    const isNone = (value) => value === 0;
    return [
      [
        'L10',
        `${requests} requests with any of ${rowCount} rows, ${atOnce} at a time: not as their row says`,
        '0',
        differing,
        isNone,
      ],
      ['L10', 'more POSTs than requests', '0', gateway.posts() - posts - requests, isNone],
      [
        'L10',
        'connections of rows without an end, open a second after',
        '0',
        await gateway.stillHeld(),
        isNone,
      ],
      ['L10', 'memory above idle, MB', '≤ 30', most - idleMb, (value) => value <= 30],
    ];
  } finally {
    await server.stop();
    await gateway.close();
  }
}
