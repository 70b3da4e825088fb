import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Tests the inspector in the real app: events, the request as sent, and the response. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { CodeView } from '../features/inspector/code/code-view.tsx';
import { EventsTab } from '../features/inspector/events/events-tab.tsx';
import { Timeline } from '../features/inspector/events/timeline.tsx';
import { UnsentLane } from '../features/inspector/inspector.tsx';
import { RequestTab } from '../features/inspector/request-tab.tsx';
import { ConformanceView } from '../features/inspector/response-tab.tsx';
import { ResponseTab } from '../features/inspector/response-tab.tsx';
import { getEntryTime } from '../gateway/stream/tape.ts';
import type { ChatRequest } from '../gateway/wire.ts';
import { getSiblingRuns } from '../state/runs/inspector-store.ts';
import { createTapeFeed, type TapeFeed } from '../state/runs/tape-feed.ts';
import { waitForStoreState, type Bench } from '../testing/bench.ts';
import { createTestGatewayStatus } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
} from '../testing/conversation-driver.ts';
import {
  getVisibleText,
  listTexts,
  renderOnce,
  renderText,
  renderWithPlayground,
} from '../testing/render-with-playground.tsx';
import { createPausedAnswer, type ChatScript } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { Tabs } from '../ui/controls/tabs.tsx';

/** Loads the tape of one prompt's answer; `number` counts from 1, by default the last prompt. */
async function loadTapeFeed(bench: Bench, number?: number): Promise<TapeFeed> {
  const feed = createTapeFeed(getTurnRun(bench, getLaneTurn(bench, number)), {
    ...bench,
    isLive: () => false,
  });
  feed.follow();
  await waitForStoreState(feed.state, ({ isLoaded }) => isLoaded);
  return feed;
}

interface RenderedEvents {
  rows: string[];
  text: string;
  /** Highlighted texts in the selected event. */
  markedTexts: string[];
}

/** Renders the list of events with one selected; both numbers count from 1. */
async function renderEvents(bench: Bench, number?: number, event = 1): Promise<RenderedEvents> {
  const feed = await loadTapeFeed(bench, number);
  const run = getTurnRun(bench, getLaneTurn(bench, number));
  const selectedEvent = feed.getTraceList().events[event - 1];
  const view = renderOnce(bench, <EventsTab run={run} feed={feed} event={selectedEvent} />);
  const rows = within(view)
    .queryAllByRole('row')
    .slice(1)
    .map((row) => listTexts(row).join(' ').replaceAll(/\s+/g, ' ').trim());
  const markedTexts = within(view)
    .queryAllByRole('mark')
    .map(({ textContent }) => textContent);
  return { rows, text: getVisibleText(view), markedTexts };
}

async function renderResponse(bench: Bench, number?: number): Promise<string> {
  const feed = await loadTapeFeed(bench, number);
  const run = getTurnRun(bench, getLaneTurn(bench, number));
  const tab = <ResponseTab run={run} feed={feed} areNamesHidden={false} onShowNames={() => undefined} />;
  return renderText(bench, tab);
}

async function getRequest(bench: Bench): Promise<ChatRequest> {
  const [firstEntry] = (await loadTapeFeed(bench)).entries;
  if (!firstEntry || !('request' in firstEntry)) throw new Error('The tape does not begin with its request');
  return firstEntry.request;
}

const sendValidStream: ChatScript = (answer, request) => {
  answer.openStream({ 'x-request-id': String(request.headers['x-request-id']) });
  answer.sendDelta({ role: 'assistant', content: '' });
  answer.sendAnswer('All', ' is', ' well.');
};

it('shows an answer event by event with times, gaps, kinds and the unchanged event text', async () => {
  let nowMs = 0;
  const { bench } = await createConversation(
    async (answer) => {
      answer.sendDelta({ role: 'assistant', content: '' });
      for (let piece = 0; piece < 10; piece += 1) {
        if (piece === 6) {
          const getReasoning = () => {
            const [first] = getTurnRun(bench).choices[0]?.parts ?? [];
            return first?.type === 'thinking' ? first.text : '';
          };
          await waitUntil(() => getReasoning().includes('why5'));
          nowMs += 600;
        }
        answer.sendDelta({ reasoning_content: `why${piece} ` });
      }
      answer.sendText('Roll back now.');
      answer.sendFinishReason();
      answer.sendUsage(12, 34);
      answer.sendDone();
    },
    { clock: () => nowMs },
  );
  await sendAndWait(bench, 'Roll back or wait?');
  const { rows, text, markedTexts } = await renderEvents(bench, 1, 8);
  expect(text).toContain('15 events');
  expect(rows).toEqual([
    '1 0.000 0.0 ms role assistant',
    '2 0.000 0.0 ms reasoning why0',
    '3 to 7 0.000 reasoning 5 events why1 why2 why3 why4 why5',
    '8 0.600 600 ms reasoning why6',
    '9 0.600 0.0 ms reasoning why7',
    '10 0.600 0.0 ms reasoning why8',
    '11 0.600 0.0 ms reasoning why9',
    '12 0.600 0.0 ms content Roll back now.',
    '13 0.600 0.0 ms finish finish_reason "stop"',
    '14 0.600 0.0 ms usage 12 in, 34 out, 46 total',
    '15 0.600 0.0 ms end [DONE]',
  ]);
  expect(text).toContain('Event 8\n600 ms after the previous event');
  expect(markedTexts, 'fields outside the specification').toEqual(['"reasoning_content"']);
  expect(text).toMatch(/"reasoning_content"[\s:]*"why6 "/);
  expect(text).toContain(
    'choices[].delta.reasoning_content is not in the API description. Shown as reasoning',
  );
});

describe('request tab', () => {
  it('shows the request as sent, and the response with headers and request ID', async () => {
    const { bench, gateway } = await createConversation(sendValidStream);
    configureLane(bench, { fields: { temperature: '0.7', seed: '7' } });
    await sendAndWait(bench, 'Roll back or wait?');
    // Changing the setup does not change the request that was sent.
    configureLane(bench, { fields: { temperature: '0.1' } });
    const body = await getRequest(bench);
    expect(body).toEqual(gateway.posts[0]?.body);
    const requestTab = (
      <RequestTab body={body} requestId={getTurnRun(bench).requestId} gatewayName={undefined} />
    );
    const view = within(renderOnce(bench, requestTab));
    const getFieldLine = (field: string) => {
      const line = view.getAllByRole('listitem').find((item) => item.textContent.includes(`"${field}"`));
      if (!line) throw new Error(`The request has no ${field}`);
      return line;
    };
    within(getFieldLine('temperature')).getByLabelText('portable');
    expect(getFieldLine('temperature').textContent).toContain('"temperature": 0.7');
    within(getFieldLine('seed')).getByLabelText('passed through');
    expect(getFieldLine('role').textContent).toContain('tokens');

    const responseText = await renderResponse(bench);
    const sentId = String(gateway.posts[0]?.headers['x-request-id']);
    expect(responseText).toContain('200 OK');
    expect(responseText).toContain('text/event-stream');
    expect(responseText).toContain(`Request ID returned\n${sentId}same as sent`);
    expect(responseText).toContain('First token');
  });

  it('shows a preview of the request before sending, and a streaming answer as it grows', async () => {
    const { script, finish } = createPausedAnswer('One', ' two');
    const { bench } = await createConversation(script);
    configureLane(bench, { fields: { max_tokens: '1024' } });
    const renderTab = (tab: 'events' | 'request') => {
      const data = bench.getOpenSession();
      const props = { data, laneId: data.session.laneIds[0] ?? '', tab, panelId: 'panel' };
      return renderText(
        bench,
        <Tabs value={tab} onValueChange={() => undefined}>
          <UnsentLane {...props} />
        </Tabs>,
      );
    };
    expect(renderTab('events')).toContain('No request sent in this lane yet');
    expect(renderTab('request')).toContain('"max_tokens": 1024');
    const sendPromise = sendAndWait(bench, 'Go');
    await waitUntil(() => getAnswerText(getTurnRun(bench).choices[0]) === 'One');
    expect((await renderEvents(bench)).text).toContain('1 event\n');
    finish();
    await sendPromise;
    expect((await renderEvents(bench)).text).toContain('4 events');
  });

  it('generates code that sends the same request byte for byte', async () => {
    const { bench, gateway } = await createConversation(sendValidStream);
    configureLane(bench, { fields: { temperature: '0.7', top_k: '40', stop: 'END' } });
    await sendAndWait(
      bench,
      'Say "it\'s $HOME", then `ls` and a \\ back\\nslash.\n\tSecond line: é 漢 👩‍🚀 %s ${x}',
    );
    const code = <CodeView body={await getRequest(bench)} gatewayName={undefined} />;
    const { container } = renderWithPlayground(code, { playground: bench });
    const script = screen
      .getAllByRole('code')
      .map(({ textContent }) => textContent)
      .join('');
    const env = {
      PATH: process.env['PATH'] ?? '',
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: 'fk-mine',
    };
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
    expect(stdout).toContain('well.');
    expect(gateway.posts).toHaveLength(2);
    expect(gateway.posts[1]?.body).toEqual(gateway.posts[0]?.body);
    expect(gateway.posts[1]?.headers.authorization).toBe('Bearer fk-mine');
    expect(container.textContent).toContain('Leaves out top_k, stop, stream_options.');
  });

  it('shows beside the code what a terminal needs to reach the gateway, but never the key', async () => {
    const { bench, gateway } = await createConversation(sendValidStream, {
      settings: { GATEWAY_API_KEY: 'fk-secret-of-mine' },
    });
    await sendAndWait(bench, 'Hello');
    const code = <CodeView body={await getRequest(bench)} gatewayName={undefined} />;
    const text = renderText(bench, code);
    expect(text).toContain(`export GATEWAY_BASE_URL=${gateway.url} GATEWAY_API_KEY=…`);
    expect(text).not.toContain('secret');
    bench.setServerStatus([createTestGatewayStatus({ demo: true })]);
    expect(renderText(bench, code)).toContain('npm run demo-gateway');
  });
});

it('shows the timelines of an answer and of the other lanes on the same clock', async () => {
  const { bench } = await createConversation(sendValidStream);
  bench.actions.addLane();
  await sendAndWait(bench, 'Hello');
  const { laneIds } = bench.getOpenSession().session;
  await bench.actions.sendPrompt({ messages: [{ role: 'user', content: 'To B alone' }] }, laneIds.slice(1));
  const turn = getLaneTurn(bench, 1);
  const runs = getSiblingRuns(bench.getOpenSession(), turn);
  expect(runs.map(({ laneId }) => laneId)).toEqual(laneIds);
  expect(getSiblingRuns(bench.getOpenSession(), getLaneTurn(bench, 2, 1))).toHaveLength(1);

  const feed = await loadTapeFeed(bench, 1);
  const statusEntry = feed.entries.find((entry) => 'status' in entry);
  const timeline = (
    <Timeline
      run={getTurnRun(bench, turn)}
      ticks={feed.getTraceList().ticks}
      count={feed.state.getState().count}
      headersMs={statusEntry && getEntryTime(statusEntry)}
      siblingRuns={runs.slice(1)}
      laneIds={laneIds}
      selectedMs={undefined}
      onPick={() => undefined}
    />
  );
  const { container } = renderWithPlayground(timeline, { playground: bench });
  screen.getByRole('button', { name: /^Inspect lane B\. Waiting .*Ended after .*: stop\.$/ });
  expect(container.textContent).toMatch(/Headers after .*, first token /);
});

it('reads earlier answers from storage, also after a reload, and shows the error of a failed answer', async () => {
  const { bench, gateway } = await createConversation(sendValidStream);
  await sendAndWait(bench, 'Hello');
  gateway.setChatScript((answer) =>
    answer.sendJson(503, { error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' } }),
  );
  await sendAndWait(bench, 'Again');
  const reloadedBench = await reloadPage(bench);
  expect((await renderEvents(reloadedBench, 1)).text).toContain('All');
  expect((await renderEvents(reloadedBench, 1)).text).toContain('6 events');
  expect((await renderEvents(reloadedBench, 2)).text).toContain('No capacity');
  expect(await renderResponse(reloadedBench, 2)).toContain('503 Service Unavailable');
});

it('lists exactly the rules that an answer violates in the conformance report', async () => {
  const { bench, gateway } = await createConversation(sendValidStream);
  const renderReport = async () => {
    const { entries } = await loadTapeFeed(bench);
    const { container, unmount } = renderWithPlayground(<ConformanceView tape={entries} />, {
      playground: bench,
    });
    const rules = screen
      .getAllByRole('listitem')
      .map((rule) => `${rule.dataset['verdict']}: ${getVisibleText(rule)}`);
    const text = getVisibleText(container);
    unmount();
    return { rules, text };
  };
  await sendAndWait(bench, 'Hello');
  const validReport = await renderReport();
  expect(validReport.rules).toContainEqual(
    expect.stringMatching(/^pass: .*Finish reason.*stop, once at the end.*§2\.5$/s),
  );
  expect(validReport.rules).toContainEqual(
    expect.stringMatching(/^note: .*End of the stream.*\[DONE\] was last/s),
  );
  expect(validReport.text).toContain('0 faults');

  gateway.setChatScript((answer) => {
    answer.openStream();
    answer.sendDelta({ role: 'assistant', content: 'Two' });
    answer.sendEvent({ id: 'another', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [] });
    answer.sendAnswer(' ids.');
  });
  await sendAndWait(bench, 'Again');
  const faultyReport = await renderReport();
  expect(faultyReport.text).toContain('1 fault: 1 harmless\n');
  expect(faultyReport.rules.filter((rule) => rule.startsWith('fault'))).toEqual([
    expect.stringMatching(/Consistent id and model.*changes from/s),
  ]);
});
