// npm run benchmark -- load [--quick] [--only L3,L6]: faults.md section 4 against the built server; results in .bench/load.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ensureBuilt } from '../../scripts/built.mjs';
import { measureBulk, measureDelays, measureFlush, measureMany } from './load/latency.mjs';
import { measureManySessions, measureRendering, measureStoring, measureTyping } from './load/page.mjs';
import { measurePatience } from './load/patience.mjs';
import {
  measureAborts,
  measureAttack,
  measureCap,
  measureDay,
  measurePaused,
  measureShutdown,
} from './load/pressure.mjs';
import { startGateway, startServer } from './load/processes.mjs';
import { measureSoak } from './load/soak.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

/** In an order in which no part harms the figures of the next; each has a server of its own. */
const PARTS = [
  ['L1 L2', measureMany],
  ['L3', measureDelays],
  ['L4', measureBulk],
  ['L5', measureFlush],
  ['L6', measurePaused],
  ['L7', measureAborts],
  ['L8', measureDay],
  ['L11', measureCap],
  ['L12', measureShutdown],
  ['L13', measureAttack],
  ['L10', measureSoak],
  ['L14', measureRendering],
  ['L15', measureTyping],
  ['L16', measureStoring],
  ['L17', measureManySessions],
  ['L9', measurePatience],
];

export async function run(args) {
  const quick = args.includes('--quick');
  const at = args.indexOf('--only');
  const only = at === -1 ? undefined : args[at + 1]?.split(',');
  ensureBuilt();
  const results = [];
  for (const [names, measure] of PARTS) {
    if (only && !names.split(' ').some((name) => only.includes(name))) continue;
    const gateway = await startGateway();
    const server = await startServer(gateway);
    try {
      for (const [id, what, goal, measured, isMet] of await measure({ gateway, server, quick })) {
        const row = { id, what, goal, measured: Number(measured.toFixed(2)), met: isMet(measured) };
        results.push(row);
        console.log(
          `${row.met ? 'met   ' : 'MISSED'} ${id.padEnd(4)} ${what}: ${row.measured} (goal ${goal})`,
        );
      }
    } finally {
      await server.stop();
      gateway.stop();
    }
  }
  mkdirSync(path.join(root, '.bench'), { recursive: true });
  writeFileSync(
    path.join(root, '.bench/load.json'),
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, quick, results }, null, 2)}\n`,
  );
  const missed = results.filter((row) => !row.met).length;
  console.log(missed === 0 ? 'Every goal is met.' : `${missed} of ${results.length} goals are missed.`);
  return 0;
}
