import { createStringSeededRandom } from '../../lib/random.ts';
import type { DemoModel } from '../model.ts';
import { paced } from '../token-pacing.ts';
import { createUsageCount, promptTokens, type UsageCount } from '../usage-counter.ts';
import type { ChatCall } from './chat-request.ts';
import { completionTicks, demoRequest, type ChoiceStep } from './completion.ts';

/** What the gateway lends to one completion. */
export interface ChatSurroundings {
  now: () => number;
  newId: () => string;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

/** One completion under way. Taking batches is what makes it go on; aborting `stop` ends it. */
export interface ChatRun {
  /** §2.4, §2.5: the fields that every answer and chunk begins with. */
  head: (object: 'chat.completion' | 'chat.completion.chunk') => Record<string, string | number>;
  includeUsage: boolean;
  usage: UsageCount;
  /** Ticks of one step a candidate, each when it is due. */
  batches: AsyncGenerator<ChoiceStep[][]>;
  /** Used wherever the answer is written as JSON. */
  jsonReplacer: DemoModel['jsonReplacer'];
  stop: AbortController;
}

export function startChat(call: ChatCall, { now, newId, wait, signal }: ChatSurroundings): ChatRun {
  const id = `chatcmpl-${newId()}`;
  const startedAt = now();
  const stop = new AbortController();
  if (signal.aborted) stop.abort(signal.reason);
  else signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
  const seed = String(call.seed ?? id);
  const opening = call.model.opening?.(demoRequest(call, 0, seed));
  if (opening && 'error' in opening) throw opening.error;
  const batches = paced(completionTicks(call, { seed, newId }), {
    ticksPerSecond: call.tokensPerSecond,
    ...(opening ? { firstWaitMs: opening.firstTokenMs } : {}),
    // Numbers of its own: the timing must not change what a seeded model says.
    random: createStringSeededRandom(`${id}/timing`),
    now,
    wait,
    signal: stop.signal,
  });
  return {
    head: (object) => ({ id, object, created: Math.floor(startedAt / 1000), model: call.model.id }),
    includeUsage: call.includeUsage,
    usage: createUsageCount(promptTokens(call)),
    batches,
    jsonReplacer: call.model.jsonReplacer,
    stop,
  };
}
