import { isRecord, numberProperty, ownProperty } from '../../lib/json.ts';
import type { Usage } from '../wire.ts';

function count(value: unknown, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const found = ownProperty(value, key);
    const number =
      typeof found === 'string' && /^\d{1,15}$/.test(found) ? Number(found) : numberProperty(value, key);
    if (number !== undefined && number >= 0) return number;
  }
  return undefined;
}

/** §2.4, §2.7: the counts that were reported, or undefined when none was: a count that is absent is never 0. */
export function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const usage: Usage = {};
  const promptTokens = count(value, 'prompt_tokens', 'input_tokens');
  const completionTokens = count(value, 'completion_tokens', 'output_tokens');
  const totalTokens = count(value, 'total_tokens');
  const reasoningTokens =
    count(ownProperty(value, 'completion_tokens_details'), 'reasoning_tokens') ??
    count(ownProperty(value, 'output_tokens_details'), 'reasoning_tokens') ??
    count(value, 'reasoning_tokens');
  if (promptTokens !== undefined) usage.promptTokens = promptTokens;
  if (completionTokens !== undefined) usage.completionTokens = completionTokens;
  if (totalTokens !== undefined) usage.totalTokens = totalTokens;
  if (reasoningTokens !== undefined) usage.reasoningTokens = reasoningTokens;
  return Object.keys(usage).length > 0 ? usage : undefined;
}
