/** Fields of the request that the answer shows to have been kept or ignored: only what can be known for sure. */
import { formatCount, pluralize } from '../../lib/format.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { checkJson } from '../reply/json-check.ts';
import { textOf } from '../reply/run.ts';
import { candidatesOf } from '../session/candidates.ts';
import type { Choice } from '../session/types.ts';
import type { Finding, Verdict } from './conformance-finding.ts';
import { endedByItself, type AnswerFacts } from './conformance-response.ts';
import { shown } from './conformance-values.ts';

/** One finding for each such field that the request has. §2.1 */
export function askedFindings(facts: AnswerFacts): Finding[] {
  if (facts.run.phase.name === 'failed') return [];
  return [n, stop, maxTokens, responseFormat, thinking, thinkingBudget].flatMap((rule) => rule(facts) ?? []);
}

const section = '§2.1';

function n(facts: AnswerFacts): Finding | undefined {
  const { request, run } = facts;
  const asked = request['n'];
  if (typeof asked !== 'number' || asked < 1) return undefined;
  const say = (verdict: Verdict, detail: string): Finding => ({ rule: 'n', section, verdict, detail });
  const came = run.choices.filter(
    (choice) => choice.parts.length > 0 || choice.finishReason !== undefined,
  ).length;
  if (came === asked) return say('pass', `${pluralize(came, 'completion')}, as requested.`);
  const detail = `${formatCount(asked)} requested, ${formatCount(came)} received.`;
  return say(endedByItself(facts) ? 'fault' : 'note', detail);
}

function stop({ request, run }: AnswerFacts): Finding | undefined {
  const asked = request['stop'];
  const sequences = (Array.isArray(asked) ? asked : [asked]).filter(
    (item) => typeof item === 'string' && item !== '',
  );
  if (sequences.length === 0) return undefined;
  for (const sequence of sequences) {
    if (typeof sequence !== 'string') continue;
    if (!run.choices.some((choice) => textOf(choice).includes(sequence))) continue;
    return {
      rule: 'stop',
      section,
      verdict: 'fault',
      detail: `The text contains the stop sequence ${shown(sequence)}.`,
    };
  }
  return { rule: 'stop', section, verdict: 'pass', detail: 'The text contains no stop sequence.' };
}

function maxTokens({ request, run }: AnswerFacts): Finding | undefined {
  const most = request['max_tokens'];
  if (typeof most !== 'number') return undefined;
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'max_tokens',
    section,
    verdict,
    detail,
  });
  const used = run.usage?.completionTokens;
  if (used === undefined) return say('note', 'The answer reports no token count.');
  const allowed = most * Math.max(1, candidatesOf(run).length);
  if (used <= allowed) return say('pass', `${formatCount(used)} of at most ${formatCount(allowed)}.`);
  const reasoning = run.usage?.reasoningTokens ?? 0;
  if (used - reasoning <= allowed)
    return say(
      'note',
      `${formatCount(used)} of at most ${formatCount(allowed)}; the limit does not count the ${formatCount(reasoning)} of reasoning.`,
    );
  return say('fault', `${formatCount(used)} tokens; at most ${formatCount(allowed)} are allowed.`);
}

/** An answer that was cut or filtered, or that calls tools, need not be whole JSON. */
function mayBeAnything(choice: Choice): boolean {
  return choice.finishReason !== 'stop' || choice.parts.some((part) => part.type === 'tool-call');
}

function responseFormat({ request, run }: AnswerFacts): Finding | undefined {
  const type = getOwnProperty(request['response_format'], 'type');
  if (type !== 'json_object' && type !== 'json_schema') return undefined;
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'response_format',
    section,
    verdict,
    detail,
  });
  const judged = run.choices.filter((choice) => !mayBeAnything(choice));
  if (judged.length === 0)
    return say('note', 'The answer was cut off or is something else, so it need not be complete JSON.');
  const wrong = judged.map(textOf).find((text) => checkJson(text).state !== 'whole');
  if (wrong === undefined) return say('pass', 'The answer is JSON.');
  const where = /^\s*```/.test(wrong)
    ? 'The answer is in a code fence, so it is not plain JSON.'
    : 'The answer is not JSON.';
  return say(type === 'json_object' ? 'fault' : 'note', where);
}

function hasThinking({ run }: AnswerFacts): boolean {
  return run.choices.some((choice) => choice.parts.some((part) => part.type === 'thinking'));
}

function thinking(facts: AnswerFacts): Finding | undefined {
  const asked = facts.request['enable_thinking'];
  if (typeof asked !== 'boolean') return undefined;
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'enable_thinking',
    section,
    verdict,
    detail,
  });
  const came = hasThinking(facts);
  if (came === asked) return say('pass', came ? 'Reasoning received.' : 'No reasoning received.');
  return say(
    'note',
    asked
      ? 'No reasoning received. A model without a thinking mode may ignore this field.'
      : 'Reasoning received anyway. A model may ignore this field.',
  );
}

function thinkingBudget({ request, run }: AnswerFacts): Finding | undefined {
  const most = request['thinking_budget'];
  const used = run.usage?.reasoningTokens;
  if (typeof most !== 'number' || used === undefined) return undefined;
  const detail = `${formatCount(used)} reasoning tokens of at most ${formatCount(most)}.`;
  return { rule: 'thinking_budget', section, verdict: used <= most ? 'pass' : 'note', detail };
}
