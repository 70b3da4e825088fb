/** What the inspector shows of answers, over the real app: events, the request as it was sent, and the response. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { statusKey } from '../features/health/use-status.ts';
import { CodeView } from '../features/playground/code/code-view.tsx';
import { EventsTab } from '../features/playground/events/events-tab.tsx';
import { Timeline } from '../features/playground/events/timeline.tsx';
import { ConformanceView } from '../features/playground/inspector/conformance-view.tsx';
import { UnsentLane } from '../features/playground/inspector/inspector.tsx';
import { RequestTab } from '../features/playground/inspector/request-tab.tsx';
import { ResponseTab } from '../features/playground/inspector/response-tab.tsx';
import { getEntryTime } from '../gateway/stream/tape.ts';
import type { ChatRequest } from '../gateway/wire.ts';
import { getSiblingRuns } from '../state/runs/inspector-store.ts';
import { createTapeFeed, type TapeFeed } from '../state/runs/tape-feed.ts';
import { whenTrue, type Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, reloaded, runOf, setUp, shownTurn } from '../testing/conversation-driver.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';
import type { ChatScript } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

/** The tape of the answer to a prompt, by its number from 1; the last one unless given. */
async function tapeOf(bench: Bench, number?: number): Promise<TapeFeed> {
  const feed = createTapeFeed(runOf(bench, shownTurn(bench, number)), { ...bench, isLive: () => false });
  feed.follow();
  await whenTrue(feed.state, ({ loaded }) => loaded);
  return feed;
}

interface DrawnEvents {
  rows: string[];
  words: string;
  /** What is marked in the event that is shown in full. */
  marked: string[];
}

/** The list of events, with the event of this number in full. */
async function eventsOf(bench: Bench, number?: number, event = 1): Promise<DrawnEvents> {
  const feed = await tapeOf(bench, number);
  const run = runOf(bench, shownTurn(bench, number));
  const picked = feed.getList().events[event - 1];
  const markup = markupOf(bench, createElement(EventsTab, { run, feed, event: picked }));
  const rows = markup
    .split('role="row"')
    .slice(2)
    .map((row) =>
      wordsIn(
        row
          .replaceAll('</span><', '</span> <')
          .replace(/^[^>]*>/, '')
          .replace(/<\/div>.*/s, ''),
      ),
    );
  const marked = [...markup.matchAll(/<mark[^>]*>(.*?)<\/mark>/g)].map(([, text = '']) => wordsIn(text));
  return { rows, words: wordsIn(markup), marked };
}

async function responseOf(bench: Bench, number?: number): Promise<string> {
  const feed = await tapeOf(bench, number);
  const run = runOf(bench, shownTurn(bench, number));
  const tab = createElement(ResponseTab, { run, feed, areNamesHidden: false, onShowNames: () => undefined });
  return wordsIn(markupOf(bench, tab));
}

async function requestOf(bench: Bench): Promise<ChatRequest> {
  const [sent] = (await tapeOf(bench)).entries;
  if (!sent || !('request' in sent)) throw new Error('The tape does not begin with its request');
  return sent.request;
}

const wellBehaved: ChatScript = (answer, request) => {
  answer.open({ 'x-request-id': String(request.headers['x-request-id']) });
  answer.delta({ role: 'assistant', content: '' });
  answer.whole('All', ' is', ' well.');
};

it('an answer is read event by event: times, gaps, kinds, and one event unchanged', async () => {
  let nowMs = 0;
  const { bench } = await aTalk(
    async (answer) => {
      answer.delta({ role: 'assistant', content: '' });
      for (let piece = 0; piece < 10; piece += 1) {
        if (piece === 6) {
          const thoughts = () => {
            const [first] = runOf(bench).choices[0]?.parts ?? [];
            return first?.type === 'thinking' ? first.text : '';
          };
          await until(() => thoughts().includes('why5'));
          nowMs += 600;
        }
        answer.delta({ reasoning_content: `why${piece} ` });
      }
      answer.text('Roll back now.');
      answer.finish();
      answer.usage(12, 34);
      answer.done();
    },
    { clock: () => nowMs },
  );
  await ask(bench, 'Roll back or wait?');
  const { rows, words, marked } = await eventsOf(bench, 1, 8);
  expect(words).toContain('15 events');
  expect(rows).toEqual([
    '1 0.000 0.0 ms role assistant',
    '2 0.000 0.0 ms reasoning why0',
    '3 to 7 0.000  reasoning 5 events why1 why2 why3 why4 why5',
    '8 0.600 600 ms reasoning why6',
    '9 0.600 0.0 ms reasoning why7',
    '10 0.600 0.0 ms reasoning why8',
    '11 0.600 0.0 ms reasoning why9',
    '12 0.600 0.0 ms content Roll back now.',
    '13 0.600 0.0 ms finish finish_reason "stop"',
    '14 0.600 0.0 ms usage 12 in, 34 out, 46 total',
    '15 0.600 0.0 ms end [DONE]',
  ]);
  expect(words).toContain('Event 8\n600 ms after the previous event');
  expect(marked, 'what the specification does not know').toEqual(['"reasoning_content"']);
  expect(words).toMatch(/"reasoning_content"[\s:]*"why6 "/);
  expect(words).toContain('choices[].delta.reasoning_content is not part of the format. Shown as reasoning');
});

describe('the request', () => {
  it('is shown as it was sent, and the response with its headers and request ID', async () => {
    const { bench, gateway } = await aTalk(wellBehaved);
    setUp(bench, { fields: { temperature: '0.7', seed: '7' } });
    await ask(bench, 'Roll back or wait?');
    // What is set now changes nothing about what was sent.
    setUp(bench, { fields: { temperature: '0.1' } });
    const body = await requestOf(bench);
    expect(body).toEqual(gateway.posts[0]?.body);
    const markup = markupOf(bench, createElement(RequestTab, { body, requestId: runOf(bench).requestId }));
    const line = (field: string) =>
      markup.split('<li').find((each) => wordsIn(`<li${each}`).includes(`"${field}"`)) ?? '';
    expect(line('temperature')).toContain('aria-label="portable"');
    expect(wordsIn(line('temperature'))).toContain('"temperature": 0.7');
    expect(line('seed')).toContain('aria-label="passed through"');
    expect(wordsIn(line('role'))).toContain('tokens');

    const answer = await responseOf(bench);
    const sentId = String(gateway.posts[0]?.headers['x-request-id']);
    expect(answer).toContain('200 OK');
    expect(answer).toContain('text/event-stream');
    expect(answer).toContain(`Request ID returned\n${sentId}same as sent`);
    expect(answer).toContain('First token');
  });

  it('is shown as it would be before anything was sent, and a running answer as it grows', async () => {
    const gate = aGate();
    const { bench } = await aTalk(async (answer) => {
      answer.text('One');
      await gate.opened;
      answer.whole(' two');
    });
    setUp(bench, { fields: { max_tokens: '1024' } });
    const drawn = (tab: 'events' | 'request') => {
      const data = bench.current();
      const part = { data, laneId: data.session.laneIds[0] ?? '', tab, panelId: 'panel' };
      return wordsIn(markupOf(bench, createElement(UnsentLane, part)));
    };
    expect(drawn('events')).toContain('Nothing has been sent in this lane yet');
    expect(drawn('request')).toContain('"max_tokens": 1024');
    const asked = ask(bench, 'Go');
    await until(() => getAnswerText(runOf(bench).choices[0]) === 'One');
    expect((await eventsOf(bench)).words).toContain('1 event\n');
    gate.open();
    await asked;
    expect((await eventsOf(bench)).words).toContain('4 events');
  });

  it('is sent again by its code, byte for byte', async () => {
    const { bench, gateway } = await aTalk(wellBehaved);
    setUp(bench, { fields: { temperature: '0.7', top_k: '40', stop: 'END' } });
    await ask(bench, 'Say "it\'s $HOME", then `ls` and a \\ back\\nslash.\n\tSecond line: é 漢 👩‍🚀 %s ${x}');
    const markup = markupOf(bench, createElement(CodeView, { body: await requestOf(bench) }));
    const lines = [...markup.matchAll(/<code[^>]*>(.*?)<\/code>/gs)].map(([, line]) => line);
    const code = wordsIn(lines.join(''));
    const env = {
      PATH: process.env['PATH'] ?? '',
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: 'fk-mine',
    };
    const { stdout } = await promisify(execFile)('sh', ['-c', code], { env });
    expect(stdout).toContain('well.');
    expect(gateway.posts).toHaveLength(2);
    expect(gateway.posts[1]?.body).toEqual(gateway.posts[0]?.body);
    expect(gateway.posts[1]?.headers.authorization).toBe('Bearer fk-mine');
    expect(wordsIn(markup)).toContain('Would leave out stop, top_k, stream_options.');
  });

  it('says with its code what a terminal must know of the gateway that answers here, and never its key', async () => {
    const { bench, gateway } = await aTalk(wellBehaved, {
      settings: { GATEWAY_API_KEY: 'fk-secret-of-mine' },
    });
    await ask(bench, 'Hello');
    const code = createElement(CodeView, { body: await requestOf(bench) });
    const status = await bench.gateway.readStatus();
    const words = (demo: boolean) => {
      const queries = new QueryClient();
      queries.setQueryData(statusKey, { ...status, demo });
      return wordsIn(markupOf(bench, code, queries));
    };
    expect(words(false)).toContain(`export GATEWAY_BASE_URL=${gateway.url} GATEWAY_API_KEY=…`);
    expect(words(false)).not.toContain('secret');
    expect(words(true)).toContain('npm run demo-gateway');
  });
});

it('the timeline says where the time went, with what the other lanes answered beneath it on the same clock', async () => {
  const { bench } = await aTalk(wellBehaved);
  bench.actions.addLane();
  await ask(bench, 'Hello');
  const { laneIds } = bench.current().session;
  await bench.actions.sendPrompt({ messages: [{ role: 'user', content: 'To B alone' }] }, laneIds.slice(1));
  const turn = shownTurn(bench, 1);
  const all = getSiblingRuns(bench.current(), turn);
  expect(all.map(({ laneId }) => laneId)).toEqual(laneIds);
  expect(getSiblingRuns(bench.current(), shownTurn(bench, 2, 1))).toHaveLength(1);

  const feed = await tapeOf(bench, 1);
  const answer = feed.entries.find((entry) => 'status' in entry);
  const timeline = createElement(Timeline, {
    run: runOf(bench, turn),
    ticks: feed.getList().ticks,
    count: feed.state.getState().count,
    headersMs: answer && getEntryTime(answer),
    siblingRuns: all.slice(1),
    laneIds,
    selectedMs: undefined,
    onPick: () => undefined,
  });
  const markup = markupOf(bench, timeline);
  expect(markup).toMatch(/aria-label="Inspect lane B\. Waiting [^"]*Ended after [^"]*: stop\."/);
  expect(wordsIn(markup)).toMatch(/to the headers, .* more to the first token/);
});

it('old answers are read from storage, also after a reload, and a failed one shows its error', async () => {
  const { bench, gateway } = await aTalk(wellBehaved);
  await ask(bench, 'Hello');
  gateway.onChat((answer) =>
    answer.json(503, { error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' } }),
  );
  await ask(bench, 'Again');
  const again = await reloaded(bench);
  expect((await eventsOf(again, 1)).words).toContain('All');
  expect((await eventsOf(again, 1)).words).toContain('6 events');
  expect((await eventsOf(again, 2)).words).toContain('No capacity');
  expect(await responseOf(again, 2)).toContain('503 Service Unavailable');
});

it('the conformance report names exactly what an answer breaks', async () => {
  const { bench, gateway } = await aTalk(wellBehaved);
  const report = async () => {
    const { entries } = await tapeOf(bench);
    const markup = markupOf(bench, createElement(ConformanceView, { tape: entries }));
    const rules = [...markup.matchAll(/<li[^>]* data-verdict="(\w+)"[^>]*>(.*?)<\/li>/gs)].map(
      ([, verdict, rule = '']) => `${verdict}: ${wordsIn(rule.replaceAll('</', ' </'))}`,
    );
    return { rules, words: wordsIn(markup) };
  };
  await ask(bench, 'Hello');
  const good = await report();
  expect(good.rules).toContainEqual(
    expect.stringMatching(/^pass: .*Finish reason.*stop, once and last.*§2\.5$/s),
  );
  expect(good.rules).toContainEqual(expect.stringMatching(/^note: .*End of the stream.*\[DONE\] was last/s));
  expect(good.words).toContain('0 faults');

  gateway.onChat((answer) => {
    answer.open();
    answer.delta({ role: 'assistant', content: 'Two' });
    answer.event({ id: 'another', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [] });
    answer.whole(' ids.');
  });
  await ask(bench, 'Again');
  const bad = await report();
  expect(bad.words).toContain('1 fault: 1 harmless\n');
  expect(bad.rules.filter((rule) => rule.startsWith('fault'))).toEqual([
    expect.stringMatching(/One id and one model.*changes from/s),
  ]);
});
