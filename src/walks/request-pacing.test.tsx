/** Tests the limit of requests per minute: the user's limit below the server's, and counting across reloads. */
import { describe, expect, it } from 'vitest';

import { RateMeter } from '../app/top-bar.tsx';
import type { Bench } from '../testing/bench.ts';
import { createTestGatewayStatus } from '../testing/builders.ts';
import { sendAndWait, createConversation, reloadPage } from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderText } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

const renderMeter = (bench: Bench) => renderText(bench, <RateMeter />).replaceAll('\n', ' ');
const listPhases = (bench: Bench) =>
  Object.values(bench.getOpenSession().runs).map(({ phase }) => phase.name);

describe('request that is being sent', () => {
  it('shows a sent request as no longer queued, even while the stream decoder is still loading', async () => {
    const { bench } = await createConversation();
    const observedPhases: (string | undefined)[] = [];
    bench.getQueue().state.subscribe(({ sentAt }, previous) => {
      // Runs after the current task, as the next paint does.
      if (sentAt.length > previous.sentAt.length)
        setImmediate(() => observedPhases.push(listPhases(bench)[0]));
    });
    await sendAndWait(bench, 'Go');
    expect(observedPhases).toHaveLength(1);
    expect(observedPhases).not.toContain('queued');
  });
});

describe('rate limit per minute', () => {
  it("uses the lower of the user's and the server's limit", async () => {
    const { bench } = await createConversation(undefined, { requestsPerMinute: 50 });
    const renderMeterAt = (requestsPerMinute: number | undefined) => {
      bench.prefs.setState({ requestsPerMinute });
      return renderMeter(bench);
    };
    expect(renderMeterAt(undefined)).toContain('0 of 50 this minute');
    expect(renderMeterAt(12)).toContain('0 of 12 this minute');
    expect(renderMeterAt(80)).toContain('0 of 50 this minute');
    bench.setServerStatus([createTestGatewayStatus()]);
    expect(renderMeterAt(80)).toContain('0 of 80 this minute');
    expect(renderMeterAt(undefined)).toBe('');
  });
});

describe('requests of the current minute', () => {
  it('counts earlier requests after a reload and reports queued requests as not sent', async () => {
    const { bench, gateway } = await createConversation();
    bench.prefs.setState({ requestsPerMinute: 1 });
    bench.actions.addLane();
    void sendAndWait(bench, 'One of you has to wait');
    await waitUntil(() => listPhases(bench).includes('complete'));
    expect(listPhases(bench)).toContain('queued');
    expect(renderMeter(bench)).toContain('1 of 1 this minute');
    expect(renderReplies(bench).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Rate limit reached: 1 of 1 this minute.'),
    );
    const reloadedBench = await reloadPage(bench);
    expect(renderMeter(reloadedBench)).toContain('1 of 1 this minute');
    expect(listPhases(reloadedBench)).toEqual(expect.arrayContaining(['complete', 'interrupted']));
    expect(renderReplies(reloadedBench).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('It was still queued and was not sent.'),
    );
    void sendAndWait(reloadedBench, 'And now');
    await waitUntil(() => listPhases(reloadedBench).filter((phase) => phase === 'queued').length === 2);
    await waitUntil(() => reloadedBench.getQueue().state.getState().nextStartAt !== undefined);
    expect(gateway.posts).toHaveLength(1);
  });
});
