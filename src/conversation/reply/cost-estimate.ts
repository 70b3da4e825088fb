/** Estimates the cost of the next request before it is sent. */
import { sum } from 'es-toolkit';

import { pluralize } from '../../lib/format.ts';
import { isTextFile, listFiles } from '../request/message-files.ts';
import {
  chooseOpaqueFields,
  createOpaqueRecord,
  estimateTokens,
  getContentText,
  getToolCalls,
  type RequestRules,
} from '../request/request.ts';
import { getLanePath, getManualReply, getRun } from '../session/turn-tree.ts';
import type { Lane, LaneId, SessionData, Setup, Turn } from '../session/types.ts';
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
  return `Estimated cost of the conversation and this message, ${extent} and without images and files other than text.${omission}`;
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

const reasoningFieldPattern = /reasoning|thinking/;

/**
 * Estimates the tokens of the reasoning that the next request sends back with this candidate, assuming results for all
 * of its calls.
 */
function estimateSentReasoning(
  data: SessionData,
  turn: Turn,
  candidateIndex: number,
  setup: Setup,
  rules: RequestRules,
): number {
  const run = getRun(data, turn);
  if (!run) return 0;
  const calls = getToolCalls(turn, run, candidateIndex);
  const opaque = createOpaqueRecord(run, candidateIndex, calls, calls);
  const { fields } = chooseOpaqueFields({ tool_calls: calls }, opaque, data.session, setup, rules);
  return sum(
    Object.entries(fields).map(([name, json]) =>
      reasoningFieldPattern.test(name) ? estimateTokens(json) : 0,
    ),
  );
}

/** Estimated size of the next request of a lane, against the context length of its model. */
export interface ContextUsage {
  tokens: number;
  maxTokens: number;
  /** Parts of the size with their names; empty ones are left out. */
  parts: readonly [name: string, tokens: number][];
}

/**
 * Estimates how much of the context the lane's conversation and this text use, from the last reported usage on. The
 * reasoning counts only if it is sent back.
 */
export function estimateContext(
  data: SessionData,
  lane: Lane,
  text: string,
  maxTokens: number,
  rules: RequestRules = {},
): ContextUsage {
  const { system, params } = lane.setup;
  const { tools } = buildRequestFields(params);
  const systemTokens = estimateTokens(system);
  const toolTokens = tools === undefined ? 0 : estimateTokens(JSON.stringify(tools));
  const path = getLanePath(data, lane);
  const reasoningTokens = path.map((turn, index) =>
    estimateSentReasoning(
      data,
      turn,
      path[index + 1]?.parent?.choice ?? turn.shownChoice ?? 0,
      lane.setup,
      rules,
    ),
  );
  // Reported usage includes the tools and earlier reasoning; an estimate does not.
  const reportedIndex = path.findLastIndex((turn) => getRun(data, turn)?.usage?.promptTokens !== undefined);
  const sentTokens =
    estimateNextTokens(data, lane) +
    (reportedIndex < 0 ? toolTokens : 0) +
    sum(reasoningTokens.slice(Math.max(0, reportedIndex)));
  const fileTokens = sum(
    path.flatMap((turn) =>
      [...(data.prompts[turn.promptId]?.messages ?? []), getManualReply(turn)]
        .flatMap((message) => listFiles(message?.content ?? ''))
        .map((file) => (isTextFile(file) ? estimateTokens(file.text) : 0)),
    ),
  );
  const thinkingTokens = sum(reasoningTokens);
  const draftTokens = estimateTokens(text);
  const parts: [string, number][] = [
    ['System prompt', systemTokens],
    ['Tools', toolTokens],
    ['Files', fileTokens],
    ['Conversation', sentTokens - systemTokens - toolTokens - fileTokens - thinkingTokens],
    ['Thinking', thinkingTokens],
    ['Message', draftTokens],
  ];
  return {
    tokens: sentTokens + draftTokens,
    maxTokens,
    parts: parts.filter(([, tokens]) => tokens > 0),
  };
}
