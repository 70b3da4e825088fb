/** Opens trials in tabs of a test, with a clock that advances as fast as they can run. */
import { onTestFinished, vi } from 'vitest';

import { createRandomId } from '../lib/ids.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import { buildAllCellWrites, buildTrialDraftWrites } from '../state/trials/repository/trial-records.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import { getCellId } from '../trials/case-order.ts';
import { hashCheck } from '../trials/checks/score-answer.ts';
import type { Case, Cell, Trial, TrialState } from '../trials/trial.ts';
import { createBench, waitForStoreState, type Bench, type BenchOptions } from './bench.ts';
import {
  createGate,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  formatTextChunk,
} from './builders.ts';
import { startScriptedGateway, type ChatScript, type ScriptedGateway } from './scripted-gateway.ts';
import { createColumns, createTestTrial, testCheck } from './trials.ts';
import { waitUntil } from './wait-until.ts';

/** The real clock, and IDs that are unique across tabs. */
export const realEnvironment = { now: () => Date.now(), newId: () => createRandomId(Date.now()) };

/** Opens a tab in front of a gateway that follows the script. */
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

/** Resolves once the trial is in this state and is no longer run by any tab. */
export function waitForTrialState(trial: OpenTrial, name: TrialState['name']): Promise<void> {
  return waitForStoreState(
    trial.state,
    (openState) => openState.trial.state.name === name && openState.runnerStatus.name === 'nobody',
  );
}

/**
 * Returns cases for `createTestTrial` with these tickets, or `ticket 1` and so on; the expected team is always billing.
 */
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

/**
 * Stores a finished trial of north/one and south/two and opens it. Column A is right about every case, column B wrong
 * about the first ones. `getFurtherValues` returns further values of a case by its index.
 */
export async function createFinishedTrial(
  bench: Bench,
  caseCount: number,
  failedCount: number,
  getFurtherValues: (index: number) => Case['values'] = () => ({}),
): Promise<OpenTrial> {
  const cases = createCases(caseCount).map((testCase, index): Case => ({
    ...testCase,
    values: { ...testCase.values, ...getFurtherValues(index) },
  }));
  const trial = createTestTrial(caseCount, {
    columns: createColumns('north/one', 'south/two'),
    fields: ['ticket', 'team', ...Object.keys(getFurtherValues(0))],
    state: { name: 'finished', at: 1_700_000_000_000 },
  });
  const cells = cases.flatMap(({ id: caseId, values }, index) =>
    trial.columns.map(({ id: columnId }): Cell => {
      const result = columnId === 'b' && index < failedCount ? 'failed' : 'passed';
      const team = result === 'passed' ? 'billing' : 'delivery';
      return {
        caseId,
        columnId,
        repeat: 1,
        runId: `${caseId}${columnId}`,
        tries: 1,
        outcome: 'answered',
        head: team,
        answerHash: team,
        finishReason: 'stop',
        totalMs: 900,
        scores: { [testCheck.id]: { of: hashCheck(testCheck, values), result } },
      };
    }),
  );
  await bench.records.write([
    ...buildTrialDraftWrites(trial, cases),
    ...buildAllCellWrites(trial, new Map(cells.map((cell) => [getCellId(cell), cell]))),
  ]);
  const openTrial = await openTrialInTab(bench);
  await waitForStoreState(openTrial.state, ({ loading }) => loading === undefined);
  return openTrial;
}

/** Opens the trial stored by `createOpenTrial` in another tab or on another visit. */
export async function openTrialInTab(bench: Bench, id = 'trial'): Promise<OpenTrial> {
  const trials = await bench.lazyTrials.load();
  const trial = await trials.open(id);
  if (!trial) throw new Error('The trial is not stored');
  return trial;
}

/** Opens a tab whose gateway answers the first requests at once and the others when the gate opens. */
export async function createGatedTrialTab(immediateAnswers = 0, options: BenchOptions = {}) {
  const gate = createGate();
  let requestCount = 0;
  const tab = await createTrialTab(async (answer) => {
    requestCount += 1;
    if (requestCount > immediateAnswers) await gate.opened;
    answer.sendAnswer('{"team":"billing"}');
  }, options);
  return { ...tab, gate };
}

/** Opens a trial whose answers are held until the gate opens; the first three are in flight. */
export async function createRunningTrial(
  count: number,
  columns: Trial['columns'],
  options: BenchOptions = {},
) {
  const tab = await createGatedTrialTab(0, options);
  const trial = await createOpenTrial(tab.bench, createCases(count), { columns });
  await trial.run();
  await waitUntil(() => tab.gateway.posts.length === 3);
  return { ...tab, trial };
}

/** Returns the path and the body of a request of the page. */
export function parseFetchRequest(
  input: RequestInfo | URL,
  init?: RequestInit,
): { path: string; body: string } {
  const url = input instanceof Request ? input.url : input;
  return { path: new URL(url).pathname, body: typeof init?.body === 'string' ? init.body : '' };
}

/** Returns the content of the last message of a request; cases of `createCases` send their ticket there. */
export function getTicket(body: unknown): string {
  const messages = getOwnProperty(body, 'messages');
  return getStringProperty(Array.isArray(messages) ? messages.at(-1) : undefined, 'content') ?? '';
}

/** A request received by the in-memory gateway. */
export interface RequestedCell {
  atMs: number;
  model: string;
  ticket: string;
}

/** Creates an in-memory gateway that answers after a delay on the test clock and records its requests. */
export function createTimedGateway(
  getAnswerDelayMs: (cell: RequestedCell) => number,
  /** Returns a replacement for the answer to the nth request, counted from 0. */
  getFault: (request: number) => string | Response | undefined = () => undefined,
): {
  fetch: typeof globalThis.fetch;
  requestedCells: RequestedCell[];
} {
  const requestedCells: RequestedCell[] = [];
  return {
    requestedCells,
    fetch: async (input, init) => {
      // Sends nothing once its tab has ended, like a real fetch.
      init?.signal?.throwIfAborted();
      const request = parseFetchRequest(input, init);
      if (!request.path.endsWith('/chat/completions')) return new Response('{"data":[]}');
      const body: unknown = JSON.parse(request.body);
      const cell: RequestedCell = {
        atMs: Date.now(),
        model: getStringProperty(body, 'model') ?? '',
        ticket: getTicket(body),
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

/** Advances time in steps until the condition holds. */
export async function advanceUntil(predicate: () => boolean, stepMs = 100): Promise<void> {
  while (!predicate()) await advanceTime(stepMs);
}

/** Advances time and runs everything that follows from it. */
export async function advanceTime(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  // Streams and the store need event loop turns, not time.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
