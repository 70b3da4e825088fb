/** Estimates the cost of the next request before it is sent. */
import { pluralize } from '../../lib/format.ts';
import { estimateTokens, getContentText } from '../request/request.ts';
import { getLanePath, getManualReply, getRun } from '../session/turn-tree.ts';
import type { Lane, LaneId, SessionData } from '../session/types.ts';
import { buildRequestFields } from '../setup/params.ts';
import { addCosts, computeTokenCost, formatTotalCost, type Cost, type GetModelPrice } from './cost.ts';
import { computeMetrics } from './metrics.ts';

/** Estimated cost on screen. */
export interface CostEstimate {
  /** Cost of the requests to all lanes, such as "from ~$0.0003", or "up to ~$0.0031" if the output is limited. */
  text: string;
  /** Sentence that says what is included. */
  description: string;
}

/** Estimates the cost of sending this text to these lanes; `undefined` if no price is known. */
export function estimateNextCost(
  data: SessionData,
  laneIds: readonly LaneId[],
  text: string,
  getModelPrice: GetModelPrice,
): CostEstimate | undefined {
  const lanes = laneIds.flatMap((id) => data.lanes[id] ?? []);
  const limits = lanes.map(({ setup }) => getOutputLimit(buildRequestFields(setup.params)));
  const isLimited = limits.every((limit) => limit !== undefined);
  const costs = lanes.map((lane, index) =>
    computeTokenCost(getModelPrice(lane.setup), {
      tokensIn: estimateNextTokens(data, lane) + estimateTokens(text),
      tokensOut: isLimited ? (limits[index] ?? 0) : 0,
    }),
  );
  const total = addCosts(costs);
  if (!total || total.source === 'unknown') return undefined;
  return {
    text: `${isLimited && total.unpricedCount === 0 ? 'up to' : 'from'} ${formatTotalCost({ ...total, isEstimated: true, unpricedCount: 0 })}`,
    description: describeEstimate(total, isLimited),
  };
}

function describeEstimate({ unpricedCount }: Cost, isLimited: boolean): string {
  const extent = isLimited ? 'with the longest possible answer' : 'without the answer';
  const omission =
    unpricedCount === 0 ? '' : ` ${pluralize(unpricedCount, 'lane')} without a price not counted.`;
  return `Estimated cost of the conversation and this message, ${extent} and without images.${omission}`;
}

/** Returns the maximum number of output tokens that a request with these fields allows; `undefined` without a limit. */
export function getOutputLimit(fields: Readonly<Record<string, unknown>>): number | undefined {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, n } = fields;
  const limit = maxCompletionTokens ?? maxTokens;
  return typeof limit === 'number' ? limit * (typeof n === 'number' ? n : 1) : undefined;
}

/** Estimates the tokens of a lane's conversation: those of its last request and everything after it. */
function estimateNextTokens(data: SessionData, lane: Lane): number {
  let tokens = 0;
  for (const turn of getLanePath(data, lane).toReversed()) {
    const run = getRun(data, turn);
    const { tokensIn, tokensOut, reasoningTokens = 0 } = run ? computeMetrics(run) : {};
    const answerTokens = tokensOut && 'value' in tokensOut ? tokensOut.value - reasoningTokens : 0;
    tokens += Math.max(0, answerTokens) + estimateTokens(getContentText(getManualReply(turn)?.content ?? ''));
    if (tokensIn && 'value' in tokensIn) return tokens + tokensIn.value;
    const { messages = [], results = [] } = data.prompts[turn.promptId] ?? {};
    const texts = [
      ...messages.map(({ content }) => getContentText(content)),
      ...results.map(({ content }) => content),
    ];
    tokens += texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  }
  return tokens + estimateTokens(lane.setup.system);
}
