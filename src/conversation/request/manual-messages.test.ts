import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  createTestTurn,
  createTestSetup,
  getFirstLane,
  addTestTurn,
} from '../../testing/builders.ts';
import { duplicateLane } from '../session/lanes.ts';
import { getAnswerVersions, getLanePath } from '../session/turn-tree.ts';
import type { SessionData } from '../session/types.ts';
import { addMessage, addManualReply } from './manual-messages.ts';
import { buildRequest } from './request.ts';

function buildLaneMessages(data: SessionData): Message[] {
  const lane = getFirstLane(data);
  return buildRequest(data, lane.setup, lane.tip).messages;
}

describe('manual reply', () => {
  it('adds a manual reply as a version of the answer and uses it in the history', () => {
    const environment = createTestEnvironment();
    const firstTurn = createTestTurn(environment, 'Question', createTextChoices('From the model'));
    const data = addManualReply(firstTurn.data, environment, firstTurn.turnId, {
      role: 'assistant',
      content: 'By hand',
      name: 'ada',
    });
    const turn = data.turns[getFirstLane(data).tip ?? ''];
    expect(Object.keys(data.prompts)).toEqual(Object.keys(firstTurn.data.prompts));
    expect(turn && getAnswerVersions(data, turn).map(({ reply }) => reply)).toEqual([
      { kind: 'run', runId: firstTurn.runId },
      { kind: 'written', message: { role: 'assistant', content: 'By hand', name: 'ada' } },
    ]);
    expect(buildLaneMessages(addTestTurn(data, environment, 'And then?').data)).toEqual([
      { role: 'user', content: 'Question' },
      { role: 'assistant', content: 'By hand', name: 'ada' },
      { role: 'user', content: 'And then?' },
    ]);
  });
});

describe('unsent messages of any role', () => {
  it('adds consecutive assistant messages as prompts without replies', () => {
    const environment = createTestEnvironment();
    const data = createTestSession(environment);
    const laneIds = data.session.laneIds;
    const first = addMessage(data, environment, laneIds, { role: 'assistant', content: 'Beginning' });
    const second = addMessage(first, environment, laneIds, { role: 'assistant', content: 'More' });
    expect(Object.values(second.prompts).map(({ messages }) => messages[0]?.content)).toEqual([
      'Beginning',
      'More',
    ]);
    expect(Object.values(second.turns).map(({ reply }) => reply)).toEqual([undefined, undefined]);
  });

  it('sends the added messages in order with the next request', () => {
    const environment = createTestEnvironment();
    const start = createTestSession(environment, [createTestSetup({ system: 'First.' })]);
    const laneIds = start.session.laneIds;
    const createCall = (id: string, args: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'look', arguments: args },
    });
    const messages: Message[] = [
      { role: 'user', content: 'Look twice', name: 'ada' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [createCall('call_1', '{"at":1}'), createCall('call_2', '{"at":2}')],
      },
      { role: 'tool', content: 'one', tool_call_id: 'call_1', name: 'look' },
      { role: 'tool', content: 'two', tool_call_id: 'call_2', name: 'look' },
      { role: 'assistant', content: 'Seen' },
      { role: 'assistant', content: 'Twice' },
      { role: 'system', content: 'Now be brief.' },
      { role: 'user', content: 'Well?' },
    ];
    const data = messages.reduce((next, message) => addMessage(next, environment, laneIds, message), start);
    const sentMessages = messages.map((message) => ({ ...message, content: message.content ?? '' }));
    expect(buildLaneMessages(data)).toEqual([{ role: 'system', content: 'First.' }, ...sentMessages]);
    expect(Object.keys(data.runs)).toEqual([]);
  });

  it('omits a tool call without a result from the request', () => {
    const environment = createTestEnvironment();
    const start = createTestSession(environment);
    const laneIds = start.session.laneIds;
    const tool_calls = [
      { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } },
    ];
    const messages: Message[] = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: 'I will', tool_calls },
      { role: 'user', content: 'Never mind' },
    ];
    const data = messages.reduce((next, message) => addMessage(next, environment, laneIds, message), start);
    expect(buildLaneMessages(data)[1]).toEqual({ role: 'assistant', content: 'I will' });
  });

  it('adds one prompt for all lanes, and an assistant message as the reply in lanes without one', () => {
    const environment = createTestEnvironment();
    const firstTurn = createTestTurn(environment, 'Question', createTextChoices('Answer'));
    const twoLanes = duplicateLane(firstTurn.data, environment, firstTurn.data.session.laneIds[0] ?? '');
    const [first = '', second = ''] = twoLanes.session.laneIds;
    const open = addMessage(twoLanes, environment, [second], { role: 'user', content: 'Only here' });
    const data = addMessage(open, environment, [first, second], { role: 'assistant', content: 'By hand' });
    const describeLaneEnd = (laneId: string) => {
      const lane = data.lanes[laneId];
      const turn = lane && getLanePath(data, lane).at(-1);
      return { promptText: data.prompts[turn?.promptId ?? '']?.messages[0]?.content, reply: turn?.reply };
    };
    expect(describeLaneEnd(first)).toEqual({ promptText: 'By hand', reply: undefined });
    expect(describeLaneEnd(second)).toEqual({
      promptText: 'Only here',
      reply: { kind: 'written', message: { role: 'assistant', content: 'By hand' } },
    });
  });
});
