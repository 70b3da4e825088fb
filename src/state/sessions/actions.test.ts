import { afterEach, describe, expect, it, vi } from 'vitest';

import { foldTape } from '../../conversation/reply/fold-tape.ts';
import { createRun, markRunSent, getAnswerText } from '../../conversation/reply/run.ts';
import { getLanePath, getRunId, getRun } from '../../conversation/session/turn-tree.ts';
import type { Run, SessionData } from '../../conversation/session/types.ts';
import { isRecord, getOwnProperty, parseJson, type JsonObject } from '../../lib/json.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { createBench } from '../../testing/bench.ts';
import {
  createGate,
  createTestEnvironment,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  getFirstLane,
  createUserPrompt,
  formatTextChunk,
  createTickedParams,
} from '../../testing/builders.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { waitForStableNumber, waitUntil } from '../../testing/wait-until.ts';

interface Post {
  body: JsonObject;
  lastContent: string;
  headers: Headers;
  signal: AbortSignal;
}

let servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Creates a gateway on a real socket that answers each POST from the script and records it. */
async function createTestGateway(
  respond: (post: Post, index: number) => AsyncGenerator<string> | Promise<Response>,
) {
  const posts: Post[] = [];
  const server = await startTestServer(async (request) => {
    const parsed = parseJson(await request.text());
    const body = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
    const messages = body['messages'];
    const lastMessage: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
    const post = {
      body,
      lastContent: String(getOwnProperty(lastMessage, 'content')),
      headers: request.headers,
      signal: request.signal,
    };
    posts.push(post);
    const reply = respond(post, posts.length - 1);
    return reply instanceof Promise ? reply : createStreamResponse(reply);
  });
  servers.push(server);
  return { url: server.url, posts };
}

async function* streamTexts(...texts: string[]): AsyncGenerator<string> {
  for (const text of texts) yield formatTextChunk(text);
  yield formatFinishChunk();
  yield doneEvent;
}

async function createStartedBench(options: Parameters<typeof createBench>[0]) {
  const bench = await createBench(options);
  await bench.actions.createSession();
  return bench;
}

/** Returns the runs on the current path of the first lane. */
function getVisibleRuns(data: SessionData): Run[] {
  return getLanePath(data, getFirstLane(data)).flatMap((turn) => {
    const run = getRun(data, turn);
    return run ? [run] : [];
  });
}

function getLastRun(data: SessionData): Run {
  const run = getVisibleRuns(data).at(-1);
  if (!run) throw new Error('No run was found');
  return run;
}

function getLastText(data: SessionData): string {
  return getAnswerText(getLastRun(data).choices[0]);
}

async function readSessionJson(records: RecordStore, sessionId: string): Promise<string> {
  return JSON.stringify(await records.readSession(sessionId));
}

describe('sending a prompt', () => {
  it('sends one POST with exactly the fields that are set and a request ID from Bench', async () => {
    const gateway = await createTestGateway(() => streamTexts('Hello'));
    const bench = await createStartedBench(gateway);
    const laneId = getFirstLane(bench.getOpenSession()).id;
    bench.actions.changeSetup(laneId, {
      model: 'm',
      system: 'Be brief.',
      params: createTickedParams({ temperature: '0.5', stream: 'true' }),
    });
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    expect(gateway.posts).toHaveLength(1);
    expect(gateway.posts[0]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      temperature: 0.5,
      stream: true,
    });
    const run = getLastRun(bench.getOpenSession());
    expect(run.phase.name).toBe('complete');
    expect(getLastText(bench.getOpenSession())).toBe('Hello');
    expect(gateway.posts[0]?.headers.get('x-request-id')).toBe(run.requestId);
    expect(bench.endedRuns.map(({ id }) => id)).toEqual([run.id]);
  });

  it('sends only after a strict write of the prompt', async () => {
    const memory = createMemoryRecordStore();
    const strictTexts: string[] = [];
    const records: RecordStore = {
      ...memory,
      write: async (writes, options) => {
        // Simulates a slow disk, which gives the request every chance to overtake the write.
        await waitForStableNumber(() => gateway.posts.length);
        await memory.write(writes, options);
        if (options?.strict) strictTexts.push(JSON.stringify(writes));
      },
    };
    const storedTexts: string[] = [];
    const gateway = await createTestGateway(async () => {
      storedTexts.push(
        await readSessionJson(records, bench.getOpenSession().session.id),
        strictTexts.join(''),
      );
      return createStreamResponse(streamTexts('ok'));
    });
    const bench = await createStartedBench({ ...gateway, records });
    await bench.actions.sendPrompt(createUserPrompt('Precious words'));
    const run = getLastRun(bench.getOpenSession());
    expect(storedTexts).toHaveLength(2);
    for (const text of storedTexts) {
      expect(text).toContain('Precious words');
      expect(text).toContain(run.id);
      expect(text).toContain('"promptId"');
    }
    expect(strictTexts.at(-1)).toContain('"complete"');
  });

  it('shows the received bytes, however they were split, and stores a tape that folds to the same run', async () => {
    const texts = ['Grüße ', '👩‍👩‍👧', '\u0000 \r\n', '</b>', ' עברית', '𝄞'];
    const bytes = new TextEncoder().encode(
      texts.map((text) => formatTextChunk(text)).join('') + formatFinishChunk('length') + doneEvent,
    );
    const gateway = await createTestGateway(async () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          for (let offset = 0; offset < bytes.length; offset += 7) {
            controller.enqueue(bytes.slice(offset, offset + 7));
            if (offset % 49 === 0) await new Promise(setImmediate);
          }
          controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('Go'));
    const run = getLastRun(bench.getOpenSession());
    expect(getAnswerText(run.choices[0])).toBe(texts.join(''));
    expect(run).toMatchObject({
      phase: { name: 'complete' },
      deltas: texts.length,
      choices: [{ finishReason: 'length' }],
    });
    const tape = await bench.library.readTape(run.id);
    const { sentAt = 0, requestId = '', estimatedPromptTokens = 0 } = run;
    const sentRun = markRunSent(createRun(run.id, run.sessionId, run.setup), {
      sentAt,
      requestId,
      estimatedPromptTokens,
      ...(run.gatewayId === undefined ? {} : { gatewayId: run.gatewayId }),
      ...(run.gateway === undefined ? {} : { gateway: run.gateway }),
    });
    expect(foldTape(sentRun, tape)).toEqual(run);
    expect(tape[0]).toMatchObject({
      request: { model: run.setup.model, messages: [{ role: 'user', content: 'Go' }] },
      requestId,
    });
    expect(tape.at(-1)).toMatchObject({ end: 'closed' });
    expect(await readSessionJson(bench.records, run.sessionId)).toContain(JSON.stringify(run));
  });

  it('requeues a request rejected by our own rate limit, without recording the rejection in the run', async () => {
    const error = { error: { message: 'Slow down', type: 'rate_limit_exceeded', code: '429' } };
    const gateway = await createTestGateway(() => streamTexts('Hello'));
    let callCount = 0;
    const fetchRateLimitedOnce: typeof fetch = async (input, init) =>
      (callCount += 1) === 1
        ? Response.json(error, { status: 429, headers: { 'retry-after': '1' } })
        : fetch(input, init);
    const environment = createTestEnvironment();
    const bench = await createStartedBench({ ...gateway, fetch: fetchRateLimitedOnce, environment });
    const sending = bench.actions.sendPrompt(createUserPrompt('Hi'));
    await waitUntil(() => bench.getQueue().state.getState().nextStartAt !== undefined);
    expect(getLastRun(bench.getOpenSession()).phase.name).toBe('queued');
    environment.setClock(environment.now() + 1000);
    bench.getQueue().recheck();
    await sending;
    const run = getLastRun(bench.getOpenSession());
    expect(run).toMatchObject({ phase: { name: 'complete' }, status: 200 });
    expect([callCount, gateway.posts.length]).toEqual([2, 1]);
    const tape = await bench.library.readTape(run.id);
    expect(tape.filter((entry) => 'status' in entry)).toHaveLength(1);
    expect(tape[0]).toMatchObject({ requestId: run.requestId });
  });
});

describe('Stop', () => {
  it('sends nothing if stopped in the same tick as Send', async () => {
    const gateway = await createTestGateway(() => streamTexts('never'));
    const bench = await createStartedBench(gateway);
    const sending = bench.actions.sendPrompt(createUserPrompt('Hi'));
    await bench.actions.stop();
    await sending;
    const run = getLastRun(bench.getOpenSession());
    expect(run.phase.name).toBe('stopped');
    expect(run.sentAt).toBeUndefined();
    expect(gateway.posts).toEqual([]);
    expect(await readSessionJson(bench.records, run.sessionId)).toContain('"stopped"');
  });
});

describe('versions of turns', () => {
  it('saves an edited prompt without running it, and answers it in place on request', async () => {
    const gateway = await createTestGateway(({ lastContent }) => streamTexts(`to ${lastContent}`));
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('One'));
    await bench.actions.editPrompt(['gone'], createUserPrompt('Nothing').messages, true);
    expect(Object.keys(bench.getOpenSession().prompts)).toHaveLength(1);
    const writeSpy = vi.spyOn(bench.records, 'write');
    await bench.actions.editPrompt(
      [getFirstLane(bench.getOpenSession()).tip ?? ''],
      createUserPrompt('Other').messages,
      false,
    );
    expect(writeSpy.mock.calls.at(-1)?.[1]).toEqual({ strict: true });
    expect(gateway.posts).toHaveLength(1);
    const unansweredId = getFirstLane(bench.getOpenSession()).tip ?? '';
    expect(bench.getOpenSession().turns[unansweredId]).not.toHaveProperty('reply');
    expect(await readSessionJson(bench.records, bench.getOpenSession().session.id)).toContain('Other');
    await bench.actions.regenerate([unansweredId]);
    expect(getFirstLane(bench.getOpenSession()).tip).toBe(unansweredId);
    expect(getLastText(bench.getOpenSession())).toBe('to Other');
  });

  it('continues from the selected candidate, and restores the turns below the other candidate', async () => {
    const gateway = await createTestGateway(async function* ({ lastContent }) {
      if (lastContent === 'Two') yield* streamTexts('on');
      else
        yield (
          formatTextChunk('left', 0) +
            formatTextChunk('right', 1) +
            formatFinishChunk('stop', 0) +
            formatFinishChunk('stop', 1) +
            doneEvent
        );
    });
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('One'));
    const firstTurnId = getFirstLane(bench.getOpenSession()).tip ?? '';
    await bench.actions.sendPrompt(createUserPrompt('Two'));
    const secondTurnId = getFirstLane(bench.getOpenSession()).tip;
    bench.actions.showCandidate(firstTurnId, 1);
    expect(getFirstLane(bench.getOpenSession()).tip).toBe(firstTurnId);
    await bench.actions.sendPrompt(createUserPrompt('Two'));
    expect(gateway.posts.at(-1)?.body['messages']).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'right' },
      { role: 'user', content: 'Two' },
    ]);
    bench.actions.showCandidate(firstTurnId, 0);
    expect(getFirstLane(bench.getOpenSession()).tip).toBe(secondTurnId);
  });
});

describe('deleting turns', () => {
  it('undoes a deletion after switching to another session', async () => {
    const gateway = await createTestGateway(({ lastContent }) =>
      streamTexts(lastContent === 'Hi' ? 'kept' : 'other'),
    );
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    const { id } = bench.getOpenSession().session;
    await bench.actions.deletePrompt([getFirstLane(bench.getOpenSession()).tip ?? '']);
    await bench.actions.sendPrompt(createUserPrompt('Something else'));
    await bench.actions.createSession();
    expect(bench.getOpenSession().session.id).not.toBe(id);
    bench.session.getState().undo?.restore();
    await bench.recorder.flush();
    expect(await readSessionJson(bench.records, id)).toContain('"kept"');
    await bench.actions.openSession(id);
    expect(getLastText(bench.getOpenSession())).toBe('kept');
  });

  it('keeps answers and tapes that a copy of the lane still shows', async () => {
    const gateway = await createTestGateway(() => streamTexts('shared'));
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    const runId = getLastRun(bench.getOpenSession()).id;
    bench.actions.addLane();
    await bench.actions.deletePrompt([getFirstLane(bench.getOpenSession()).tip ?? '']);
    expect(getVisibleRuns(bench.getOpenSession())).toEqual([]);
    const copy = bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[1] ?? ''];
    const visibleRunIds = copy
      ? getLanePath(bench.getOpenSession(), copy).flatMap((turn) => getRunId(turn) ?? [])
      : [];
    expect(visibleRunIds).toEqual([runId]);
    expect(getAnswerText(bench.getOpenSession().runs[runId]?.choices[0])).toBe('shared');
    bench.session.getState().undo?.expire();
    await bench.recorder.flush();
    expect(await bench.library.readTape(runId)).not.toEqual([]);
  });

  it('removes the tape only when the deletion cannot be undone any more', async () => {
    const gateway = await createTestGateway(() => streamTexts('x'));
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    const runId = getLastRun(bench.getOpenSession()).id;
    await bench.actions.deletePrompt([getFirstLane(bench.getOpenSession()).tip ?? '']);
    await bench.recorder.flush();
    expect(await bench.library.readTape(runId)).not.toEqual([]);
    bench.session.getState().undo?.expire();
    await bench.recorder.flush();
    expect(await bench.library.readTape(runId)).toEqual([]);
    expect(bench.session.getState().undo).toBeUndefined();
  });
});

describe('the undo notice of a deletion', () => {
  it('counts a message that still exists in another lane as deleted', async () => {
    const bench = await createStartedBench(await createTestGateway(() => streamTexts('x')));
    bench.actions.addLane();
    await bench.actions.sendPrompt(createUserPrompt('One'));
    const tips = bench
      .getOpenSession()
      .session.laneIds.map((id) => bench.getOpenSession().lanes[id]?.tip ?? '');
    await bench.actions.editPrompt(tips, createUserPrompt('Better').messages, false);
    const [firstTip = ''] = bench
      .getOpenSession()
      .session.laneIds.map((id) => bench.getOpenSession().lanes[id]?.tip ?? '');
    await bench.actions.deleteTurns([firstTip]);
    expect(bench.session.getState().undo?.text).toBe('Deleted the message.');
  });

  it('offers Undo until the next deletion, which makes the first one final', async () => {
    const bench = await createStartedBench(await createTestGateway(() => streamTexts('x')));
    const outcomes: string[] = [];
    const offer = (name: string) =>
      bench.actions.offerUndo(
        name,
        () => outcomes.push(`${name} restored`),
        () => outcomes.push(`${name} expired`),
      );
    offer('first');
    const { undo } = bench.session.getState();
    offer('second');
    expect(outcomes).toEqual(['first expired']);
    undo?.expire();
    expect(bench.session.getState().undo?.text).toBe('second');
    bench.session.getState().undo?.restore();
    expect(outcomes.at(-1)).toBe('second restored');
    expect(bench.session.getState().undo).toBeUndefined();
  });
});

describe('removing a lane', () => {
  it('stops only runs of the removed lane, except runs that a branch also shows', async () => {
    const gate = createGate();
    const gateway = await createTestGateway(async function* ({ lastContent }) {
      yield formatTextChunk(`to ${lastContent}`);
      await gate.opened;
      yield formatFinishChunk() + doneEvent;
    });
    const bench = await createStartedBench(gateway);
    const shared = bench.actions.sendPrompt(createUserPrompt('both'));
    await waitUntil(() => getLastText(bench.getOpenSession()) === 'to both');
    const sharedRunId = getLastRun(bench.getOpenSession()).id;
    bench.actions.branchToLane(getFirstLane(bench.getOpenSession()).tip ?? '');
    const [firstLaneId = '', secondLaneId = ''] = bench.getOpenSession().session.laneIds;
    const ownPrompt = bench.actions.sendPrompt(createUserPrompt('own'), [firstLaneId]);
    await waitUntil(() => getLastText(bench.getOpenSession()) === 'to own');
    const ownRunId = getLastRun(bench.getOpenSession()).id;
    bench.view.setState({ scope: firstLaneId });
    await bench.actions.removeLane(firstLaneId);
    expect(bench.getOpenSession().session.laneIds).toEqual([secondLaneId]);
    expect(bench.view.getState().scope).toBeUndefined();
    expect(bench.getOpenSession().runs[ownRunId]).toBeUndefined();
    expect(bench.getOpenSession().runs[sharedRunId]?.phase.name).toBe('streaming');
    await waitUntil(() => gateway.posts[1]?.signal.aborted === true);
    expect(gateway.posts[0]?.signal.aborted).toBe(false);
    gate.open();
    await Promise.all([shared, ownPrompt]);
    expect(bench.getOpenSession().runs[sharedRunId]?.phase.name).toBe('complete');
    await bench.recorder.flush();
    expect(await bench.library.readTape(ownRunId)).not.toEqual([]);
    bench.session.getState().undo?.expire();
    await bench.recorder.flush();
    expect(await bench.library.readTape(ownRunId)).toEqual([]);
    expect(await bench.library.readTape(sharedRunId)).not.toEqual([]);
    await bench.actions.removeLane(secondLaneId);
    expect(bench.getOpenSession().session.laneIds).toEqual([secondLaneId]);
  });

  it('keeps another lane selected in the sidebar when a lane is removed', async () => {
    const bench = await createStartedBench(await createTestGateway(() => streamTexts('x')));
    bench.actions.addLane();
    const [firstLaneId = '', secondLaneId = ''] = bench.getOpenSession().session.laneIds;
    bench.view.setState({ scope: firstLaneId });
    await bench.actions.removeLane(secondLaneId);
    expect(bench.view.getState().scope).toBe(firstLaneId);
  });
});

it('adds a lane next to any other lane, with changes to its setup', async () => {
  const bench = await createStartedBench(await createTestGateway(() => streamTexts('x')));
  const [firstLaneId = ''] = bench.getOpenSession().session.laneIds;
  bench.actions.addLane(undefined, (setup) => ({ ...setup, model: 'last' }));
  bench.actions.addLane(firstLaneId, (setup) => ({ ...setup, model: 'beside' }));
  const models = bench
    .getOpenSession()
    .session.laneIds.map((id) => bench.getOpenSession().lanes[id]?.setup.model);
  expect(models).toEqual(['demo/guide', 'beside', 'last']);
});

it('continues a truncated answer with a new turn in its lane only', async () => {
  const gateway = await createTestGateway(() => streamTexts('Half'));
  const bench = await createStartedBench(gateway);
  await bench.actions.sendPrompt(createUserPrompt('Go'));
  const [firstLaneId = ''] = bench.getOpenSession().session.laneIds;
  bench.actions.addLane();
  await bench.actions.continueAnswer(firstLaneId);
  const turns = Object.values(bench.getOpenSession().turns).filter(({ laneId }) => laneId === firstLaneId);
  expect(turns.map(({ promptId }) => bench.getOpenSession().prompts[promptId]?.messages)).toEqual([
    [{ role: 'user', content: 'Go' }],
    [{ role: 'user', content: 'Continue exactly where you stopped.' }],
  ]);
  expect(gateway.posts).toHaveLength(2);
});

describe('open and stored sessions', () => {
  it('continues streaming in a background session', async () => {
    const gate = createGate();
    const gateway = await createTestGateway(async function* () {
      yield formatTextChunk('a');
      await gate.opened;
      yield formatTextChunk('b') + formatFinishChunk() + doneEvent;
    });
    const bench = await createStartedBench(gateway);
    const sending = bench.actions.sendPrompt(createUserPrompt('Hi'));
    await waitUntil(() => getLastText(bench.getOpenSession()) === 'a');
    const { id } = bench.getOpenSession().session;
    await bench.actions.createSession();
    expect(bench.getOpenSession().session.id).not.toBe(id);
    gate.open();
    await sending;
    await bench.actions.openSession(id);
    expect(getLastText(bench.getOpenSession())).toBe('ab');
    expect(getLastRun(bench.getOpenSession()).phase.name).toBe('complete');
  });

  it('creates no new session while the current one is empty', async () => {
    const bench = await createStartedBench(await createTestGateway(() => streamTexts('x')));
    const { id } = bench.getOpenSession().session;
    await bench.actions.createSession();
    expect(bench.getOpenSession().session.id).toBe(id);
  });

  it('opens the last session with all of its content by default', async () => {
    const gateway = await createTestGateway(() => streamTexts('x'));
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('Hi'));
    await bench.waitUntilSaved();
    const nextTab = await bench.openAnotherTab();
    nextTab.prefs.setState({ lastSessionId: bench.getOpenSession().session.id });
    await nextTab.actions.openSession();
    expect(nextTab.getOpenSession()).toEqual(bench.getOpenSession());
    expect(nextTab.session.getState().unreadable).toEqual([]);
  });

  it.each([
    ['was lost', undefined],
    ['belongs to a deleted session', 'gone'],
  ])('opens the newest session if the ID of the last one %s', async (_why, lastSessionId) => {
    const gateway = await createTestGateway(() => streamTexts('x'));
    const bench = await createStartedBench(gateway);
    await bench.actions.sendPrompt(createUserPrompt('Older'));
    await bench.actions.createSession();
    await bench.actions.sendPrompt(createUserPrompt('Newer'));
    await bench.waitUntilSaved();
    const nextTab = await bench.openAnotherTab();
    nextTab.prefs.setState({ lastSessionId });
    await nextTab.actions.openSession();
    expect(nextTab.getOpenSession()).toEqual(bench.getOpenSession());
  });

  it('keeps sessions in memory only while they are shown, streaming or undoable', async () => {
    const gate = createGate();
    const gateway = await createTestGateway(async function* ({ lastContent }) {
      yield formatTextChunk('a');
      if (lastContent === 'Slow') await gate.opened;
      yield formatFinishChunk() + doneEvent;
    });
    const bench = await createStartedBench(gateway);
    const listOpenIds = () => Object.keys(bench.session.getState().open);
    await bench.actions.sendPrompt(createUserPrompt('Done'));
    const doneId = bench.getOpenSession().session.id;
    await bench.waitUntilSaved();
    await bench.actions.createSession();
    const slowId = bench.getOpenSession().session.id;
    expect(listOpenIds()).toEqual([slowId]);
    const sending = bench.actions.sendPrompt(createUserPrompt('Slow'));
    await waitUntil(() => getLastText(bench.getOpenSession()) === 'a');
    await bench.actions.openSession(doneId);
    expect(listOpenIds().toSorted()).toEqual([doneId, slowId].toSorted());
    await bench.actions.deleteTurns([getFirstLane(bench.getOpenSession()).tip ?? '']);
    gate.open();
    await sending;
    await bench.waitUntilSaved();
    await bench.actions.createSession();
    await bench.actions.openSession(slowId);
    expect(listOpenIds().toSorted()).toEqual([doneId, slowId].toSorted());
    bench.session.getState().undo?.expire();
    await bench.waitUntilSaved();
    await bench.actions.createSession();
    expect(listOpenIds()).toEqual([bench.getOpenSession().session.id]);
  });

  it('stops the runs of a session deleted in the history, keeps the current session open and removes the deleted one for good', async () => {
    const gate = createGate();
    const gateway = await createTestGateway(async function* () {
      yield formatTextChunk('a');
      await gate.opened;
    });
    const bench = await createStartedBench(gateway);
    const sending = bench.actions.sendPrompt(createUserPrompt('Slow'));
    await waitUntil(() => getLastText(bench.getOpenSession()) === 'a');
    const { id } = bench.getOpenSession().session;
    await bench.actions.createSession();
    const currentId = bench.getOpenSession().session.id;
    await bench.actions.deleteSession(id);
    await sending;
    await waitUntil(() => gateway.posts[0]?.signal.aborted === true);
    expect(bench.getOpenSession().session.id).toBe(currentId);
    expect(bench.router.state.getState().route).toEqual({ screen: 'playground', sessionId: currentId });
    expect(await bench.library.list()).toEqual([]);
    bench.session.getState().undo?.restore();
    expect(bench.getOpenSession().session.id).toBe(currentId);
    expect((await bench.library.list()).map((session) => session.id)).toEqual([id]);
    await bench.actions.deleteSession(id);
    bench.session.getState().undo?.expire();
    await waitUntil(async () => (await bench.records.readSession(id)) === undefined);
    expect(await bench.records.listKeys('runs')).toEqual([]);
    gate.open();
  });
});
