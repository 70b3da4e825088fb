import { afterEach, describe, expect, it, vi } from 'vitest';

import { foldTape } from '../../conversation/reply/fold-tape.ts';
import { createRun, markRunSent, getAnswerText } from '../../conversation/reply/run.ts';
import { getLanePath, getRunId, getRun } from '../../conversation/session/turn-tree.ts';
import type { Run, SessionData } from '../../conversation/session/types.ts';
import { isRecord, getOwnProperty, parseJson, type JsonObject } from '../../lib/json.ts';
import { memoryRecordStore } from '../../storage/memory-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { aBench } from '../../testing/bench.ts';
import {
  aGate,
  anEnvironment,
  doneMark,
  eventStream,
  finishChunk,
  laneOf,
  spoken,
  textChunk,
  ticked,
} from '../../testing/builders.ts';
import { serve, type ServedHandler } from '../../testing/test-server.ts';
import { settled, until } from '../../testing/wait-until.ts';

interface Post {
  body: JsonObject;
  said: string;
  headers: Headers;
  signal: AbortSignal;
}

let servers: ServedHandler[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** A gateway on a real socket that answers each POST by the script, and what was posted to it. */
async function aGateway(answer: (post: Post, index: number) => AsyncGenerator<string> | Promise<Response>) {
  const posts: Post[] = [];
  const server = await serve(async (request) => {
    const reading = parseJson(await request.text());
    const body = reading.ok && isRecord(reading.value) ? reading.value : {};
    const messages = body['messages'];
    const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
    const post = {
      body,
      said: String(getOwnProperty(last, 'content')),
      headers: request.headers,
      signal: request.signal,
    };
    posts.push(post);
    const answered = answer(post, posts.length - 1);
    return answered instanceof Promise ? answered : eventStream(answered);
  });
  servers.push(server);
  return { url: server.url, posts };
}

async function* streamed(...texts: string[]): AsyncGenerator<string> {
  for (const text of texts) yield textChunk(text);
  yield finishChunk();
  yield doneMark;
}

async function started(options: Parameters<typeof aBench>[0]) {
  const bench = await aBench(options);
  await bench.actions.createSession();
  return bench;
}

/** The runs of the shown path of the first lane. */
function shownRuns(data: SessionData): Run[] {
  return getLanePath(data, laneOf(data)).flatMap((turn) => {
    const run = getRun(data, turn);
    return run ? [run] : [];
  });
}

function lastRun(data: SessionData): Run {
  const run = shownRuns(data).at(-1);
  if (!run) throw new Error('Nothing ran');
  return run;
}

function lastText(data: SessionData): string {
  return getAnswerText(lastRun(data).choices[0]);
}

async function stored(records: RecordStore, sessionId: string): Promise<string> {
  return JSON.stringify(await records.session(sessionId));
}

describe('one send', () => {
  it('is one POST with exactly the fields that are set, and our own request id', async () => {
    const gateway = await aGateway(() => streamed('Hello'));
    const bench = await started(gateway);
    const laneId = laneOf(bench.current()).id;
    bench.actions.changeSetup(laneId, {
      model: 'm',
      system: 'Be brief.',
      params: ticked({ temperature: '0.5', stream: 'true' }),
    });
    await bench.actions.sendPrompt(spoken('Hi'));
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
    const run = lastRun(bench.current());
    expect(run.phase.name).toBe('complete');
    expect(lastText(bench.current())).toBe('Hello');
    expect(gateway.posts[0]?.headers.get('x-request-id')).toBe(run.requestId);
    expect(bench.endedRuns.map(({ id }) => id)).toEqual([run.id]);
  });

  it('leaves only when what was said is on the disk, strictly', async () => {
    const memory = memoryRecordStore();
    const strictTexts: string[] = [];
    const records: RecordStore = {
      ...memory,
      write: async (writes, options) => {
        // A slow disk: the request has every chance to overtake it.
        await settled(() => gateway.posts.length);
        await memory.write(writes, options);
        if (options?.strict) strictTexts.push(JSON.stringify(writes));
      },
    };
    const found: string[] = [];
    const gateway = await aGateway(async () => {
      found.push(await stored(records, bench.current().session.id), strictTexts.join(''));
      return eventStream(streamed('ok'));
    });
    const bench = await started({ ...gateway, records });
    await bench.actions.sendPrompt(spoken('Precious words'));
    const run = lastRun(bench.current());
    expect(found).toHaveLength(2);
    for (const text of found) {
      expect(text).toContain('Precious words');
      expect(text).toContain(run.id);
      expect(text).toContain('"promptId"');
    }
    expect(strictTexts.at(-1)).toContain('"complete"');
  });

  it('shows the bytes that came, however they were cut, and stores a tape that folds to the same run', async () => {
    const texts = ['Grüße ', '👩‍👩‍👧', '\u0000 \r\n', '</b>', ' עברית', '𝄞'];
    const bytes = new TextEncoder().encode(
      texts.map((text) => textChunk(text)).join('') + finishChunk('length') + doneMark,
    );
    const gateway = await aGateway(async () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          for (let at = 0; at < bytes.length; at += 7) {
            controller.enqueue(bytes.slice(at, at + 7));
            if (at % 49 === 0) await new Promise(setImmediate);
          }
          controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('Go'));
    const run = lastRun(bench.current());
    expect(getAnswerText(run.choices[0])).toBe(texts.join(''));
    expect(run).toMatchObject({
      phase: { name: 'complete' },
      deltas: texts.length,
      choices: [{ finishReason: 'length' }],
    });
    const tape = await bench.library.readTape(run.id);
    const { sentAt = 0, requestId = '', estimatedPromptTokens = 0 } = run;
    const sent = markRunSent(createRun(run.id, run.sessionId, run.setup), {
      sentAt,
      requestId,
      estimatedPromptTokens,
      ...(run.gatewayId === undefined ? {} : { gatewayId: run.gatewayId }),
    });
    expect(foldTape(sent, tape)).toEqual(run);
    expect(tape[0]).toMatchObject({
      request: { model: run.setup.model, messages: [{ role: 'user', content: 'Go' }] },
      requestId,
    });
    expect(tape.at(-1)).toMatchObject({ end: 'closed' });
    expect(await stored(bench.records, run.sessionId)).toContain(JSON.stringify(run));
  });

  it('that our own server holds back waits in the queue and leaves no trace of it', async () => {
    const error = { error: { message: 'Slow down', type: 'rate_limit_exceeded', code: '429' } };
    const gateway = await aGateway(() => streamed('Hello'));
    let refused = 0;
    const fetchHeldBackOnce: typeof fetch = async (input, init) =>
      (refused += 1) === 1
        ? Response.json(error, { status: 429, headers: { 'retry-after': '1' } })
        : fetch(input, init);
    const environment = anEnvironment();
    const bench = await started({ ...gateway, fetch: fetchHeldBackOnce, environment });
    const sending = bench.actions.sendPrompt(spoken('Hi'));
    await until(() => bench.queue.state.getState().nextStartAt !== undefined);
    expect(lastRun(bench.current()).phase.name).toBe('queued');
    environment.setClock(environment.now() + 1000);
    bench.queue.recheck();
    await sending;
    const run = lastRun(bench.current());
    expect(run).toMatchObject({ phase: { name: 'complete' }, status: 200 });
    expect([refused, gateway.posts.length]).toEqual([2, 1]);
    const tape = await bench.library.readTape(run.id);
    expect(tape.filter((entry) => 'status' in entry)).toHaveLength(1);
    expect(tape[0]).toMatchObject({ requestId: run.requestId });
  });
});

describe('Stop', () => {
  it('in the tick of Send lets nothing leave at all', async () => {
    const gateway = await aGateway(() => streamed('never'));
    const bench = await started(gateway);
    const sending = bench.actions.sendPrompt(spoken('Hi'));
    await bench.actions.stop();
    await sending;
    const run = lastRun(bench.current());
    expect(run.phase.name).toBe('stopped');
    expect(run.sentAt).toBeUndefined();
    expect(gateway.posts).toEqual([]);
    expect(await stored(bench.records, run.sessionId)).toContain('"stopped"');
  });
});

describe('versions', () => {
  it('saving an edit runs nothing until it is asked to, and then answers in its place', async () => {
    const gateway = await aGateway(({ said }) => streamed(`to ${said}`));
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('One'));
    await bench.actions.editPrompt(['gone'], spoken('Nothing').messages, true);
    expect(Object.keys(bench.current().prompts)).toHaveLength(1);
    const flush = vi.spyOn(bench.records, 'write');
    await bench.actions.editPrompt([laneOf(bench.current()).tip ?? ''], spoken('Other').messages, false);
    expect(flush.mock.calls.at(-1)?.[1]).toEqual({ strict: true });
    expect(gateway.posts).toHaveLength(1);
    const waiting = laneOf(bench.current()).tip ?? '';
    expect(bench.current().turns[waiting]).not.toHaveProperty('reply');
    expect(await stored(bench.records, bench.current().session.id)).toContain('Other');
    await bench.actions.regenerate([waiting]);
    expect(laneOf(bench.current()).tip).toBe(waiting);
    expect(lastText(bench.current())).toBe('to Other');
  });

  it('showing another candidate goes on from it, and what followed the other comes back with it', async () => {
    const gateway = await aGateway(async function* ({ said }) {
      if (said === 'Two') yield* streamed('on');
      else
        yield (
          textChunk('left', 0) +
            textChunk('right', 1) +
            finishChunk('stop', 0) +
            finishChunk('stop', 1) +
            doneMark
        );
    });
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('One'));
    const first = laneOf(bench.current()).tip ?? '';
    await bench.actions.sendPrompt(spoken('Two'));
    const second = laneOf(bench.current()).tip;
    bench.actions.showChoice(first, 1);
    expect(laneOf(bench.current()).tip).toBe(first);
    await bench.actions.sendPrompt(spoken('Two'));
    expect(gateway.posts.at(-1)?.body['messages']).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'right' },
      { role: 'user', content: 'Two' },
    ]);
    bench.actions.showChoice(first, 0);
    expect(laneOf(bench.current()).tip).toBe(second);
  });
});

describe('deleting', () => {
  it('can be taken back from another session', async () => {
    const gateway = await aGateway(({ said }) => streamed(said === 'Hi' ? 'kept' : 'other'));
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('Hi'));
    const { id } = bench.current().session;
    await bench.actions.deletePrompt([laneOf(bench.current()).tip ?? '']);
    await bench.actions.sendPrompt(spoken('Something else'));
    await bench.actions.createSession();
    expect(bench.current().session.id).not.toBe(id);
    bench.session.getState().undo?.restore();
    await bench.recorder.flush();
    expect(await stored(bench.records, id)).toContain('"kept"');
    await bench.actions.openSession(id);
    expect(lastText(bench.current())).toBe('kept');
  });

  it('in one lane leaves the answers that a copy of the lane shows, tapes too', async () => {
    const gateway = await aGateway(() => streamed('shared'));
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('Hi'));
    const runId = lastRun(bench.current()).id;
    bench.actions.addLane();
    await bench.actions.deletePrompt([laneOf(bench.current()).tip ?? '']);
    expect(shownRuns(bench.current())).toEqual([]);
    const copy = bench.current().lanes[bench.current().session.laneIds[1] ?? ''];
    const shown = copy ? getLanePath(bench.current(), copy).flatMap((turn) => getRunId(turn) ?? []) : [];
    expect(shown).toEqual([runId]);
    expect(getAnswerText(bench.current().runs[runId]?.choices[0])).toBe('shared');
    bench.session.getState().undo?.expire();
    await bench.recorder.flush();
    expect(await bench.library.readTape(runId)).not.toEqual([]);
  });

  it('removes the tape only when it can no longer be taken back', async () => {
    const gateway = await aGateway(() => streamed('x'));
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('Hi'));
    const runId = lastRun(bench.current()).id;
    await bench.actions.deletePrompt([laneOf(bench.current()).tip ?? '']);
    await bench.recorder.flush();
    expect(await bench.library.readTape(runId)).not.toEqual([]);
    bench.session.getState().undo?.expire();
    await bench.recorder.flush();
    expect(await bench.library.readTape(runId)).toEqual([]);
    expect(bench.session.getState().undo).toBeUndefined();
  });
});

describe('what is said of a deletion', () => {
  it('of a message that waits in another lane, too, is that it went', async () => {
    const bench = await started(await aGateway(() => streamed('x')));
    bench.actions.addLane();
    await bench.actions.sendPrompt(spoken('One'));
    const tips = bench.current().session.laneIds.map((id) => bench.current().lanes[id]?.tip ?? '');
    await bench.actions.editPrompt(tips, spoken('Better').messages, false);
    const [left = ''] = bench.current().session.laneIds.map((id) => bench.current().lanes[id]?.tip ?? '');
    await bench.actions.deleteTurns([left]);
    expect(bench.session.getState().undo?.text).toBe('Deleted the message.');
  });

  it('is offered until the next one, which makes the one before it final', async () => {
    const bench = await started(await aGateway(() => streamed('x')));
    const ends: string[] = [];
    const offer = (name: string) =>
      bench.actions.offerUndo(
        name,
        () => ends.push(`${name} restored`),
        () => ends.push(`${name} expired`),
      );
    offer('first');
    const { undo } = bench.session.getState();
    offer('second');
    expect(ends).toEqual(['first expired']);
    undo?.expire();
    expect(bench.session.getState().undo?.text).toBe('second');
    bench.session.getState().undo?.restore();
    expect(ends.at(-1)).toBe('second restored');
    expect(bench.session.getState().undo).toBeUndefined();
  });
});

describe('a lane that is removed', () => {
  it('ends what it alone is being answered, and lets go on what a branch shows as well', async () => {
    const gate = aGate();
    const gateway = await aGateway(async function* ({ said }) {
      yield textChunk(`to ${said}`);
      await gate.opened;
      yield finishChunk() + doneMark;
    });
    const bench = await started(gateway);
    const shared = bench.actions.sendPrompt(spoken('both'));
    await until(() => lastText(bench.current()) === 'to both');
    const sharedRun = lastRun(bench.current()).id;
    bench.actions.branchToLane(laneOf(bench.current()).tip ?? '');
    const [first = '', second = ''] = bench.current().session.laneIds;
    const own = bench.actions.sendPrompt(spoken('own'), [first]);
    await until(() => lastText(bench.current()) === 'to own');
    const ownRun = lastRun(bench.current()).id;
    bench.view.setState({ scope: first });
    await bench.actions.removeLane(first);
    expect(bench.current().session.laneIds).toEqual([second]);
    expect(bench.view.getState().scope).toBeUndefined();
    expect(bench.current().runs[ownRun]).toBeUndefined();
    expect(bench.current().runs[sharedRun]?.phase.name).toBe('streaming');
    await until(() => gateway.posts[1]?.signal.aborted === true);
    expect(gateway.posts[0]?.signal.aborted).toBe(false);
    gate.open();
    await Promise.all([shared, own]);
    expect(bench.current().runs[sharedRun]?.phase.name).toBe('complete');
    await bench.recorder.flush();
    expect(await bench.library.readTape(ownRun)).not.toEqual([]);
    bench.session.getState().undo?.expire();
    await bench.recorder.flush();
    expect(await bench.library.readTape(ownRun)).toEqual([]);
    expect(await bench.library.readTape(sharedRun)).not.toEqual([]);
    await bench.actions.removeLane(second);
    expect(bench.current().session.laneIds).toEqual([second]);
  });

  it('leaves the parameters of another lane in the sidebar', async () => {
    const bench = await started(await aGateway(() => streamed('x')));
    bench.actions.addLane();
    const [first = '', second = ''] = bench.current().session.laneIds;
    bench.view.setState({ scope: first });
    await bench.actions.removeLane(second);
    expect(bench.view.getState().scope).toBe(first);
  });
});

it('a lane can be added beside any other, with changes of its own', async () => {
  const bench = await started(await aGateway(() => streamed('x')));
  const [first = ''] = bench.current().session.laneIds;
  bench.actions.addLane(undefined, { model: 'last' });
  bench.actions.addLane(first, { model: 'beside' });
  const models = bench.current().session.laneIds.map((id) => bench.current().lanes[id]?.setup.model);
  expect(models).toEqual(['demo/guide', 'beside', 'last']);
});

it('an answer that was cut is asked to go on in its lane alone, by a turn of its own', async () => {
  const gateway = await aGateway(() => streamed('Half'));
  const bench = await started(gateway);
  await bench.actions.sendPrompt(spoken('Go'));
  const [left = ''] = bench.current().session.laneIds;
  bench.actions.addLane();
  await bench.actions.askToContinue(left);
  const turns = Object.values(bench.current().turns).filter(({ laneId }) => laneId === left);
  expect(turns.map(({ promptId }) => bench.current().prompts[promptId]?.messages)).toEqual([
    [{ role: 'user', content: 'Go' }],
    [{ role: 'user', content: 'Continue exactly where you stopped.' }],
  ]);
  expect(gateway.posts).toHaveLength(2);
});

describe('sessions', () => {
  it('go on answering in the background', async () => {
    const gate = aGate();
    const gateway = await aGateway(async function* () {
      yield textChunk('a');
      await gate.opened;
      yield textChunk('b') + finishChunk() + doneMark;
    });
    const bench = await started(gateway);
    const sending = bench.actions.sendPrompt(spoken('Hi'));
    await until(() => lastText(bench.current()) === 'a');
    const { id } = bench.current().session;
    await bench.actions.createSession();
    expect(bench.current().session.id).not.toBe(id);
    gate.open();
    await sending;
    await bench.actions.openSession(id);
    expect(lastText(bench.current())).toBe('ab');
    expect(lastRun(bench.current()).phase.name).toBe('complete');
  });

  it('are not made again while the one on screen is empty', async () => {
    const bench = await started(await aGateway(() => streamed('x')));
    const { id } = bench.current().session;
    await bench.actions.createSession();
    expect(bench.current().session.id).toBe(id);
  });

  it('open as the last one where none is asked for, with everything in it', async () => {
    const gateway = await aGateway(() => streamed('x'));
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('Hi'));
    await bench.saved();
    const next = await bench.another();
    next.prefs.setState({ lastSessionId: bench.current().session.id });
    await next.actions.openSession();
    expect(next.current()).toEqual(bench.current());
    expect(next.session.getState().unreadable).toEqual([]);
  });

  it.each([
    ['was lost', undefined],
    ['names one that is no longer stored', 'gone'],
  ])('open as the newest that is stored where the note of the last one %s', async (_why, lastSessionId) => {
    const gateway = await aGateway(() => streamed('x'));
    const bench = await started(gateway);
    await bench.actions.sendPrompt(spoken('Older'));
    await bench.actions.createSession();
    await bench.actions.sendPrompt(spoken('Newer'));
    await bench.saved();
    const next = await bench.another();
    next.prefs.setState({ lastSessionId });
    await next.actions.openSession();
    expect(next.current()).toEqual(bench.current());
  });

  it('are kept in memory only while they are on screen, are answering or can be taken back', async () => {
    const gate = aGate();
    const gateway = await aGateway(async function* ({ said }) {
      yield textChunk('a');
      if (said === 'Slow') await gate.opened;
      yield finishChunk() + doneMark;
    });
    const bench = await started(gateway);
    const inMemory = () => Object.keys(bench.session.getState().open);
    await bench.actions.sendPrompt(spoken('Done'));
    const done = bench.current().session.id;
    await bench.saved();
    await bench.actions.createSession();
    const slow = bench.current().session.id;
    expect(inMemory()).toEqual([slow]);
    const sending = bench.actions.sendPrompt(spoken('Slow'));
    await until(() => lastText(bench.current()) === 'a');
    await bench.actions.openSession(done);
    expect(inMemory().toSorted()).toEqual([done, slow].toSorted());
    await bench.actions.deleteTurns([laneOf(bench.current()).tip ?? '']);
    gate.open();
    await sending;
    await bench.saved();
    await bench.actions.createSession();
    await bench.actions.openSession(slow);
    expect(inMemory().toSorted()).toEqual([done, slow].toSorted());
    bench.session.getState().undo?.expire();
    await bench.saved();
    await bench.actions.createSession();
    expect(inMemory()).toEqual([bench.current().session.id]);
  });

  it('that are deleted from the history leave the one on screen alone, end what they are being answered, and go for good', async () => {
    const never = aGate();
    const gateway = await aGateway(async function* () {
      yield textChunk('a');
      await never.opened;
    });
    const bench = await started(gateway);
    const sending = bench.actions.sendPrompt(spoken('Slow'));
    await until(() => lastText(bench.current()) === 'a');
    const { id } = bench.current().session;
    await bench.actions.createSession();
    const shown = bench.current().session.id;
    await bench.actions.deleteSession(id);
    await sending;
    await until(() => gateway.posts[0]?.signal.aborted === true);
    expect(bench.current().session.id).toBe(shown);
    expect(bench.router.route.getState().route).toEqual({ screen: 'playground', sessionId: shown });
    expect(await bench.library.list()).toEqual([]);
    bench.session.getState().undo?.restore();
    expect(bench.current().session.id).toBe(shown);
    expect((await bench.library.list()).map((session) => session.id)).toEqual([id]);
    await bench.actions.deleteSession(id);
    bench.session.getState().undo?.expire();
    await until(async () => (await bench.records.session(id)) === undefined);
    expect(await bench.records.keys('runs')).toEqual([]);
    never.open();
  });
});
