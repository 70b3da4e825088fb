import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { getAnswerText } from '../../conversation/reply/run.ts';
import { getLanePath } from '../../conversation/session/turn-tree.ts';
import type { SessionData, Turn } from '../../conversation/session/types.ts';
import { createBench } from '../../testing/bench.ts';
import {
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  createUserPrompt,
  formatTextChunk,
} from '../../testing/builders.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let answerCount = 0;

async function* streamNextAnswer(): AsyncGenerator<string> {
  answerCount += 1;
  yield formatTextChunk(`answer ${answerCount}`) + formatFinishChunk() + doneEvent;
}

beforeEach(async () => {
  answerCount = 0;
  server = await startTestServer(async (request) => {
    await request.text();
    return createStreamResponse(streamNextAnswer());
  });
});
afterEach(async () => {
  await server.close();
});

async function createStartedBench(lanes = 1) {
  const bench = await createBench({ url: server.url });
  await bench.actions.createSession();
  for (let count = 1; count < lanes; count += 1) bench.actions.addLane();
  return bench;
}

/** Returns the visible turns of each lane. */
function getVisibleTurns(data: SessionData): (readonly Turn[])[] {
  return data.session.laneIds.map((laneId) => {
    const lane = data.lanes[laneId];
    return lane ? getLanePath(data, lane) : [];
  });
}

function getPromptContents(data: SessionData): unknown[][] {
  return getVisibleTurns(data).map((turns) =>
    turns.map((turn) => data.prompts[turn.promptId]?.messages[0]?.content),
  );
}

function getLastIds(data: SessionData): string[] {
  return getVisibleTurns(data).flatMap((turns) => turns.at(-1)?.id ?? []);
}

describe('a prompt shared by lanes', () => {
  it('steps through prompt versions in all lanes, and skips lanes without a version', async () => {
    const bench = await createStartedBench(2);
    await bench.actions.sendPrompt(createUserPrompt('Said'));
    const [first = '', second = ''] = getLastIds(bench.getOpenSession());
    await bench.actions.editPrompt([first, second], createUserPrompt('Both').messages, false);
    bench.actions.stepPrompt(getLastIds(bench.getOpenSession()), -1);
    expect(getPromptContents(bench.getOpenSession())).toEqual([['Said'], ['Said']]);
    await bench.actions.editPrompt([second], createUserPrompt('Only B').messages, false);
    bench.actions.stepPrompt([first], 1);
    expect(getPromptContents(bench.getOpenSession())).toEqual([['Both'], ['Only B']]);
    bench.actions.stepPrompt(getLastIds(bench.getOpenSession()).slice(1), -2);
    expect(getPromptContents(bench.getOpenSession())).toEqual([['Both'], ['Said']]);
  });
});

it('deletes an unanswered prompt as one message', async () => {
  const bench = await createStartedBench(1);
  bench.messages.addMessage({ role: 'user', content: 'Unanswered' }, bench.getOpenSession().session.laneIds);
  const [turn] = Object.values(bench.getOpenSession().turns);
  await bench.actions.deletePrompt(turn ? [turn.id] : []);
  expect(bench.session.getState().undo?.text).toBe('Deleted 1 message.');
});

describe('branching', () => {
  it('keeps the answer when branching at the answer, and omits it when branching at the prompt', async () => {
    const bench = await createStartedBench();
    await bench.actions.sendPrompt(createUserPrompt('One'));
    await bench.actions.sendPrompt(createUserPrompt('Two'));
    const [first = ''] = getVisibleTurns(bench.getOpenSession())[0]?.map((turn) => turn.id) ?? [];
    bench.actions.branchToLane(first);
    bench.actions.branchToLane(first, 'prompt');
    const lanes = getVisibleTurns(bench.getOpenSession());
    expect(getPromptContents(bench.getOpenSession())).toEqual([['One', 'Two'], ['One'], ['One']]);
    // Each new lane is next to its source lane.
    expect(lanes.map((turns) => turns.at(-1)?.reply !== undefined)).toEqual([true, false, true]);
    expect(bench.getOpenSession().turns[first]?.reply).toBeDefined();
  });

  it('branches into a new session with the path and its answers, or without the last answer', async () => {
    const bench = await createStartedBench();
    await bench.actions.sendPrompt(createUserPrompt('One'));
    await bench.actions.sendPrompt(createUserPrompt('Two'));
    const [, second = ''] = getVisibleTurns(bench.getOpenSession())[0]?.map((turn) => turn.id) ?? [];
    const answeredBranch = await bench.library.load((await bench.actions.branchToSession(second)) ?? '');
    const unansweredBranch = await bench.library.load(
      (await bench.actions.branchToSession(second, 'prompt')) ?? '',
    );
    const getTexts = (data: SessionData | undefined) =>
      Object.values(data?.runs ?? {})
        .map((run) => getAnswerText(run.choices[0]))
        .toSorted();
    expect(getTexts(answeredBranch?.data)).toEqual(['answer 1', 'answer 2']);
    expect(getTexts(unansweredBranch?.data)).toEqual(['answer 1']);
    expect(unansweredBranch && getPromptContents(unansweredBranch.data)).toEqual([['One', 'Two']]);
  });
});

describe('manual edits of a conversation', () => {
  it('stores an added message with the current time and lists its session in the history', async () => {
    const bench = await createStartedBench();
    bench.messages.addMessage(
      { role: 'user', content: 'Kept', name: 'ada' },
      bench.getOpenSession().session.laneIds,
    );
    await bench.recorder.flush();
    const [listed] = await bench.library.list();
    expect(listed).toMatchObject({
      id: bench.getOpenSession().session.id,
      title: 'Kept',
      summary: { prompts: 1 },
    });
    expect(bench.endedRuns).toEqual([]);
  });

  it('stores a variable in its session and removes it when empty', async () => {
    const bench = await createStartedBench();
    bench.messages.setVariable('city', 'Ulm');
    bench.messages.setVariable('__proto__', 'x');
    expect(Object.entries(bench.getOpenSession().session.variables ?? {})).toEqual([
      ['city', 'Ulm'],
      ['__proto__', 'x'],
    ]);
    bench.messages.setVariable('city', '');
    expect(Object.keys(bench.getOpenSession().session.variables ?? {})).toEqual(['__proto__']);
  });
});
