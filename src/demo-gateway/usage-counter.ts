import type { ParsedChatRequest } from './chat/chat-request.ts';
import type { ChoiceStep } from './chat/completion.ts';
import { countTokens } from './tokens.ts';

/** What a message costs besides its text, for its role and its ends, and what an image costs. */
const tokensPerMessage = 3;
const tokensPerImage = 85;

/** §2.4 usage of a request: every text in it by countTokens, and the constants above. */
export function countPromptTokens({ messages, fields }: ParsedChatRequest): number {
  let sum = fields['tools'] === undefined ? 0 : countTokens(JSON.stringify(fields['tools']));
  for (const message of messages) {
    sum += tokensPerMessage + countTokens(message.name ?? '');
    if (typeof message.content === 'string') sum += countTokens(message.content);
    else
      for (const part of message.content ?? [])
        sum += part.type === 'text' ? countTokens(part.text) : tokensPerImage;
    if (message.role !== 'assistant') continue;
    for (const call of message.tool_calls ?? []) {
      sum += countTokens(call.function.name) + countTokens(call.function.arguments);
    }
  }
  return sum;
}

/** Counts what has been generated, over all candidates. */
export interface UsageCounter {
  add: (step: ChoiceStep) => void;
  /** §2.4 usage as JSON, with the tokens of thinking where there was any. */
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
