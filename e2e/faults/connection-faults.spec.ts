/** Faults that only a browser can show: text that is hard to draw, and tabs that are closed, frozen, or lose their server or their line. */
import { aGate } from '../../src/testing/builders.ts';
import type { FaultAnswer } from '../../src/testing/faults/fault-gateway.ts';
import { said, wholeAnswer } from '../../src/testing/faults/fault-row.ts';
import { startBench } from '../bench-server.ts';
import { canaryKey } from '../fixtures.ts';
import { expect, test } from './fault-fixtures.ts';
import { saidBy, storedRuns } from './stored-runs.ts';

test.use({ fetchesInAdvance: true });

const { role, text, finish, done } = said;
const halfAnAnswer: FaultAnswer = { body: [role, text('Half an')], end: 'hold' };

// A picture of the page at every step would cost more than the answers that are tested.
test.use({ trace: 'off' });

const bombs: [name: string, text: string][] = [
  ['emphasis that never closes', '*a_ '.repeat(20_000)],
  ['links that never close', '[a]('.repeat(20_000)],
  [
    'a list a thousand deep',
    Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n'),
  ],
  ['a megabyte without a break', 'x'.repeat(1_000_000)],
  ['five thousand fences', '```\n'.repeat(4999)],
  ['a table of five thousand columns', `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n${'|b'.repeat(5000)}|`],
  ['twenty thousand dollar signs', '$'.repeat(20_000)],
  ['quotes a thousand deep', '> '.repeat(1000)],
  ['eight megabytes in one event', 'word '.repeat((8 * 1024 * 1024) / 5)],
];

test(
  'F61: texts that are made to be slow to draw end complete, byte for byte, and Bench can be written to',
  { tag: '@soak' },
  async ({ bench, faults, faultServer, page }) => {
    await bench.open(faultServer.url);
    for (const [index, [name, bomb]] of bombs.entries())
      await test.step(name, async () => {
        faults.answerWith({ body: [role + text(bomb) + finish() + done] });
        await bench.send(name);
        await expect(bench.reply(index + 1)).toHaveAttribute('data-status', 'complete');
        await bench.message.fill(name);
        await expect(bench.message).toHaveValue(name);
      });
    await bench.saved();
    const runs = await storedRuns(page);
    for (const [index, [name, bomb]] of bombs.entries()) {
      const run = runs[index];
      // A difference of a megabyte is not to be printed.
      expect.soft(run && saidBy(run, 'text')[0] === bomb, name).toBe(true);
    }
  },
);

test(
  'F94: Stop, a reload and a tab that closes let go of the gateway, and what had come stays',
  { tag: '@soak' },
  async ({ bench, faults, faultServer }) => {
    await bench.open(faultServer.url);
    faults.answerWith(halfAnAnswer);
    await bench.send('Stopped');
    await expect(bench.lastReply).toContainText('Half an');
    await bench.message.press('Escape');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
    await faults.posts[0]?.closed;
    await bench.send('Left');
    await expect(bench.lastReply).toContainText('Half an');
    await bench.reload();
    await faults.posts[1]?.closed;
    for (const [turn, status] of [
      [1, 'stopped'],
      [2, 'interrupted'],
    ] as const) {
      await expect(bench.reply(turn)).toHaveAttribute('data-status', status);
      await expect(bench.reply(turn)).toContainText('Half an');
    }
    expect(faults.posts, 'nothing is sent again by itself').toHaveLength(2);

    const other = await bench.inNewTab(faultServer.url);
    await other.newSession();
    await other.send('Closed');
    await expect(other.lastReply).toContainText('Half an');
    await other.page.close();
    await faults.posts[2]?.closed;
  },
);

test(
  'F96: the server of Bench dies in the middle; the text stays, it is said, and all works again without a reload',
  { tag: '@soak' },
  async ({ bench, faults, faultServer }) => {
    const notice = bench.said('Nothing can be sent until it is running again');
    await bench.open(faultServer.url);
    faults.answerWith(halfAnAnswer);
    await bench.send('Half');
    await expect(bench.lastReply).toContainText('Half an');
    await faultServer.stop();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'truncated');
    await expect(bench.error()).toContainText('The connection dropped');
    await bench.ask('Anyone');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
    await expect(bench.error()).toContainText('The Bench server is not responding');
    await expect(notice).toBeVisible();

    const { port } = new URL(faultServer.url);
    const next = await startBench({ GATEWAY_BASE_URL: faults.url, GATEWAY_API_KEY: canaryKey, PORT: port });
    faults.answerWith({ body: [wholeAnswer] });
    await bench.error().getByRole('button', { name: 'Retry' }).click();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await expect(notice).toHaveCount(0);
    await next.stop();
  },
);

test('F101: offline before sending says so and keeps the words, and what was said can be read', async ({
  bench,
  faults,
  faultServer,
  context,
}) => {
  await bench.open(faultServer.url);
  faults.answerWith({ body: [wholeAnswer] });
  await bench.ask('Online');
  await context.setOffline(true);
  await expect(bench.page.getByRole('alert').filter({ hasText: 'You are offline' })).toBeVisible();
  await bench.ask('Into the void');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  await expect(bench.error()).toContainText('You are offline');
  await expect(bench.prompts.last()).toContainText('Into the void');
  await expect(bench.reply(1)).toContainText('Hello');
  await context.setOffline(false);
  await bench.error().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test(
  'F102: a page that slept has all of an answer that went on, and the text of one whose server went away',
  { tag: '@soak' },
  async ({ bench, faults, faultServer, page, context }) => {
    const session = await context.newCDPSession(page);
    const setState = (state: 'frozen' | 'active') => session.send('Page.setWebLifecycleState', { state });
    await bench.open(faultServer.url);
    const { opened, open } = aGate();
    faults.answerWith({
      body: [role, text('Before'), { until: opened }, text(' and after'), finish(), done],
    });
    await bench.send('Sleep');
    await expect(bench.lastReply).toContainText('Before');
    await setState('frozen');
    open();
    await faults.posts[0]?.said;
    await setState('active');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await expect(bench.lastReply).toContainText('Before and after');

    faults.answerWith(halfAnAnswer);
    await bench.send('Sleep again');
    await expect(bench.lastReply).toContainText('Half an');
    await setState('frozen');
    await faultServer.stop();
    await setState('active');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'truncated');
    await expect(bench.lastReply).toContainText('Half an');
  },
);
