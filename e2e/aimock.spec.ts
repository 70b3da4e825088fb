import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { LLMock } from '@copilotkit/aimock';

import { startBench, type BenchServer } from './bench-server.ts';
import { test as base, expect } from './fixtures.ts';

/** A gateway of this format that nobody here wrote, behind the built server. */
const test = base.extend<{ mock: LLMock; wire: Wire; mocked: BenchServer }>({
  mock: async ({}, use) => {
    const mock = await LLMock.create({ port: 0, chunkSize: 4, latency: 40 });
    await use(mock);
    await mock.stop();
  },
  wire: async ({ mock }, use) => {
    const wire = await startWire(mock.port);
    await use(wire);
    await wire.close();
  },
  mocked: async ({ wire }, use) => {
    const server = await startBench({ GATEWAY_BASE_URL: wire.url, GATEWAY_API_KEY: 'fk-for-aimock' });
    await use(server);
    await server.stop();
  },
});

const model = 'gpt-4o';

/** What passes between Bench's server and aimock, which does not tell itself that a client has left. */
interface Wire {
  url: string;
  /** Resolves when the server's side of the connection that carried a chat is closed. */
  chatClosed: Promise<void>;
  close: () => Promise<void>;
}

async function startWire(port: number): Promise<Wire> {
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
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The wire has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    chatClosed,
    close: () => new Promise((resolve) => relay.close(() => resolve())),
  };
}

test('an answer of aimock streams in, byte for byte', async ({ bench, mock, mocked }) => {
  const content = 'A **bold** answer, in *several* chunks, with ünïcode and 👍.';
  mock.onMessage('Tell me', { content });
  await bench.open(mocked.url);
  await bench.useModel(model);
  await bench.send('Tell me');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  await bench.ended();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).toContainText('A bold answer, in several chunks, with ünïcode and 👍.');
  await expect(bench.health).toContainText('Gateway up');
});

test('its usage is shown once stream_options is sent', async ({ bench, mock, mocked }) => {
  mock.onMessage('Count', {
    content: 'One, two, three',
    usage: { prompt_tokens: 37, completion_tokens: 5, total_tokens: 42 },
  });
  await bench.open(mocked.url);
  await bench.useModel(model);
  await bench.ask('Count');
  await expect(bench.metrics(1)).toContainText('~');
  await bench.button('Ask for them from now on').click();
  await bench.button('Run again').click();
  await expect(bench.metrics(1)).toContainText('37 / 5');
  await expect(bench.metrics(1)).not.toContainText('~');
});

test('Stop reaches it within a second', async ({ bench, mock, wire, mocked, page }) => {
  mock.onMessage('Talk', { content: 'word '.repeat(2000) }, { latency: 50 });
  await bench.open(mocked.url);
  await bench.useModel(model);
  await bench.send('Talk');
  await expect(bench.lastReply).toContainText('word word');
  await page.keyboard.press('Escape');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  const left = wire.chatClosed.then(() => 'closed');
  expect(await Promise.race([left, sleep(1000, 'still open')])).toBe('closed');
});

test('its tool calls are answered', async ({ bench, mock, mocked }) => {
  // The first that fits answers.
  mock.onToolResult('call_w', { content: 'It is sunny in Vienna.' });
  mock.onMessage('Weather', {
    toolCalls: [{ name: 'get_weather', arguments: '{"city":"Vienna"}', id: 'call_w' }],
  });
  await bench.open(mocked.url);
  await bench.useModel(model);
  const reply = await bench.ask('Weather');
  await reply.getByRole('textbox', { name: 'Result for get_weather' }).fill('sunny');
  await reply.getByRole('button', { name: 'Send results' }).click();
  await expect(bench.lastReply).toContainText('It is sunny in Vienna.');
});

test('what it has no answer for is shown as its error', async ({ bench, mocked }) => {
  await bench.open(mocked.url);
  await bench.useModel(model);
  await bench.ask('Nobody knows this');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  await expect(bench.error()).toContainText('No fixture matched');
});
