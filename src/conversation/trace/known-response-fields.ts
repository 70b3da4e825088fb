/** Fields of §2.4, §2.5 and the error object of §7, and other fields of OpenAI's format. */
const knownPaths = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'choices[].index',
  'choices[].delta',
  'choices[].message',
  'choices[].finish_reason',
  'usage',
  'usage.prompt_tokens',
  'usage.completion_tokens',
  'usage.total_tokens',
  'error',
  'error.message',
  'error.type',
  'error.code',
  'error.param',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
  'choices[].logprobs',
  'choices[].text',
  'usage.prompt_tokens_details',
  'usage.completion_tokens_details',
  ...['delta', 'message'].flatMap((messageField) => [
    `choices[].${messageField}.role`,
    `choices[].${messageField}.content`,
    `choices[].${messageField}.tool_calls`,
    `choices[].${messageField}.refusal`,
    `choices[].${messageField}.annotations`,
    `choices[].${messageField}.audio`,
    `choices[].${messageField}.function_call`,
  ]),
]);

/**
 * Paths with unspecified content: §2.4 does not define the fields of tool calls, and the content of OpenAI's additions
 * is also open.
 */
const openPathPattern =
  /^choices\[\]\.(?:(?:delta|message)\.(?:tool_calls|annotations|audio|function_call|content)|logprobs)[[.]|^usage\.(?:prompt|completion)_tokens_details\./;

/** Returns true for the path of a response field that needs no remark, such as `choices[].delta.content`. */
export function isKnownField(path: string): boolean {
  return knownPaths.has(path) || openPathPattern.test(path);
}
