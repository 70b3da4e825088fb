import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import {
  anEnvironment,
  answered,
  aSession,
  aSetup,
  laneOf,
  say,
  sayPrompt,
  ticked,
} from '../../testing/builders.ts';
import { addPrompt, changeTurn } from '../session/edit-session.ts';
import type { Part, Run, SessionData, ToolResult } from '../session/types.ts';
import { buildRequest, estimatePromptTokens, estimateTokens, textOfContent, toolCallsOf } from './request.ts';

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

function call(slot: number, name: string, id?: string): Part {
  return { type: 'tool-call', slot, name, arguments: `{"at":${slot}}`, ...(id === undefined ? {} : { id }) };
}

function calling(...parts: Part[]): Partial<Run> {
  return { choices: [{ parts, finishReason: 'tool_calls' }], deltas: parts.length };
}

/** A question, an answer with these calls, and what was sent back; the messages of the request that follows. */
function messagesAfterCalls(parts: Part[], results: ToolResult[], messages: Message[] = []): Message[] {
  const environment = anEnvironment();
  const asked = say(aSession(environment), environment, 'Add', calling(...parts));
  const prompted = addPrompt(asked.data, environment, { messages, results });
  const { data, turnId } = sayPrompt(prompted.data, environment, prompted.promptId);
  return buildRequest(data, aSetup(), turnId).messages;
}

describe('the messages of a request', () => {
  it('are the system prompt, the path to this turn and its prompt, in order', () => {
    const environment = anEnvironment();
    const first = say(aSession(environment), environment, 'One', answered('1'));
    const second = say(first.data, environment, 'Two', answered('2'));
    const third = say(second.data, environment, 'Three');
    const body = buildRequest(third.data, aSetup({ system: 'Be brief.' }), third.turnId);
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      user('One'),
      assistant('1'),
      user('Two'),
      assistant('2'),
      user('Three'),
    ]);
    const asDeveloper = aSetup({ system: 'Be brief.', systemRole: 'developer' });
    expect(buildRequest(third.data, asDeveloper, third.turnId).messages[0]).toEqual({
      role: 'developer',
      content: 'Be brief.',
    });
    expect(buildRequest(third.data, aSetup(), second.turnId).messages).toEqual([
      user('One'),
      assistant('1'),
      user('Two'),
    ]);
  });

  it('leave out calls that the person went past, whatever answers them later', () => {
    const environment = anEnvironment();
    const asked = say(aSession(environment), environment, 'Add', calling(call(0, 'add', 'c1')));
    const passed = say(asked.data, environment, 'Never mind', answered('Fine'));
    const late = addPrompt(passed.data, environment, {
      messages: [{ role: 'tool', tool_call_id: 'c1', content: '3' }],
    });
    const { data, turnId } = sayPrompt(late.data, environment, late.promptId);
    const { messages } = buildRequest(data, aSetup(), turnId);
    expect(messages.filter((message) => 'tool_calls' in message)).toEqual([]);
  });

  it('have no system message where its text is blank', () => {
    const environment = anEnvironment();
    const { data, turnId } = say(aSession(environment), environment, 'Hi');
    expect(buildRequest(data, aSetup({ system: ' \n' }), turnId).messages).toEqual([user('Hi')]);
  });

  it('never hold reasoning, and a refusal only where it was the answer', () => {
    const environment = anEnvironment();
    const parts: Part[] = [
      { type: 'thinking', text: 'secret', startedMs: 1, endedMs: 2, deltas: 1 },
      { type: 'text', text: 'Four' },
      { type: 'refusal', text: 'No more' },
      { type: 'text', text: '.' },
    ];
    const first = say(aSession(environment), environment, 'One', calling(...parts));
    const refused = say(first.data, environment, 'Two', calling({ type: 'refusal', text: 'I will not.' }));
    const last = say(refused.data, environment, 'Three');
    expect(buildRequest(last.data, aSetup(), last.turnId).messages).toEqual([
      user('One'),
      assistant('Four.'),
      user('Two'),
      assistant('I will not.'),
      user('Three'),
    ]);
  });

  it('leave out an answer that never said anything', () => {
    const environment = anEnvironment();
    const failed = say(aSession(environment), environment, 'One', { phase: { name: 'failed' } });
    const last = say(failed.data, environment, 'Two');
    expect(buildRequest(last.data, aSetup(), last.turnId).messages).toEqual([user('One'), user('Two')]);
  });

  it('hold what had arrived of an answer that was stopped', () => {
    const environment = anEnvironment();
    const stopped = say(aSession(environment), environment, 'One', {
      ...answered('Half'),
      phase: { name: 'stopped' },
    });
    const last = say(stopped.data, environment, 'Go on');
    expect(buildRequest(last.data, aSetup(), last.turnId).messages).toEqual([
      user('One'),
      assistant('Half'),
      user('Go on'),
    ]);
  });

  it('go on from the candidate that was shown', () => {
    const environment = anEnvironment();
    const first = say(aSession(environment), environment, 'One', answered('left', 'right'));
    const chosen = changeTurn(first.data, first.turnId, (turn) => ({ ...turn, shownChoice: 1 }));
    const second = say(chosen, environment, 'Two');
    const shownAgain = changeTurn(second.data, first.turnId, (turn) => ({ ...turn, shownChoice: 0 }));
    expect(buildRequest(shownAgain, aSetup(), second.turnId).messages).toEqual([
      user('One'),
      assistant('right'),
      user('Two'),
    ]);
  });

  it('hold an answer that was written by hand', () => {
    const environment = anEnvironment();
    const first = say(aSession(environment), environment, 'One', answered('1'));
    const written = changeTurn(first.data, first.turnId, (turn) => ({
      ...turn,
      reply: { kind: 'written', message: assistant('mine') },
    }));
    const second = say(written, environment, 'Two');
    expect(buildRequest(second.data, aSetup(), second.turnId).messages).toEqual([
      user('One'),
      assistant('mine'),
      user('Two'),
    ]);
  });

  it('keep content parts and names as they are', () => {
    const environment = anEnvironment();
    const message: Message = {
      role: 'user',
      name: 'ada',
      content: [
        { type: 'text', text: 'What is this' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
      ],
    };
    const prompted = addPrompt(aSession(environment), environment, { messages: [message] });
    const { data, turnId } = sayPrompt(prompted.data, environment, prompted.promptId);
    expect(buildRequest(data, aSetup(), turnId).messages).toEqual([message]);
  });
});

describe('results of tools', () => {
  const result = (name: string, ordinal: number, content: string): ToolResult => ({
    call: { name, ordinal },
    content,
  });
  const sentCall = (id: string, slot: number, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: `{"at":${slot}}` },
  });

  it('answer the calls by name and order, and go along with the calls', () => {
    const parts = [call(0, 'add', 'c0'), call(1, 'sub', 'c1'), call(2, 'add', 'c2')];
    const results = [result('add', 1, 'second'), result('sub', 0, 'other'), result('add', 0, 'first')];
    expect(messagesAfterCalls(parts, results)).toEqual([
      user('Add'),
      {
        role: 'assistant',
        content: '',
        tool_calls: [sentCall('c0', 0, 'add'), sentCall('c1', 1, 'sub'), sentCall('c2', 2, 'add')],
      },
      { role: 'tool', tool_call_id: 'c0', content: 'first', name: 'add' },
      { role: 'tool', tool_call_id: 'c1', content: 'other', name: 'sub' },
      { role: 'tool', tool_call_id: 'c2', content: 'second', name: 'add' },
    ]);
  });

  it('stand before what is said with them, and the text beside the calls stays', () => {
    const messages = messagesAfterCalls(
      [{ type: 'text', text: 'Wait.' }, call(0, 'add', 'c0')],
      [result('add', 0, '3')],
      [user('Go on')],
    );
    expect(messages).toEqual([
      user('Add'),
      { role: 'assistant', content: 'Wait.', tool_calls: [sentCall('c0', 0, 'add')] },
      { role: 'tool', tool_call_id: 'c0', content: '3', name: 'add' },
      user('Go on'),
    ]);
  });

  it('leave out the calls that have none: providers refuse a call without its result', () => {
    const messages = messagesAfterCalls(
      [call(0, 'add', 'c0'), call(1, 'add', 'c1')],
      [result('add', 1, 'only the second')],
    );
    expect(messages).toEqual([
      user('Add'),
      { role: 'assistant', content: '', tool_calls: [sentCall('c1', 1, 'add')] },
      { role: 'tool', tool_call_id: 'c1', content: 'only the second', name: 'add' },
    ]);
  });

  it('leave out all calls when something else is said instead, or the names are others', () => {
    expect(messagesAfterCalls([call(0, 'add', 'c0')], [], [user('Never mind')])).toEqual([
      user('Add'),
      user('Never mind'),
    ]);
    expect(messagesAfterCalls([call(0, 'add', 'c0')], [result('sub', 0, '1')], [user('x')])).toEqual([
      user('Add'),
      user('x'),
    ]);
  });

  it('get ids where the calls came without, the same on both sides', () => {
    const messages = messagesAfterCalls(
      [call(0, 'add'), call(1, 'add')],
      [result('add', 0, 'a'), result('add', 1, 'b')],
    );
    const [, reply, ...tools] = messages;
    const ids = reply?.role === 'assistant' ? (reply.tool_calls ?? []).map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(2);
    expect(tools.map((tool) => (tool.role === 'tool' ? tool.tool_call_id : ''))).toEqual(ids);
  });

  it('are listed for one candidate', () => {
    const environment = anEnvironment();
    const { data, turnId, runId } = say(aSession(environment), environment, 'x', {
      choices: [{ parts: [call(0, 'add', 'c0')] }, { parts: [{ type: 'text', text: 'no call' }] }],
    });
    const [turn, run] = [data.turns[turnId], data.runs[runId]];
    if (!turn || !run) throw new Error('There is no turn');
    expect(toolCallsOf(turn, run, 0)).toHaveLength(1);
    expect(toolCallsOf(turn, run, 1)).toEqual([]);
    expect(toolCallsOf(turn, run, 7)).toEqual([]);
  });
});

describe('the body', () => {
  const built = (data: SessionData, turnId: string, params: Parameters<typeof ticked>[0]) =>
    buildRequest(data, aSetup({ model: 'north/one', params: ticked(params) }), turnId);

  it('is the model, the messages and the fields that are set', () => {
    const environment = anEnvironment();
    const { data, turnId } = say(aSession(environment), environment, 'Hi');
    expect(built(data, turnId, { temperature: '0.5', stream: 'true' })).toEqual({
      model: 'north/one',
      messages: [user('Hi')],
      temperature: 0.5,
      stream: true,
    });
  });

  it('takes its setup from what is given, not from the lane', () => {
    const environment = anEnvironment();
    const { data, turnId } = say(
      aSession(environment, [aSetup({ system: 'of the lane' })]),
      environment,
      'Hi',
    );
    expect(laneOf(data).setup.system).toBe('of the lane');
    expect(built(data, turnId, {}).messages).toEqual([user('Hi')]);
  });
});

describe('rough counts', () => {
  it('take about four characters for a token, and only the text of a message', () => {
    expect([estimateTokens(''), estimateTokens('abc'), estimateTokens('abcde')]).toEqual([0, 1, 2]);
    const image: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'abcd' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}` } },
      ],
    };
    expect(estimatePromptTokens({ model: 'm', messages: [user('abcde'), image] })).toBe(3);
    expect(textOfContent(null)).toBe('');
  });
});
