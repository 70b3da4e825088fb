/** Tests the app against aimock, a third-party OpenAI-compatible gateway. */
import { connect, createServer } from 'node:net';

import { LLMock } from '@copilotkit/aimock';
import { QueryClient } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { matchLaneResults } from '../conversation/request/pending-tool-results.ts';
import { withResult } from '../conversation/session/draft.ts';
import { withSent } from '../conversation/setup/params.ts';
import { getHealthQueryOptions, useHealth } from '../features/health/use-health.ts';
import { MetricsView } from '../features/lanes/metrics-view.tsx';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { usePendingResults } from '../features/tools/use-pending-results.ts';
import { usePendingRows } from '../features/tools/use-pending-rows.ts';
import { createBench, type Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  getTurnRun,
  configureLane,
  getLaneTurns,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderText, readHook } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

const model = 'gpt-4o';

async function createAimockBench() {
  const mock = await LLMock.create({ port: 0, chunkSize: 4 });
  onTestFinished(() => mock.stop());
  const relay = await startRelay(mock.port);
  const bench = await createBench({
    url: relay.url,
    settings: { GATEWAY_API_KEY: 'fk-for-aimock' },
    path: '/',
  });
  configureLane(bench, { model });
  return { mock, wire: relay, bench };
}

/** Starts a TCP relay between Bench's server and aimock, which itself does not report disconnected clients. */
async function startRelay(port: number): Promise<{ url: string; chatClosed: Promise<void> }> {
  let onClosed: () => void = () => undefined;
  const chatClosed = new Promise<void>((resolve) => (onClosed = resolve));
  const relay = createServer((clientSocket) => {
    const mockSocket = connect(port, '127.0.0.1');
    clientSocket.on('data', (data: Buffer) => {
      if (data.toString().startsWith('POST /v1/chat')) clientSocket.once('close', onClosed);
    });
    for (const socket of [clientSocket, mockSocket]) socket.on('error', () => undefined);
    clientSocket.once('close', () => mockSocket.destroy());
    mockSocket.once('close', () => clientSocket.destroy());
    clientSocket.pipe(mockSocket);
    mockSocket.pipe(clientSocket);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void relay.close());
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The wire has no port');
  return { url: `http://127.0.0.1:${address.port}`, chatClosed };
}

/** Returns the text of the metrics below the last answer. */
function renderMetrics(bench: Bench): string {
  const run = getTurnRun(bench);
  return renderText(bench, <MetricsView run={run} letter="A" turnNumber={1} />);
}

it('streams an answer from aimock byte for byte', async () => {
  const { bench, mock } = await createAimockBench();
  const content = 'A **bold** answer, in *several* chunks, with ünïcode and 👍.';
  mock.onMessage('Tell me', { content });
  await sendAndWait(bench, 'Tell me');
  expect(getTurnRun(bench)).toMatchObject({ phase: { name: 'complete' } });
  expect(getTurnRun(bench).deltas).toBeGreaterThan(5);
  expect(getLaneTranscript(bench)).toEqual([['Tell me', content]]);
});

it('shows aimock as up in the health badge', async () => {
  const { bench } = await createAimockBench();
  const queryClient = new QueryClient();
  const getBadgeText = () => readHook(bench, useHealth, queryClient).badge.text;
  expect(getBadgeText()).toBe('Checking');
  await queryClient.query(getModelsQueryOptions(bench));
  await queryClient.query(getHealthQueryOptions(bench, queryClient));
  expect(getBadgeText()).toBe('Gateway up');
});

it('shows the usage reported by aimock by default, and an estimate without stream_options', async () => {
  const { bench, mock } = await createAimockBench();
  mock.onMessage('Count', {
    content: 'One, two, three',
    usage: { prompt_tokens: 37, completion_tokens: 5, total_tokens: 42 },
  });
  await sendAndWait(bench, 'Count');
  expect(renderMetrics(bench)).toContain('37 / 5');
  expect(renderMetrics(bench)).not.toContain('~');
  bench.actions.changeSetups(bench.getOpenSession().session.laneIds, (setup) => ({
    ...setup,
    params: withSent(setup.params, 'stream_options', false),
  }));
  await bench.actions.regenerateLastTurns();
  expect(renderMetrics(bench)).toContain('~');
});

it('closes the connection to aimock on Stop', async () => {
  const { bench, mock, wire } = await createAimockBench();
  mock.onMessage('Talk', { content: 'word '.repeat(2000) }, { latency: 50 });
  const sendPromise = sendAndWait(bench, 'Talk');
  await waitUntil(
    () =>
      getLaneTurns(bench).length === 1 && getAnswerText(getTurnRun(bench).choices[0]).includes('word word'),
  );
  await bench.actions.stop();
  await sendPromise;
  expect(getTurnRun(bench).phase.name).toBe('stopped');
  await wire.chatClosed;
});

it("sends results for aimock's tool calls and shows the final answer", async () => {
  const { bench, mock } = await createAimockBench();
  // aimock uses the first matching fixture.
  mock.onToolResult('call_w', { content: 'It is sunny in Vienna.' });
  mock.onMessage('Weather', {
    toolCalls: [{ name: 'get_weather', arguments: '{"city":"Vienna"}', id: 'call_w' }],
  });
  await sendAndWait(bench, 'Weather');
  const { id, laneIds } = bench.getOpenSession().session;
  for (const row of readHook(bench, usePendingRows).rows)
    for (const { results } of matchLaneResults(row, {}))
      for (const { key } of results)
        bench.drafts.change(id, (draft) => withResult(draft, row.promptId, key, { text: 'sunny' }));
  await readHook(bench, () => usePendingResults(laneIds))?.send([]);
  expect(getLaneTranscript(bench).at(-1)?.[1]).toBe('It is sunny in Vienna.');
});

it("shows aimock's error for a prompt without a fixture", async () => {
  const { bench } = await createAimockBench();
  await sendAndWait(bench, 'Nobody knows this');
  expect(getTurnRun(bench).phase.name).toBe('failed');
  expect(renderReplies(bench)[0]?.text).toContain('No fixture matched');
});
