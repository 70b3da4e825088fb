/** The app in front of a gateway of this format that nobody here wrote. */
import { connect, createServer } from 'node:net';

import { LLMock } from '@copilotkit/aimock';
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { expect, it, onTestFinished } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { matchLaneResults } from '../conversation/request/pending-tool-results.ts';
import { withResult } from '../conversation/session/draft.ts';
import { withSent } from '../conversation/setup/params.ts';
import { getHealthQueryOptions, useHealth } from '../features/health/use-health.ts';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { MetricsView } from '../features/playground/lane/metrics-view.tsx';
import { usePendingResults } from '../features/playground/tools/use-pending-results.ts';
import { usePendingRows } from '../features/playground/tools/use-pending-rows.ts';
import { aBench, type Bench } from '../testing/bench.ts';
import { ask, runOf, setUp, shownTurns, talkIn } from '../testing/conversation-driver.ts';
import { drawnReplies, markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

const model = 'gpt-4o';

async function inFrontOfAimock() {
  const mock = await LLMock.create({ port: 0, chunkSize: 4 });
  onTestFinished(() => mock.stop());
  const wire = await aWire(mock.port);
  const bench = await aBench({ url: wire.url, settings: { GATEWAY_API_KEY: 'fk-for-aimock' }, path: '/' });
  setUp(bench, { model });
  return { mock, wire, bench };
}

/** What passes between Bench's server and aimock, which does not tell itself that a client has left. */
async function aWire(port: number): Promise<{ url: string; chatClosed: Promise<void> }> {
  let onClosed: () => void = () => undefined;
  const chatClosed = new Promise<void>((resolve) => (onClosed = resolve));
  const relay = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.on('data', (head: Buffer) => {
      if (head.toString().startsWith('POST /v1/chat')) near.once('close', onClosed);
    });
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void relay.close());
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The wire has no port');
  return { url: `http://127.0.0.1:${address.port}`, chatClosed };
}

/** The numbers beneath the last answer. */
function metricsOf(bench: Bench): string {
  const run = runOf(bench);
  return wordsIn(markupOf(bench, createElement(MetricsView, { run, letter: 'A', number: 1 })));
}

it('an answer of aimock streams in, byte for byte', async () => {
  const { bench, mock } = await inFrontOfAimock();
  const content = 'A **bold** answer, in *several* chunks, with ünïcode and 👍.';
  mock.onMessage('Tell me', { content });
  await ask(bench, 'Tell me');
  expect(runOf(bench)).toMatchObject({ phase: { name: 'complete' } });
  expect(runOf(bench).deltas).toBeGreaterThan(5);
  expect(talkIn(bench)).toEqual([['Tell me', content]]);
});

it('the badge says that it is up', async () => {
  const { bench } = await inFrontOfAimock();
  const queries = new QueryClient();
  const word = () => readHook(bench, useHealth, queries).badge.text;
  expect(word()).toBe('Checking');
  await queries.query(getModelsQueryOptions(bench));
  await queries.query(getHealthQueryOptions(bench, queries));
  expect(word()).toBe('Gateway up');
});

it('its usage is shown where stream_options is sent, which it is at first', async () => {
  const { bench, mock } = await inFrontOfAimock();
  mock.onMessage('Count', {
    content: 'One, two, three',
    usage: { prompt_tokens: 37, completion_tokens: 5, total_tokens: 42 },
  });
  await ask(bench, 'Count');
  expect(metricsOf(bench)).toContain('37 / 5');
  expect(metricsOf(bench)).not.toContain('~');
  bench.actions.changeSetups(bench.current().session.laneIds, (setup) => ({
    ...setup,
    params: withSent(setup.params, 'stream_options', false),
  }));
  await bench.actions.regenerateLastTurns();
  expect(metricsOf(bench)).toContain('~');
});

it('Stop reaches it', async () => {
  const { bench, mock, wire } = await inFrontOfAimock();
  mock.onMessage('Talk', { content: 'word '.repeat(2000) }, { latency: 50 });
  const talking = ask(bench, 'Talk');
  await until(
    () => shownTurns(bench).length === 1 && getAnswerText(runOf(bench).choices[0]).includes('word word'),
  );
  await bench.actions.stop();
  await talking;
  expect(runOf(bench).phase.name).toBe('stopped');
  await wire.chatClosed;
});

it('its tool calls are answered', async () => {
  const { bench, mock } = await inFrontOfAimock();
  // The first that fits answers.
  mock.onToolResult('call_w', { content: 'It is sunny in Vienna.' });
  mock.onMessage('Weather', {
    toolCalls: [{ name: 'get_weather', arguments: '{"city":"Vienna"}', id: 'call_w' }],
  });
  await ask(bench, 'Weather');
  const { id, laneIds } = bench.current().session;
  for (const row of readHook(bench, usePendingRows).rows)
    for (const { results } of matchLaneResults(row, {}))
      for (const { key } of results)
        bench.drafts.change(id, (draft) => withResult(draft, row.promptId, key, { text: 'sunny' }));
  await readHook(bench, () => usePendingResults(laneIds))?.send([]);
  expect(talkIn(bench).at(-1)?.[1]).toBe('It is sunny in Vienna.');
});

it('what it has no answer for is shown as its error', async () => {
  const { bench } = await inFrontOfAimock();
  await ask(bench, 'Nobody knows this');
  expect(runOf(bench).phase.name).toBe('failed');
  expect(drawnReplies(bench)[0]?.words).toContain('No fixture matched');
});
