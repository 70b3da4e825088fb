/** One row of the catalogue of faults, walked through the real app in Node: shown, stored, and the same after a second start. */
import { beforeAll, type TestContext } from 'vitest';

import { withSent } from '../../conversation/setup/params.ts';
import { servedPlayground, type ServedPlayground } from '../../server/testing/served-playground.ts';
import { aBench, type Bench } from '../bench.ts';
import { spoken } from '../builders.ts';
import { canaryKey } from '../canary-key.ts';
import { drawnReplies, type DrawnReply } from '../views.tsx';
import { startFaultGateway, type FaultGateway } from './fault-gateway.ts';
import type { FaultOutcome, FaultRow } from './fault-row.ts';
import { runsInOrder } from './stored-run.ts';
import { unlike } from './unlike.ts';

export interface FaultRoad {
  gateway: FaultGateway;
  server: ServedPlayground;
}

/** One fault gateway with a server in front of it for all tests of a file; each row is asked for by its name. */
export function aFaultRoad(
  rows: readonly FaultRow[],
  settings: Readonly<Record<string, string>> = {},
): () => FaultRoad {
  let road: FaultRoad | undefined;
  beforeAll(async () => {
    const gateway = await startFaultGateway();
    gateway.answerWith((body) => rows.find(({ name }) => isAskedFor(name, body))?.answer ?? { body: [] });
    const server = await servedPlayground({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: canaryKey,
      GATEWAY_RPM: '0',
      ...settings,
    });
    road = { gateway, server };
    return async () => {
      await server.close();
      await gateway.close();
    };
  });
  return () => {
    if (!road) throw new Error('The road is open only while tests run');
    return road;
  };
}

/** Walks one row and answers with what is not as it should be; `whole` asks for an answer in one piece. */
export async function walkRow(
  { gateway, server }: FaultRoad,
  { name, outcome }: FaultRow,
  { onTestFinished }: TestContext,
  { whole = false } = {},
): Promise<string[]> {
  const bench = await aBench({ server, atEnd: onTestFinished });
  await bench.actions.createSession();
  if (whole) askForWhole(bench);
  await bench.actions.sendPrompt(spoken(name));
  const posts = gateway.posts.filter(({ body }) => isAskedFor(name, body)).length;
  const wrong = posts === 1 ? [] : [`${posts} POSTs for one send (I4)`];

  const reply = onlyReply(bench);
  wrong.push(...wrongIn(reply, outcome));
  await bench.saved();
  const { id } = bench.current().session;
  const next = await bench.reopened();
  await next.actions.openSession(id);
  const again = withoutCountdown(onlyReply(next));
  if (again !== withoutCountdown(reply)) wrong.push(`after a second start it says: ${again} (I10)`);

  const records = await next.records.session(id);
  const runs = runsInOrder(records?.turns ?? [], records?.runs ?? []);
  if (runs.length !== 1) wrong.push(`${runs.length} runs are stored`);
  for (const run of runs) wrong.push(...unlike(run, outcome));
  const tapes = await Promise.all(Object.keys(next.current().runs).map((runId) => next.records.tape(runId)));
  const kept = JSON.stringify([records, tapes, [...next.browser.stored]]);
  if (kept.includes(canaryKey)) wrong.push('the key is stored (I8)');
  return wrong;
}

function isAskedFor(name: string, body: string): boolean {
  return body.includes(JSON.stringify(name));
}

function askForWhole(bench: Bench): void {
  for (const laneId of bench.current().session.laneIds) {
    const params = bench.current().lanes[laneId]?.setup.params ?? {};
    bench.actions.changeSetup(laneId, { params: withSent(params, 'stream', false) });
  }
}

function onlyReply(bench: Bench): DrawnReply {
  const [reply, ...others] = drawnReplies(bench);
  if (!reply || others.length > 0) throw new Error(`There are ${others.length + (reply ? 1 : 0)} replies`);
  return reply;
}

/** What the reply shows otherwise than its row says. */
function wrongIn(
  { markup, words }: DrawnReply,
  { status, group, says = [], never = [] }: FaultOutcome,
): string[] {
  const wrong: string[] = [];
  const shownStatus = /data-status="(\w+)"/.exec(markup)?.[1];
  if (shownStatus !== status) wrong.push(`the status shown is ${shownStatus} and not ${status}`);
  const groups = [...markup.matchAll(/role="group" aria-label="(Error|Note)"/g)].map((match) => match[1]);
  const wanted = group === 'none' ? '' : group;
  if (wanted !== undefined && groups.join() !== wanted)
    wrong.push(`the groups shown are ${groups.join()} and not ${wanted}`);
  for (const said of says) {
    const isSaid = typeof said === 'string' ? words.includes(said) : said.test(words);
    if (!isSaid) wrong.push(`it does not say ${String(said)}, but: ${words}`);
  }
  for (const bad of [...never, 'undefined', '[object Object]', 'NaN'])
    if (words.includes(bad)) wrong.push(`it says ${bad}: ${words}`);
  return wrong;
}

/** The words, without the seconds of a countdown that goes on. */
function withoutCountdown({ words }: DrawnReply): string {
  return words.replace(/(?:asks you to wait|Ready in)\s+\d+\s+s(?: more)?\./, '');
}
