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
  addTestReply,
  createTickedParams,
} from '../../testing/builders.ts';
import { addPrompt, changeTurn } from '../session/edit-session.ts';
import type { Part, Run, SessionData, ToolResult } from '../session/types.ts';
import {
  buildRequest,
  estimatePromptTokens,
  estimateTokens,
  getContentText,
  getToolCalls,
} from './request.ts';

const toUserMessage = (content: string): Message => ({ role: 'user', content });
const toAssistantMessage = (content: string): Message => ({ role: 'assistant', content });

function createCallPart(slot: number, name: string, id?: string): Part {
  return { type: 'tool-call', slot, name, arguments: `{"at":${slot}}`, ...(id === undefined ? {} : { id }) };
}

function createCallingRun(...parts: Part[]): Partial<Run> {
  return { choices: [{ parts, finishReason: 'tool_calls' }], deltas: parts.length };
}

/** Returns the request messages after a question, an answer with tool calls and their results. */
function buildMessagesAfterCalls(parts: Part[], results: ToolResult[], messages: Message[] = []): Message[] {
  const environment = createTestEnvironment();
  const firstTurn = createTestTurn(environment, 'Add', createCallingRun(...parts));
  const prompted = addPrompt(firstTurn.data, environment, { messages, results });
  const { data, turnId } = addTestReply(prompted.data, environment, prompted.promptId);
  return buildRequest(data, createTestSetup(), turnId).messages;
}

describe('request messages', () => {
  it('sends the system prompt, the path to the turn and its prompt in order', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('1'));
    const second = addTestTurn(first.data, environment, 'Two', createTextChoices('2'));
    const third = addTestTurn(second.data, environment, 'Three');
    const body = buildRequest(third.data, createTestSetup({ system: 'Be brief.' }), third.turnId);
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      toUserMessage('One'),
      toAssistantMessage('1'),
      toUserMessage('Two'),
      toAssistantMessage('2'),
      toUserMessage('Three'),
    ]);
    const asDeveloper = createTestSetup({ system: 'Be brief.', systemRole: 'developer' });
    expect(buildRequest(third.data, asDeveloper, third.turnId).messages[0]).toEqual({
      role: 'developer',
      content: 'Be brief.',
    });
    expect(buildRequest(third.data, createTestSetup(), second.turnId).messages).toEqual([
      toUserMessage('One'),
      toAssistantMessage('1'),
      toUserMessage('Two'),
    ]);
  });

  it('omits unanswered tool calls even if a later message has a result', () => {
    const environment = createTestEnvironment();
    const firstTurn = createTestTurn(environment, 'Add', createCallingRun(createCallPart(0, 'add', 'c1')));
    const secondTurn = addTestTurn(firstTurn.data, environment, 'Never mind', createTextChoices('Fine'));
    const late = addPrompt(secondTurn.data, environment, {
      messages: [{ role: 'tool', tool_call_id: 'c1', content: '3' }],
    });
    const { data, turnId } = addTestReply(late.data, environment, late.promptId);
    const { messages } = buildRequest(data, createTestSetup(), turnId);
    expect(messages.filter((message) => 'tool_calls' in message)).toEqual([]);
  });

  it('sends no system message if the system prompt is blank', () => {
    const environment = createTestEnvironment();
    const { data, turnId } = createTestTurn(environment, 'Hi');
    expect(buildRequest(data, createTestSetup({ system: ' \n' }), turnId).messages).toEqual([
      toUserMessage('Hi'),
    ]);
  });

  it('omits reasoning, and sends a refusal only if it was the whole answer', () => {
    const environment = createTestEnvironment();
    const parts: Part[] = [
      { type: 'thinking', text: 'secret', startedMs: 1, endedMs: 2, deltas: 1 },
      { type: 'text', text: 'Four' },
      { type: 'refusal', text: 'No more' },
      { type: 'text', text: '.' },
    ];
    const first = createTestTurn(environment, 'One', createCallingRun(...parts));
    const refused = addTestTurn(
      first.data,
      environment,
      'Two',
      createCallingRun({ type: 'refusal', text: 'I will not.' }),
    );
    const last = addTestTurn(refused.data, environment, 'Three');
    expect(buildRequest(last.data, createTestSetup(), last.turnId).messages).toEqual([
      toUserMessage('One'),
      toAssistantMessage('Four.'),
      toUserMessage('Two'),
      toAssistantMessage('I will not.'),
      toUserMessage('Three'),
    ]);
  });

  it('omits a failed answer without text', () => {
    const environment = createTestEnvironment();
    const failed = createTestTurn(environment, 'One', {
      phase: { name: 'failed' },
    });
    const last = addTestTurn(failed.data, environment, 'Two');
    expect(buildRequest(last.data, createTestSetup(), last.turnId).messages).toEqual([
      toUserMessage('One'),
      toUserMessage('Two'),
    ]);
  });

  it('includes the received text of a stopped answer', () => {
    const environment = createTestEnvironment();
    const stopped = createTestTurn(environment, 'One', {
      ...createTextChoices('Half'),
      phase: { name: 'stopped' },
    });
    const last = addTestTurn(stopped.data, environment, 'Go on');
    expect(buildRequest(last.data, createTestSetup(), last.turnId).messages).toEqual([
      toUserMessage('One'),
      toAssistantMessage('Half'),
      toUserMessage('Go on'),
    ]);
  });

  it('continues from the candidate that was shown when the turn was added', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('left', 'right'));
    const chosen = changeTurn(first.data, first.turnId, (turn) => ({ ...turn, shownChoice: 1 }));
    const second = addTestTurn(chosen, environment, 'Two');
    const shownAgain = changeTurn(second.data, first.turnId, (turn) => ({ ...turn, shownChoice: 0 }));
    expect(buildRequest(shownAgain, createTestSetup(), second.turnId).messages).toEqual([
      toUserMessage('One'),
      toAssistantMessage('right'),
      toUserMessage('Two'),
    ]);
  });

  it('includes an answer written by hand', () => {
    const environment = createTestEnvironment();
    const first = createTestTurn(environment, 'One', createTextChoices('1'));
    const withManualReply = changeTurn(first.data, first.turnId, (turn) => ({
      ...turn,
      reply: { kind: 'written', message: toAssistantMessage('mine') },
    }));
    const second = addTestTurn(withManualReply, environment, 'Two');
    expect(buildRequest(second.data, createTestSetup(), second.turnId).messages).toEqual([
      toUserMessage('One'),
      toAssistantMessage('mine'),
      toUserMessage('Two'),
    ]);
  });

  it('keeps content parts and names unchanged', () => {
    const environment = createTestEnvironment();
    const message: Message = {
      role: 'user',
      name: 'ada',
      content: [
        { type: 'text', text: 'What is this' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
      ],
    };
    const prompted = addPrompt(createTestSession(environment), environment, { messages: [message] });
    const { data, turnId } = addTestReply(prompted.data, environment, prompted.promptId);
    expect(buildRequest(data, createTestSetup(), turnId).messages).toEqual([message]);
  });
});

describe('tool results in a request', () => {
  const createResult = (name: string, ordinal: number, content: string): ToolResult => ({
    call: { name, ordinal },
    content,
  });
  const createSentCall = (id: string, slot: number, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: `{"at":${slot}}` },
  });

  it('matches results to calls by name and order and sends both', () => {
    const parts = [
      createCallPart(0, 'add', 'c0'),
      createCallPart(1, 'sub', 'c1'),
      createCallPart(2, 'add', 'c2'),
    ];
    const results = [
      createResult('add', 1, 'second'),
      createResult('sub', 0, 'other'),
      createResult('add', 0, 'first'),
    ];
    expect(buildMessagesAfterCalls(parts, results)).toEqual([
      toUserMessage('Add'),
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          createSentCall('c0', 0, 'add'),
          createSentCall('c1', 1, 'sub'),
          createSentCall('c2', 2, 'add'),
        ],
      },
      { role: 'tool', tool_call_id: 'c0', content: 'first', name: 'add' },
      { role: 'tool', tool_call_id: 'c1', content: 'other', name: 'sub' },
      { role: 'tool', tool_call_id: 'c2', content: 'second', name: 'add' },
    ]);
  });

  it('puts results before the next prompt and keeps the text next to the calls', () => {
    const messages = buildMessagesAfterCalls(
      [{ type: 'text', text: 'Wait.' }, createCallPart(0, 'add', 'c0')],
      [createResult('add', 0, '3')],
      [toUserMessage('Go on')],
    );
    expect(messages).toEqual([
      toUserMessage('Add'),
      { role: 'assistant', content: 'Wait.', tool_calls: [createSentCall('c0', 0, 'add')] },
      { role: 'tool', tool_call_id: 'c0', content: '3', name: 'add' },
      toUserMessage('Go on'),
    ]);
  });

  it('omits calls without a result, because providers reject them', () => {
    const messages = buildMessagesAfterCalls(
      [createCallPart(0, 'add', 'c0'), createCallPart(1, 'add', 'c1')],
      [createResult('add', 1, 'only the second')],
    );
    expect(messages).toEqual([
      toUserMessage('Add'),
      { role: 'assistant', content: '', tool_calls: [createSentCall('c1', 1, 'add')] },
      { role: 'tool', tool_call_id: 'c1', content: 'only the second', name: 'add' },
    ]);
  });

  it('omits all calls if no result matches', () => {
    expect(
      buildMessagesAfterCalls([createCallPart(0, 'add', 'c0')], [], [toUserMessage('Never mind')]),
    ).toEqual([toUserMessage('Add'), toUserMessage('Never mind')]);
    expect(
      buildMessagesAfterCalls(
        [createCallPart(0, 'add', 'c0')],
        [createResult('sub', 0, '1')],
        [toUserMessage('x')],
      ),
    ).toEqual([toUserMessage('Add'), toUserMessage('x')]);
  });

  it('generates matching IDs for calls and results if the calls have none', () => {
    const messages = buildMessagesAfterCalls(
      [createCallPart(0, 'add'), createCallPart(1, 'add')],
      [createResult('add', 0, 'a'), createResult('add', 1, 'b')],
    );
    const [, reply, ...tools] = messages;
    const ids = reply?.role === 'assistant' ? (reply.tool_calls ?? []).map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(2);
    expect(tools.map((tool) => (tool.role === 'tool' ? tool.tool_call_id : ''))).toEqual(ids);
  });

  it('returns the tool calls of one candidate', () => {
    const environment = createTestEnvironment();
    const { data, turnId, runId } = createTestTurn(environment, 'x', {
      choices: [{ parts: [createCallPart(0, 'add', 'c0')] }, { parts: [{ type: 'text', text: 'no call' }] }],
    });
    const [turn, run] = [data.turns[turnId], data.runs[runId]];
    if (!turn || !run) throw new Error('The turn is missing');
    expect(getToolCalls(turn, run, 0)).toHaveLength(1);
    expect(getToolCalls(turn, run, 1)).toEqual([]);
    expect(getToolCalls(turn, run, 7)).toEqual([]);
  });
});

describe('request body', () => {
  const buildBody = (data: SessionData, turnId: string, params: Parameters<typeof createTickedParams>[0]) =>
    buildRequest(data, createTestSetup({ model: 'north/one', params: createTickedParams(params) }), turnId);

  it('builds a body with the model, the messages and the fields that are set', () => {
    const environment = createTestEnvironment();
    const { data, turnId } = createTestTurn(environment, 'Hi');
    expect(buildBody(data, turnId, { temperature: '0.5', stream: 'true' })).toEqual({
      model: 'north/one',
      messages: [toUserMessage('Hi')],
      temperature: 0.5,
      stream: true,
    });
  });

  it("uses the given setup instead of the lane's", () => {
    const environment = createTestEnvironment();
    const { data, turnId } = addTestTurn(
      createTestSession(environment, [createTestSetup({ system: 'of the lane' })]),
      environment,
      'Hi',
    );
    expect(getFirstLane(data).setup.system).toBe('of the lane');
    expect(buildBody(data, turnId, {}).messages).toEqual([toUserMessage('Hi')]);
  });
});

describe('token estimate', () => {
  it('estimates one token per four characters and counts only the text of messages', () => {
    expect([estimateTokens(''), estimateTokens('abc'), estimateTokens('abcde')]).toEqual([0, 1, 2]);
    const imageMessage: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'abcd' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}` } },
      ],
    };
    expect(estimatePromptTokens({ model: 'm', messages: [toUserMessage('abcde'), imageMessage] })).toBe(3);
    expect(getContentText(null)).toBe('');
  });
});
