/** Checks which request fields the gateway honoured or ignored, only where the response proves it. */
import { formatCount, pluralize } from '../../lib/format.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { checkJson } from '../reply/json-check.ts';
import { getAnswerText } from '../reply/run.ts';
import { listCandidateIndexes } from '../session/candidates.ts';
import type { Choice } from '../session/types.ts';
import type { RuleFinding, RuleResult } from './conformance-finding.ts';
import { hasEndedByItself, type ResponseData } from './conformance-response.ts';
import { formatShort } from './conformance-values.ts';

/** Returns one finding for each checkable field of the request (§2.1). */
export function checkRequestFields(response: ResponseData): RuleFinding[] {
  if (response.run.phase.name === 'failed') return [];
  return [checkN, checkStop, checkMaxTokens, checkResponseFormat, checkThinking, checkThinkingBudget].flatMap(
    (rule) => rule(response) ?? [],
  );
}

const section = '§2.1';

function checkN(response: ResponseData): RuleFinding | undefined {
  const { request, run } = response;
  const requestedCount = request['n'];
  if (typeof requestedCount !== 'number' || requestedCount < 1) return undefined;
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'n',
    section,
    verdict,
    detail,
  });
  const receivedCount = run.choices.filter(
    (choice) => choice.parts.length > 0 || choice.finishReason !== undefined,
  ).length;
  if (receivedCount === requestedCount)
    return createFinding('pass', `${pluralize(receivedCount, 'completion')}, as requested.`);
  const detail = `${formatCount(requestedCount)} requested, ${formatCount(receivedCount)} received.`;
  return createFinding(hasEndedByItself(response) ? 'fault' : 'note', detail);
}

function checkStop({ request, run }: ResponseData): RuleFinding | undefined {
  const requestedStop = request['stop'];
  const sequences = (Array.isArray(requestedStop) ? requestedStop : [requestedStop]).filter(
    (item) => typeof item === 'string' && item !== '',
  );
  if (sequences.length === 0) return undefined;
  for (const sequence of sequences) {
    if (typeof sequence !== 'string') continue;
    if (!run.choices.some((choice) => getAnswerText(choice).includes(sequence))) continue;
    return {
      rule: 'stop',
      section,
      verdict: 'fault',
      detail: `The text contains the stop sequence ${formatShort(sequence)}.`,
    };
  }
  return { rule: 'stop', section, verdict: 'pass', detail: 'The text contains no stop sequence.' };
}

function checkMaxTokens({ request, run }: ResponseData): RuleFinding | undefined {
  const requestedMax = request['max_tokens'];
  if (typeof requestedMax !== 'number') return undefined;
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'max_tokens',
    section,
    verdict,
    detail,
  });
  const usedTokens = run.usage?.completionTokens;
  if (usedTokens === undefined) return createFinding('note', 'The answer reports no token count.');
  const allowedTokens = requestedMax * Math.max(1, listCandidateIndexes(run).length);
  if (usedTokens <= allowedTokens)
    return createFinding('pass', `${formatCount(usedTokens)} of at most ${formatCount(allowedTokens)}.`);
  const reasoningTokens = run.usage?.reasoningTokens ?? 0;
  if (usedTokens - reasoningTokens <= allowedTokens)
    return createFinding(
      'note',
      `${formatCount(usedTokens)} of at most ${formatCount(allowedTokens)}, without counting ${formatCount(reasoningTokens)} reasoning tokens.`,
    );
  return createFinding(
    'fault',
    `${formatCount(usedTokens)} tokens; at most ${formatCount(allowedTokens)} are allowed.`,
  );
}

/** Truncated and filtered answers and answers with tool calls need not be complete JSON. */
function isExemptFromJson(choice: Choice): boolean {
  return choice.finishReason !== 'stop' || choice.parts.some((part) => part.type === 'tool-call');
}

function checkResponseFormat({ request, run }: ResponseData): RuleFinding | undefined {
  const type = getOwnProperty(request['response_format'], 'type');
  if (type !== 'json_object' && type !== 'json_schema') return undefined;
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'response_format',
    section,
    verdict,
    detail,
  });
  const checkedChoices = run.choices.filter((choice) => !isExemptFromJson(choice));
  if (checkedChoices.length === 0)
    return createFinding('note', 'The answer was cut off, filtered or a tool call, so JSON is not required.');
  const invalidText = checkedChoices.map(getAnswerText).find((text) => checkJson(text).state !== 'whole');
  if (invalidText === undefined) return createFinding('pass', 'The answer is JSON.');
  const detail = /^\s*```/.test(invalidText)
    ? 'The answer is in a code fence, so it is not plain JSON.'
    : 'The answer is not JSON.';
  return createFinding(type === 'json_object' ? 'fault' : 'note', detail);
}

function hasReasoning({ run }: ResponseData): boolean {
  return run.choices.some((choice) => choice.parts.some((part) => part.type === 'thinking'));
}

function checkThinking(response: ResponseData): RuleFinding | undefined {
  const isThinkingRequested = response.request['enable_thinking'];
  if (typeof isThinkingRequested !== 'boolean') return undefined;
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'enable_thinking',
    section,
    verdict,
    detail,
  });
  const isReasoningReceived = hasReasoning(response);
  if (isReasoningReceived === isThinkingRequested)
    return createFinding('pass', isReasoningReceived ? 'Reasoning received.' : 'No reasoning received.');
  return createFinding(
    'note',
    isThinkingRequested
      ? 'No reasoning received. Models without reasoning may ignore this field.'
      : 'Reasoning received anyway. Models may ignore this field.',
  );
}

function checkThinkingBudget({ request, run }: ResponseData): RuleFinding | undefined {
  const budget = request['thinking_budget'];
  const usedTokens = run.usage?.reasoningTokens;
  if (typeof budget !== 'number' || usedTokens === undefined) return undefined;
  const detail = `${formatCount(usedTokens)} reasoning tokens of at most ${formatCount(budget)}.`;
  return { rule: 'thinking_budget', section, verdict: usedTokens <= budget ? 'pass' : 'note', detail };
}
