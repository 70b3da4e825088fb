import type { ParsedChatRequest } from './chat/chat-request.ts';
import type { ChoiceStep } from './chat/completion.ts';
import { countTokens } from './tokens.ts';

/**
 * Token cost of a message in addition to its text, for role and delimiters; `tokensPerAttachment` is the cost of an
 * image, document or sound.
 */
const tokensPerMessage = 3;
const tokensPerAttachment = 85;

/** Counts the prompt tokens of a request (§2.4): all its texts plus the constants above. */
export function countPromptTokens({ messages, fields }: ParsedChatRequest): number {
  let sum = fields['tools'] === undefined ? 0 : countTokens(JSON.stringify(fields['tools']));
  for (const message of messages) {
    sum += tokensPerMessage + countTokens(message.name ?? '');
    if (typeof message.content === 'string') sum += countTokens(message.content);
    else
      for (const part of message.content ?? [])
        sum += part.type === 'text' ? countTokens(part.text) : tokensPerAttachment;
    if (message.role !== 'assistant') continue;
    for (const call of message.tool_calls ?? []) {
      sum += countTokens(call.function.name) + countTokens(call.function.arguments);
    }
  }
  return sum;
}

/** Counts the tokens generated for all candidates. */
export interface UsageCounter {
  add: (step: ChoiceStep) => void;
  /** Returns the usage as JSON (§2.4), with reasoning tokens if there were any. */
  toJson: () => Record<string, unknown>;
}

export function createUsageCounter(promptTokens: number): UsageCounter {
  let completionTokens = 0;
  let reasoningTokens = 0;
  return {
    add({ token }) {
      if (token !== 'none') completionTokens += 1;
      if (token === 'thinking') reasoningTokens += 1;
    },
    toJson: () => ({
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      ...(reasoningTokens === 0 ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    }),
  };
}
