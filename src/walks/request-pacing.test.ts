/** Requests a minute: the person's limit below the server's, counted over reloads. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { RateMeter } from '../app/top-bar.tsx';
import type { Bench } from '../testing/bench.ts';
import { ask, aTalk, reloaded } from '../testing/conversation-driver.ts';
import { drawnReplies, markupOf, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

const meterOf = (bench: Bench) => wordsIn(markupOf(bench, createElement(RateMeter))).replaceAll('\n', ' ');
const phases = (bench: Bench) => Object.values(bench.current().runs).map(({ phase }) => phase.name);

describe('a request that leaves', () => {
  it('no longer waits for its turn, also where what reads its answer is fetched for the first time', async () => {
    const { bench } = await aTalk();
    const seen: (string | undefined)[] = [];
    bench.queue.state.subscribe(({ sentAt }, before) => {
      // After what runs now, as the next picture would be drawn.
      if (sentAt.length > before.sentAt.length) setImmediate(() => seen.push(phases(bench)[0]));
    });
    await ask(bench, 'Go');
    expect(seen).toHaveLength(1);
    expect(seen).not.toContain('queued');
  });
});

describe('the limit of a minute', () => {
  it('is the lower one of the person and the server', async () => {
    const { bench } = await aTalk(undefined, { limit: 50 });
    const limitWith = (requestsPerMinute: number | undefined) => {
      bench.prefs.setState({ requestsPerMinute });
      return meterOf(bench);
    };
    expect(limitWith(undefined)).toContain('0 of 50 this min');
    expect(limitWith(12)).toContain('0 of 12 this min');
    expect(limitWith(80)).toContain('0 of 50 this min');
    bench.setServerStatus({ requestsPerMinute: 0 });
    expect(limitWith(80)).toContain('0 of 80 this min');
    expect(limitWith(undefined)).toBe('');
  });
});

describe('what was sent in this minute', () => {
  it('counts after a reload, and what had waited says that it was not sent', async () => {
    const { bench, gateway } = await aTalk();
    bench.prefs.setState({ requestsPerMinute: 1 });
    bench.actions.addLane();
    void ask(bench, 'One of you has to wait');
    await until(() => phases(bench).includes('complete'));
    expect(phases(bench)).toContain('queued');
    expect(meterOf(bench)).toContain('1 of 1 this min');
    expect(drawnReplies(bench).map(({ words }) => words)).toContainEqual(
      expect.stringContaining('The one request for this minute is used.'),
    );
    const again = await reloaded(bench);
    expect(meterOf(again)).toContain('1 of 1 this min');
    expect(phases(again)).toEqual(expect.arrayContaining(['complete', 'interrupted']));
    expect(drawnReplies(again).map(({ words }) => words)).toContainEqual(
      expect.stringContaining('It was still queued and was not sent.'),
    );
    void ask(again, 'And now');
    await until(() => phases(again).filter((phase) => phase === 'queued').length === 2);
    await until(() => again.queue.state.getState().nextStartAt !== undefined);
    expect(gateway.posts).toHaveLength(1);
  });
});
