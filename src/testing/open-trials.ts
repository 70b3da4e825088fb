/** Trials that are open in a tab of a test, and a clock that runs as fast as they do. */
import { onTestFinished, vi } from 'vitest';

import { createRandomId } from '../lib/ids.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { OpenTrial } from '../state/trials/open-trial.ts';
import { buildTrialDraftWrites } from '../state/trials/stored-trial-opener.ts';
import type { Case, Trial, TrialState } from '../trials/trial.ts';
import { aBench, whenTrue, type Bench, type BenchOptions } from './bench.ts';
import { aGate, doneMark, eventStream, finishChunk, textChunk } from './builders.ts';
import { startScriptedGateway, type ChatScript, type ScriptedGateway } from './scripted-gateway.ts';
import { aTrial } from './trials.ts';
import { until } from './wait-until.ts';

/** The clock of this machine, and ids that no two tabs share. */
export const realEnvironment = { now: () => Date.now(), newId: () => createRandomId(Date.now()) };

/** A tab in front of a gateway that does as the script says. */
export async function aTrialBench(
  script: ChatScript = (answer) => answer.whole('{"team":"billing"}'),
  options: BenchOptions = {},
): Promise<{ bench: Bench; gateway: ScriptedGateway }> {
  const gateway = await startScriptedGateway();
  onTestFinished(gateway.close);
  gateway.onChat(script);
  return {
    gateway,
    bench: await aBench({ url: gateway.url, environment: realEnvironment, path: '/', ...options }),
  };
}

/** Resolves once the trial is in this state and nobody asks any more. */
export function stateIs(trial: OpenTrial, name: TrialState['name']): Promise<void> {
  return whenTrue(trial.state, (now) => now.trial.state.name === name && now.runnerStatus.name === 'nobody');
}

/** So many cases of `aTrial`, whose tickets are these texts or `ticket 1` and so on; each belongs to billing. */
export function someCases(count: number, tickets: readonly string[] = []): Case[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    values: { ticket: tickets[index] ?? `ticket ${index + 1}`, team: 'billing' },
    line: index + 1,
  }));
}

/** Stores a draft and opens it in the tab of this bench. */
export async function anOpenTrial(
  bench: Bench,
  cases: readonly Case[],
  changes: Partial<Trial> = {},
): Promise<OpenTrial> {
  await bench.records.write(buildTrialDraftWrites(aTrial(cases.length, changes), cases));
  return openTrialIn(bench);
}

/** The trial that `anOpenTrial` has stored, in another tab or at another visit. */
export async function openTrialIn(bench: Bench, id = 'trial'): Promise<OpenTrial> {
  const trials = await bench.lazyTrials.load();
  const trial = await trials.open(id);
  if (!trial) throw new Error('The trial is not stored');
  return trial;
}

/** A trial of so many cases whose answers wait for the gate; the first three are under way. */
export async function aTrialUnderWay(count: number, columns: Trial['columns']) {
  const gate = aGate();
  const { bench, gateway } = await aTrialBench(async (answer) => {
    await gate.opened;
    answer.whole('{"team":"billing"}');
  });
  const trial = await anOpenTrial(bench, someCases(count), { columns });
  await trial.run();
  await until(() => gateway.posts.length === 3);
  return { bench, gateway, trial, gate };
}

/** Where a request of the page goes, and what it says. */
export function requestTo(input: RequestInfo | URL, init?: RequestInit): { path: string; body: string } {
  const url = input instanceof Request ? input.url : input;
  return { path: new URL(url).pathname, body: typeof init?.body === 'string' ? init.body : '' };
}

/** What was asked of a gateway in memory. */
export interface AskedCell {
  at: number;
  model: string;
  ticket: string;
}

/** A gateway in memory that takes so long for an answer by the clock of the test, and keeps what it was asked. */
export function aTimedGateway(
  answerMs: (asked: AskedCell) => number,
  /** What it says instead of an answer to the request of this number, from 0. */
  faultOf: (request: number) => string | Response | undefined = () => undefined,
): {
  fetch: typeof globalThis.fetch;
  asked: AskedCell[];
} {
  const asked: AskedCell[] = [];
  return {
    asked,
    fetch: async (input, init) => {
      // As any fetch: what a dead tab would send leaves no more.
      init?.signal?.throwIfAborted();
      const request = requestTo(input, init);
      if (!request.path.endsWith('/chat/completions')) return new Response('{"data":[]}');
      const body: unknown = JSON.parse(request.body);
      const messages = getOwnProperty(body, 'messages');
      const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
      const cell: AskedCell = {
        at: Date.now(),
        model: getStringProperty(body, 'model') ?? '',
        ticket: getStringProperty(last, 'content') ?? '',
      };
      const fault = faultOf(asked.length);
      asked.push(cell);
      const signal = init?.signal;
      const answered = new Promise<void>((resolve, reject) => {
        setTimeout(resolve, answerMs(cell));
        signal?.addEventListener('abort', () => reject(new DOMException('Gone', 'AbortError')));
      });
      await answered;
      if (fault instanceof Response) return fault;
      return eventStream(
        (async function* pieces() {
          if (fault === undefined) yield textChunk('{"team":"billing"}') + finishChunk() + doneMark;
          else yield fault;
        })(),
      );
    },
  };
}

/** Time passes as fast as what waits for it allows, until this is so. */
export async function passUntil(isSo: () => boolean, stepMs = 100): Promise<void> {
  while (!isSo()) await pass(stepMs);
}

/** So much time passes, with all that follows from it. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  // What the streams and the store do takes turns of its own, not time.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
