/** Kills shards of a trial at random and merges them. `npm run soak` kills a hundred times. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createSeededRandom } from '../../lib/random.ts';
import { prepareBuiltServer, type BuiltServer } from '../../server/testing/built-server.ts';
import { getTicket } from '../../testing/open-trials.ts';
import { startScriptedGateway, type ScriptedGateway } from '../../testing/scripted-gateway.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { createTrialText, normalizeTrialText } from '../../testing/trial-command.ts';

/** `npm test` runs the first one only. */
const shardCounts = [2, 1, 8, 32].slice(0, getCaseCount(1));
const caseCount = 60;

let builtServer: BuiltServer;
let gateway: ScriptedGateway;
beforeAll(async () => {
  builtServer = await prepareBuiltServer();
  gateway = await startScriptedGateway();
});
afterAll(async () => {
  await gateway.close();
  builtServer.remove();
});

const run = (...args: string[]) =>
  builtServer.runCommand(['trial', ...args], { GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '0' });
const readTrial = (folder: string) =>
  readFileSync(path.join(builtServer.folder, folder, 'trial.jsonl'), 'utf8');

/** Returns the cells in the file of a folder, as "model ticket". */
function listEndedCells(folder: string): string[] {
  if (!existsSync(path.join(builtServer.folder, folder, 'trial.jsonl'))) return [];
  return readTrial(folder)
    .split('\n')
    .filter((line) => line.startsWith('{"cell"') && line.endsWith('}'))
    .map((line) => {
      const [, caseId] = /"caseId":"(\d+)"/.exec(line) ?? [];
      const [, model] = /"model":"([^"]+)"/.exec(line) ?? [];
      return `${model} ticket ${caseId}`;
    });
}

it.each(shardCounts)(
  'asks no ended cell of %i shards again, and each one in flight at a kill once more',
  async (shardCount) => {
    const random = createSeededRandom(`kills ${shardCount} ${process.env['BENCH_SEED'] ?? 42}`);
    const killCount = getCaseCount(20);
    writeFileSync(path.join(builtServer.folder, 'trial.jsonl'), createTrialText(caseCount));
    gateway.posts.length = 0;
    const endedCells = new Set<string>();
    const askedAgain: string[] = [];
    let onRequest: () => void = () => undefined;
    gateway.setChatScript((answer, { body }) => {
      const cell = `${String(body['model'])} ${getTicket(body)}`;
      if (endedCells.has(cell)) askedAgain.push(cell);
      answer.sendAnswer(cell.length % 3 === 0 ? '{"team":"billing"}' : '{"team":"delivery"}');
      onRequest();
    });
    expect(await run('run', 'trial.jsonl', '--out', `whole-${shardCount}`).exitResult).toBe(3);
    const wholeCount = gateway.posts.length;

    const shards = Array.from({ length: shardCount }, (_, index) => index + 1);
    const startShard = (index: number) =>
      run('run', 'trial.jsonl', '--out', `shard-${index}-${shardCount}`, '--shard', `${index}/${shardCount}`);
    for (let kill = 0; kill < killCount; kill += 1) {
      const index = 1 + Math.floor(random() * shardCount);
      const process = startShard(index);
      let remaining = 1 + Math.floor(random() * 6);
      onRequest = () => {
        remaining -= 1;
        if (remaining === 0) process.process.kill('SIGKILL');
      };
      await process.exitResult;
      for (const cell of listEndedCells(`shard-${index}-${shardCount}`)) endedCells.add(cell);
    }
    onRequest = () => undefined;
    for (const index of shards) expect(await startShard(index).exitResult).toBe(0);
    const repeatedCount = gateway.posts.length - 2 * wholeCount;
    const folders = shards.map((index) => `shard-${index}-${shardCount}`);
    const interruptedCount = folders.reduce((sum, folder) => {
      const [, count = '0'] = /"interruptedRequests":(\d+)/.exec(readTrial(folder)) ?? [];
      return sum + Number(count);
    }, 0);
    expect(await run('merge', ...folders.toReversed(), '--out', `merged-${shardCount}`).exitResult).toBe(3);

    expect(askedAgain).toEqual([]);
    // A request can be noted and not be sent when the process is killed.
    expect(repeatedCount).toBeLessThanOrEqual(interruptedCount);
    expect(interruptedCount).toBeGreaterThan(0);
    expect(normalizeTrialText(readTrial(`merged-${shardCount}`))).toEqual(
      normalizeTrialText(readTrial(`whole-${shardCount}`)),
    );
  },
);
