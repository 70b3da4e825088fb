/** One row of the catalogue of faults, walked through the real app in Node: shown, stored, and the same after a second start. */
import { beforeAll, type ExpectStatic, type TestContext } from 'vitest';

import { withSent } from '../../conversation/params.ts';
import { servedPlayground, type ServedPlayground } from '../../server/testing/served-playground.ts';
import { aBench, type Bench } from '../bench.ts';
import { anEnvironment, spoken } from '../builders.ts';
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

/** Walks one row; `whole` asks for an answer in one piece. */
export async function walkRow(
  { gateway, server }: FaultRoad,
  { name, outcome }: FaultRow,
  { expect, onTestFinished }: TestContext,
  { whole = false } = {},
): Promise<void> {
  const { newId } = anEnvironment();
  const environment = { now: () => Date.now(), newId };
  const bench = await aBench({ server, environment, atEnd: onTestFinished });
  await bench.actions.createSession();
  if (whole) askForWhole(bench);
  await bench.actions.sendPrompt(spoken(name));
  const posts = gateway.posts.filter(({ body }) => isAskedFor(name, body));
  expect(posts, 'one send is one POST (I4)').toHaveLength(1);

  const reply = onlyReply(bench);
  expectSaid(reply, outcome, expect);
  await bench.saved();
  const { id } = bench.current().session;
  const next = await bench.reopened();
  await next.actions.openSession(id);
  expect(withoutCountdown(onlyReply(next)), 'the same after a second start (I10)').toBe(
    withoutCountdown(reply),
  );

  const records = await next.records.session(id);
  const [run, ...others] = runsInOrder(records?.turns ?? [], records?.runs ?? []);
  expect(others).toEqual([]);
  expect(run && unlike(run, outcome), 'what is stored').toEqual([]);
  const tapes = await Promise.all(Object.keys(next.current().runs).map((runId) => next.records.tape(runId)));
  const kept = JSON.stringify([records, tapes, [...next.browser.stored]]);
  expect(kept, 'the key is nowhere (I8)').not.toContain(canaryKey);
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

function expectSaid(
  { markup, words }: DrawnReply,
  { status, group, says = [], never = [] }: FaultOutcome,
  expect: ExpectStatic,
): void {
  expect(/data-status="(\w+)"/.exec(markup)?.[1]).toBe(status);
  const groups = [...markup.matchAll(/role="group" aria-label="(Error|Note)"/g)].map((match) => match[1]);
  if (group !== undefined) expect(groups).toEqual(group === 'none' ? [] : [group]);
  for (const said of says) {
    if (typeof said === 'string') expect(words).toContain(said);
    else expect(words).toMatch(said);
  }
  for (const bad of [...never, 'undefined', '[object Object]', 'NaN']) expect(words).not.toContain(bad);
}

/** The words, without the seconds of a countdown that goes on. */
function withoutCountdown({ words }: DrawnReply): string {
  return words.replace(/(?:asks to wait|Ready in)\s+\d+\s+s(?: more)?\./, '');
}
