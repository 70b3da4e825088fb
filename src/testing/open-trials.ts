/** Trials that are open in a tab of a test, and a clock that runs as fast as they do. */
import { onTestFinished, vi } from 'vitest';

import { createRandomId } from '../lib/ids.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { OpenTrial } from '../state/trials/open-trial.ts';
import { buildTrialDraftWrites } from '../state/trials/stored-trial-opener.ts';
import type { Case, Trial, TrialState } from '../trials/trial.ts';
import { createBench, waitForStoreState, type Bench, type BenchOptions } from './bench.ts';
import {
  createGate,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  formatTextChunk,
} from './builders.ts';
import { startScriptedGateway, type ChatScript, type ScriptedGateway } from './scripted-gateway.ts';
import { createTestTrial } from './trials.ts';
import { waitUntil } from './wait-until.ts';

/** The clock of this machine, and ids that no two tabs share. */
export const realEnvironment = { now: () => Date.now(), newId: () => createRandomId(Date.now()) };

/** A tab in front of a gateway that does as the script says. */
export async function createTrialTab(
  script: ChatScript = (answer) => answer.sendAnswer('{"team":"billing"}'),
  options: BenchOptions = {},
): Promise<{ bench: Bench; gateway: ScriptedGateway }> {
  const gateway = await startScriptedGateway();
  onTestFinished(gateway.close);
  gateway.setChatScript(script);
  return {
    gateway,
    bench: await createBench({ url: gateway.url, environment: realEnvironment, path: '/', ...options }),
  };
}

/** Resolves once the trial is in this state and nobody asks any more. */
export function waitForTrialState(trial: OpenTrial, name: TrialState['name']): Promise<void> {
  return waitForStoreState(
    trial.state,
    (openState) => openState.trial.state.name === name && openState.runnerStatus.name === 'nobody',
  );
}

/** So many cases of `createTestTrial`, whose tickets are these texts or `ticket 1` and so on; each belongs to billing. */
export function createCases(count: number, tickets: readonly string[] = []): Case[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    values: { ticket: tickets[index] ?? `ticket ${index + 1}`, team: 'billing' },
    line: index + 1,
  }));
}

/** Stores a draft and opens it in the tab of this bench. */
export async function createOpenTrial(
  bench: Bench,
  cases: readonly Case[],
  changes: Partial<Trial> = {},
): Promise<OpenTrial> {
  await bench.records.write(buildTrialDraftWrites(createTestTrial(cases.length, changes), cases));
  return openTrialInTab(bench);
}

/** The trial that `createOpenTrial` has stored, in another tab or at another visit. */
export async function openTrialInTab(bench: Bench, id = 'trial'): Promise<OpenTrial> {
  const trials = await bench.lazyTrials.load();
  const trial = await trials.open(id);
  if (!trial) throw new Error('The trial is not stored');
  return trial;
}

/** A trial of so many cases whose answers wait for the gate; the first three are under way. */
export async function createRunningTrial(count: number, columns: Trial['columns']) {
  const gate = createGate();
  const { bench, gateway } = await createTrialTab(async (answer) => {
    await gate.opened;
    answer.sendAnswer('{"team":"billing"}');
  });
  const trial = await createOpenTrial(bench, createCases(count), { columns });
  await trial.run();
  await waitUntil(() => gateway.posts.length === 3);
  return { bench, gateway, trial, gate };
}

/** Where a request of the page goes, and what it says. */
export function parseFetchRequest(
  input: RequestInfo | URL,
  init?: RequestInit,
): { path: string; body: string } {
  const url = input instanceof Request ? input.url : input;
  return { path: new URL(url).pathname, body: typeof init?.body === 'string' ? init.body : '' };
}

/** What was asked of a gateway in memory. */
export interface RequestedCell {
  atMs: number;
  model: string;
  ticket: string;
}

/** A gateway in memory that takes so long for an answer by the clock of the test, and keeps what it was asked. */
export function createTimedGateway(
  getAnswerDelayMs: (cell: RequestedCell) => number,
  /** What it says instead of an answer to the request of this number, from 0. */
  getFault: (request: number) => string | Response | undefined = () => undefined,
): {
  fetch: typeof globalThis.fetch;
  requestedCells: RequestedCell[];
} {
  const requestedCells: RequestedCell[] = [];
  return {
    requestedCells,
    fetch: async (input, init) => {
      // As any fetch: what a dead tab would send leaves no more.
      init?.signal?.throwIfAborted();
      const request = parseFetchRequest(input, init);
      if (!request.path.endsWith('/chat/completions')) return new Response('{"data":[]}');
      const body: unknown = JSON.parse(request.body);
      const messages = getOwnProperty(body, 'messages');
      const lastMessage: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
      const cell: RequestedCell = {
        atMs: Date.now(),
        model: getStringProperty(body, 'model') ?? '',
        ticket: getStringProperty(lastMessage, 'content') ?? '',
      };
      const fault = getFault(requestedCells.length);
      requestedCells.push(cell);
      const signal = init?.signal;
      const answerDelay = new Promise<void>((resolve, reject) => {
        setTimeout(resolve, getAnswerDelayMs(cell));
        signal?.addEventListener('abort', () => reject(new DOMException('Gone', 'AbortError')));
      });
      await answerDelay;
      if (fault instanceof Response) return fault;
      return createStreamResponse(
        (async function* pieces() {
          if (fault === undefined)
            yield formatTextChunk('{"team":"billing"}') + formatFinishChunk() + doneEvent;
          else yield fault;
        })(),
      );
    },
  };
}

/** Time passes as fast as what waits for it allows, until this is so. */
export async function advanceUntil(predicate: () => boolean, stepMs = 100): Promise<void> {
  while (!predicate()) await advanceTime(stepMs);
}

/** So much time passes, with all that follows from it. */
export async function advanceTime(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  // What the streams and the store do takes turns of its own, not time.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
