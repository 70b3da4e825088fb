import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { anEnvironment, answered, aSession, aSetup, laneOf, say } from '../../testing/builders.ts';
import { duplicateLane } from '../session/lanes.ts';
import { answerVersions, pathOf } from '../session/turn-tree.ts';
import type { SessionData } from '../session/types.ts';
import { addMessage, writeReply } from './manual-messages.ts';
import { buildRequest } from './request.ts';

function bodyOf(data: SessionData): Message[] {
  const lane = laneOf(data);
  return buildRequest(data, lane.setup, lane.tip).messages;
}

describe('an answer written by hand', () => {
  it('is a version beside the answer of the model, and goes on in the history', () => {
    const environment = anEnvironment();
    const said = say(aSession(environment), environment, 'Question', answered('From the model'));
    const data = writeReply(said.data, environment, said.turnId, {
      role: 'assistant',
      content: 'By hand',
      name: 'ada',
    });
    const turn = data.turns[laneOf(data).tip ?? ''];
    expect(Object.keys(data.prompts)).toEqual(Object.keys(said.data.prompts));
    expect(turn && answerVersions(data, turn).map(({ reply }) => reply)).toEqual([
      { kind: 'run', runId: said.runId },
      { kind: 'written', message: { role: 'assistant', content: 'By hand', name: 'ada' } },
    ]);
    expect(bodyOf(say(data, environment, 'And then?').data)).toEqual([
      { role: 'user', content: 'Question' },
      { role: 'assistant', content: 'By hand', name: 'ada' },
      { role: 'user', content: 'And then?' },
    ]);
  });
});

describe('messages of any role, put down without being sent', () => {
  it('are prompts where the last one was an answer that waits to be run, too', () => {
    const environment = anEnvironment();
    const data = aSession(environment);
    const laneIds = data.session.laneIds;
    const first = addMessage(data, environment, laneIds, { role: 'assistant', content: 'Beginning' });
    const second = addMessage(first, environment, laneIds, { role: 'assistant', content: 'More' });
    expect(Object.values(second.prompts).map(({ messages }) => messages[0]?.content)).toEqual([
      'Beginning',
      'More',
    ]);
    expect(Object.values(second.turns).map(({ reply }) => reply)).toEqual([undefined, undefined]);
  });

  it('make the conversation that the next request carries, in their order', () => {
    const environment = anEnvironment();
    const start = aSession(environment, [aSetup({ system: 'First.' })]);
    const laneIds = start.session.laneIds;
    const call = (id: string, at: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'look', arguments: at },
    });
    const messages: Message[] = [
      { role: 'user', content: 'Look twice', name: 'ada' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('call_1', '{"at":1}'), call('call_2', '{"at":2}')],
      },
      { role: 'tool', content: 'one', tool_call_id: 'call_1', name: 'look' },
      { role: 'tool', content: 'two', tool_call_id: 'call_2', name: 'look' },
      { role: 'assistant', content: 'Seen' },
      { role: 'assistant', content: 'Twice' },
      { role: 'system', content: 'Now be brief.' },
      { role: 'user', content: 'Well?' },
    ];
    const data = messages.reduce((next, message) => addMessage(next, environment, laneIds, message), start);
    const sent = messages.map((message) => ({ ...message, content: message.content ?? '' }));
    expect(bodyOf(data)).toEqual([{ role: 'system', content: 'First.' }, ...sent]);
    expect(Object.keys(data.runs)).toEqual([]);
  });

  it('a call that no tool message answers is left out of the request', () => {
    const environment = anEnvironment();
    const start = aSession(environment);
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
    expect(bodyOf(data)[1]).toEqual({ role: 'assistant', content: 'I will' });
  });

  it('one prompt for all lanes; what the assistant says answers only in lanes where an answer is missing', () => {
    const environment = anEnvironment();
    const said = say(aSession(environment), environment, 'Question', answered('Answer'));
    const two = duplicateLane(said.data, environment, said.data.session.laneIds[0] ?? '');
    const [first = '', second = ''] = two.session.laneIds;
    const open = addMessage(two, environment, [second], { role: 'user', content: 'Only here' });
    const data = addMessage(open, environment, [first, second], { role: 'assistant', content: 'By hand' });
    const endOf = (laneId: string) => {
      const lane = data.lanes[laneId];
      const turn = lane && pathOf(data, lane).at(-1);
      return { said: data.prompts[turn?.promptId ?? '']?.messages[0]?.content, reply: turn?.reply };
    };
    expect(endOf(first)).toEqual({ said: 'By hand', reply: undefined });
    expect(endOf(second)).toEqual({
      said: 'Only here',
      reply: { kind: 'written', message: { role: 'assistant', content: 'By hand' } },
    });
  });
});
