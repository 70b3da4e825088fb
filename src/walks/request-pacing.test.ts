/** Requests a minute: the person's limit below the server's, counted over reloads. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { RateMeter } from '../app/top-bar.tsx';
import type { Bench } from '../testing/bench.ts';
import { sendAndWait, createConversation, reloadPage } from '../testing/conversation-driver.ts';
import { renderReplies, renderMarkup, getTextContent } from '../testing/render-views.tsx';
import { waitUntil } from '../testing/wait-until.ts';

const renderMeter = (bench: Bench) =>
  getTextContent(renderMarkup(bench, createElement(RateMeter))).replaceAll('\n', ' ');
const listPhases = (bench: Bench) =>
  Object.values(bench.getOpenSession().runs).map(({ phase }) => phase.name);

describe('a request that leaves', () => {
  it('no longer waits for its turn, also where what reads its answer is fetched for the first time', async () => {
    const { bench } = await createConversation();
    const observedPhases: (string | undefined)[] = [];
    bench.queue.state.subscribe(({ sentAt }, previous) => {
      // After what runs now, as the next picture would be drawn.
      if (sentAt.length > previous.sentAt.length)
        setImmediate(() => observedPhases.push(listPhases(bench)[0]));
    });
    await sendAndWait(bench, 'Go');
    expect(observedPhases).toHaveLength(1);
    expect(observedPhases).not.toContain('queued');
  });
});

describe('the limit of a minute', () => {
  it('is the lower one of the person and the server', async () => {
    const { bench } = await createConversation(undefined, { requestsPerMinute: 50 });
    const renderMeterAt = (requestsPerMinute: number | undefined) => {
      bench.prefs.setState({ requestsPerMinute });
      return renderMeter(bench);
    };
    expect(renderMeterAt(undefined)).toContain('0 of 50 this min');
    expect(renderMeterAt(12)).toContain('0 of 12 this min');
    expect(renderMeterAt(80)).toContain('0 of 50 this min');
    bench.setServerStatus({ requestsPerMinute: 0 });
    expect(renderMeterAt(80)).toContain('0 of 80 this min');
    expect(renderMeterAt(undefined)).toBe('');
  });
});

describe('what was sent in this minute', () => {
  it('counts after a reload, and what had waited says that it was not sent', async () => {
    const { bench, gateway } = await createConversation();
    bench.prefs.setState({ requestsPerMinute: 1 });
    bench.actions.addLane();
    void sendAndWait(bench, 'One of you has to wait');
    await waitUntil(() => listPhases(bench).includes('complete'));
    expect(listPhases(bench)).toContain('queued');
    expect(renderMeter(bench)).toContain('1 of 1 this min');
    expect(renderReplies(bench).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Rate limit reached: 1 of 1 this minute.'),
    );
    const reloadedBench = await reloadPage(bench);
    expect(renderMeter(reloadedBench)).toContain('1 of 1 this min');
    expect(listPhases(reloadedBench)).toEqual(expect.arrayContaining(['complete', 'interrupted']));
    expect(renderReplies(reloadedBench).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('It was still queued and was not sent.'),
    );
    void sendAndWait(reloadedBench, 'And now');
    await waitUntil(() => listPhases(reloadedBench).filter((phase) => phase === 'queued').length === 2);
    await waitUntil(() => reloadedBench.queue.state.getState().nextStartAt !== undefined);
    expect(gateway.posts).toHaveLength(1);
  });
});
