import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { toMessageFields, parseMessageFields, type MessageFields } from './message-fields.ts';
import { toImagePart } from './message-images.ts';

const emptyFields: MessageFields = {
  role: 'user',
  text: '',
  files: [],
  images: [],
  name: '',
  toolCallId: '',
  toolCalls: '',
};
const calls = [
  { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{"at":1}' } },
];

describe('message fields', () => {
  const messages: Message[] = [
    { role: 'user', content: 'Hi', name: 'ada' },
    {
      role: 'user',
      content: [{ type: 'text', text: 'See' }, toImagePart({ url: 'https://x/a.png', detail: 'odd' })],
    },
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: 'Yes', name: 'bot' },
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', content: '', tool_call_id: 'call_1', name: 'look' },
  ];
  it('restores messages after a round trip through fields', () => {
    expect(messages.map((message) => parseMessageFields(toMessageFields(message)))).toEqual(
      messages.map((message) => ({ ok: true, message })),
    );
  });
});

describe('invalid message fields', () => {
  it.each([
    ['any content', {}, /Write a message first/],
    ['content other than white space', { role: 'assistant' as const, text: ' \n' }, /Write a message first/],
    ['the call ID of a tool result', { role: 'tool' as const, text: 'found' }, /tool_call_id/],
    ['tool calls in the form of JSON', { role: 'assistant' as const, toolCalls: '{' }, /JSON array/],
    ['the function of a tool call', { role: 'assistant' as const, toolCalls: '[{"id":"a"}]' }, /JSON array/],
  ])('reports the problem in invalid message fields: %s', (_name, part, problem) => {
    const result = parseMessageFields({ ...emptyFields, ...part });
    expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(problem) as unknown });
  });

  it('ignores a blank name', () => {
    expect(parseMessageFields({ ...emptyFields, text: 'Hi', name: '  ' })).toEqual({
      ok: true,
      message: { role: 'user', content: 'Hi' },
    });
  });
});
