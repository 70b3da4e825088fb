import { createSeededRandom } from '../../lib/random.ts';
import type { DemoModel } from '../model.ts';
import { scheduleTicks } from '../token-pacing.ts';
import { createUsageCounter, countPromptTokens, type UsageCounter } from '../usage-counter.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import { generateTicks, createDemoRequest, type ChoiceStep } from './completion.ts';

/** Functions provided by the gateway for a completion. */
export interface ChatContext {
  now: () => number;
  createId: () => string;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

/** A completion in progress. Pulling batches drives it; aborting `abortController` ends it. */
export interface ChatRun {
  /** Returns the leading fields of every completion and chunk (§2.4, §2.5). */
  getCommonFields: (object: 'chat.completion' | 'chat.completion.chunk') => Record<string, string | number>;
  includeUsage: boolean;
  usage: UsageCounter;
  /** Batches of ticks, each yielded when it is due. A tick contains one step per candidate. */
  batches: AsyncGenerator<ChoiceStep[][]>;
  /** Replacer used whenever the response is serialised as JSON. */
  jsonReplacer: DemoModel['jsonReplacer'];
  abortController: AbortController;
}

export function startChatRun(
  request: ParsedChatRequest,
  { now, createId, wait, signal }: ChatContext,
): ChatRun {
  const id = `chatcmpl-${createId()}`;
  const startedAt = now();
  const abortController = new AbortController();
  if (signal.aborted) abortController.abort(signal.reason);
  else signal.addEventListener('abort', () => abortController.abort(signal.reason), { once: true });
  const seed = String(request.seed ?? id);
  const responseStart = request.model.getResponseStart?.(createDemoRequest(request, 0, seed));
  if (responseStart && 'error' in responseStart) throw responseStart.error;
  const batches = scheduleTicks(generateTicks(request, { seed, createId }), {
    ticksPerSecond: request.tokensPerSecond,
    ...(responseStart ? { firstWaitMs: responseStart.firstTokenMs } : {}),
    // Separate random numbers, so that timing does not change the output of a seeded model.
    random: createSeededRandom(`${id}/timing`),
    now,
    wait,
    signal: abortController.signal,
  });
  return {
    getCommonFields: (object) => ({
      id,
      object,
      created: Math.floor(startedAt / 1000),
      model: request.model.id,
    }),
    includeUsage: request.includeUsage,
    usage: createUsageCounter(countPromptTokens(request)),
    batches,
    jsonReplacer: request.model.jsonReplacer,
    abortController,
  };
}
