import type { ContextUsage } from '../../conversation/reply/cost-estimate.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { formatContext } from '../../lib/format.ts';
import { useAppServices, useSessionByPhases } from '../../state/contexts.tsx';
import { useFindModel } from './use-model-lists.ts';
import { usePrices } from './use-model-price.ts';

/** Share of the context from which a request is near the limit. */
const nearLimitShare = 0.75;

/** Returns whether the next request is near the context length of the model, or above it. */
export function isNearLimit({ tokens, maxTokens }: ContextUsage): boolean {
  return tokens >= maxTokens * nearLimitShare;
}

/** Formats "~12.7k of 8k", with exact numbers below 1,000. */
export function formatContextUsage({ tokens, maxTokens }: ContextUsage): string {
  return `~${shortFormat.format(tokens).replace('K', 'k')} of ${formatContext(maxTokens)}`;
}

const shortFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Returns the context usage of the lane that is nearest to its limit; `undefined` if no context length is known. */
export function useContextUsage(laneIds: readonly LaneId[], text = ''): ContextUsage | undefined {
  const estimateContext = usePrices()?.estimateContext;
  const data = useSessionByPhases();
  const findModel = useFindModel();
  const { requestRules } = useAppServices();
  if (!data || !estimateContext) return undefined;
  return laneIds
    .flatMap((laneId) => {
      const lane = data.lanes[laneId];
      const maxTokens = lane && findModel(lane.setup)?.contextTokens;
      return lane && maxTokens !== undefined && maxTokens > 0
        ? [estimateContext(data, lane, text, maxTokens, requestRules)]
        : [];
    })
    .toSorted((a, b) => b.tokens / b.maxTokens - a.tokens / a.maxTokens)[0];
}
