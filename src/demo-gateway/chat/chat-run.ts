import { createStringSeededRandom } from '../../lib/random.ts';
import type { DemoModel } from '../model.ts';
import { scheduleTicks } from '../token-pacing.ts';
import { createUsageCounter, countPromptTokens, type UsageCounter } from '../usage-counter.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import { generateTicks, createDemoRequest, type ChoiceStep } from './completion.ts';

/** What the gateway lends to one completion. */
export interface ChatContext {
  now: () => number;
  createId: () => string;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

/** One completion under way. Taking batches is what makes it go on; aborting `stop` ends it. */
export interface ChatRun {
  /** §2.4, §2.5: the fields that every answer and chunk begins with. */
  getCommonFields: (object: 'chat.completion' | 'chat.completion.chunk') => Record<string, string | number>;
  includeUsage: boolean;
  usage: UsageCounter;
  /** Ticks of one step a candidate, each when it is due. */
  batches: AsyncGenerator<ChoiceStep[][]>;
  /** Used wherever the answer is written as JSON. */
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
    // Numbers of its own: the timing must not change what a seeded model says.
    random: createStringSeededRandom(`${id}/timing`),
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
