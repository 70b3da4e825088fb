import { expect, it } from 'vitest';

import { classifyFinishReason, describeFailure } from './finish-reason.ts';

it.each([
  'SAFETY',
  'content_filter: hate',
  'RECITATION',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
  'BLOCKLIST',
  'guardrail_intervened',
  'contentFilter',
  'moderation-block',
  'refusal',
  'ERROR_TOXIC',
  'policy_violation',
])('classifies %s as blocked by a filter', (reason) => {
  expect(classifyFinishReason(reason)).toBe('blocked');
});

it.each([
  ['insufficient_system_resource', 'ran out of capacity'],
  ['NETWORK_ERROR', 'lost its connection'],
  ['network-error', 'lost its connection'],
  ['error', 'failed while generating the answer'],
  ['Abort', 'aborted the answer'],
  ['USER_CANCEL', 'aborted the answer'],
  ['model_context_window_exceeded', 'exceeds the context window'],
  ['contextLengthExceeded', 'exceeds the context window'],
  ['rate_limit_exceeded', 'reached a limit'],
  ['timed out', 'timed out'],
  ['MALFORMED_FUNCTION_CALL', "could not use the model's tool call"],
  ['UNEXPECTED_TOOL_CALL', "could not use the model's tool call"],
  ['engine_overloaded', 'ran out of capacity'],
  ['internal_failure', 'failed while generating the answer'],
])('classifies %s as a failure: %s', (reason, title) => {
  expect(classifyFinishReason(reason)).toBe('failed');
  expect(describeFailure(reason).title).toContain(title);
});

it.each([
  'eos_token',
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'function_call',
  'no_error',
  'x',
])('classifies %s as neither blocked nor failed', (reason) => {
  expect(classifyFinishReason(reason)).toBe('other');
});

it('reads the specified finish reasons in any letter case', () => {
  expect(['stop', 'STOP', 'Length', 'tool_calls'].map(classifyFinishReason)).toEqual([
    'stop',
    'stop',
    'length',
    'tool_calls',
  ]);
});
