/** Rules for an answer that came whole: §2.4; and for an error instead of one: §5, §7. */
import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { Finding, Verdict } from './conformance-finding.ts';
import type { AnswerFacts } from './conformance-response.ts';
import {
  arrayField,
  fieldProblems,
  integerField,
  listed,
  objectField,
  shown,
  stringField,
  usageProblems,
} from './conformance-values.ts';

export function wholeFindings(facts: AnswerFacts): Finding[] {
  return [objectName(facts), model(facts), fields(facts), finishReason(facts), usage(facts)];
}

const section = '§2.4';

function objectName({ whole }: AnswerFacts): Finding {
  const found = getOwnProperty(whole, 'object');
  if (found === 'chat.completion')
    return { rule: 'object', section, verdict: 'pass', detail: 'chat.completion.' };
  const detail =
    found === undefined ? 'There is no object field.' : `It says ${shown(found)}, not chat.completion.`;
  return { rule: 'object', section, verdict: 'fault', detail };
}

function model({ whole, request }: AnswerFacts): Finding {
  const said = getStringProperty(whole, 'model');
  if (said === undefined || said === request.model) {
    return { rule: 'identity', section, verdict: 'pass', detail: said ?? 'No model is named.' };
  }
  const detail = `The model is ${said}, but ${request.model} was requested.`;
  return { rule: 'identity', section, verdict: 'note', detail };
}

const topRules = [stringField('id'), integerField('created'), stringField('model'), arrayField('choices')];
const choiceRules = [integerField('index'), objectField('message')];

function choicesOf(whole: unknown): unknown[] {
  const list = getOwnProperty(whole, 'choices');
  return Array.isArray(list) ? list.map((item: unknown) => item) : [];
}

function fields({ whole }: AnswerFacts): Finding {
  const fault = (detail: string): Finding => ({
    rule: 'fields',
    section,
    verdict: 'fault',
    detail: `${detail}.`,
  });
  const [problem] = fieldProblems(whole, topRules);
  if (problem) return fault(problem);
  for (const choice of choicesOf(whole)) {
    const [wrong] = fieldProblems(choice, choiceRules, 'choices[].');
    if (wrong) return fault(wrong);
    const message = getOwnProperty(choice, 'message');
    const role = getOwnProperty(message, 'role');
    if (role !== 'assistant') return fault(`message.role is ${shown(role)}, not "assistant"`);
    const content = getOwnProperty(message, 'content');
    const mayBeEmpty =
      (content === null || content === undefined) && getOwnProperty(message, 'tool_calls') !== undefined;
    if (typeof content !== 'string' && !mayBeEmpty)
      return fault(`message.content is ${shown(content)}, not a string`);
  }
  return { rule: 'fields', section, verdict: 'pass', detail: 'All as described.' };
}

const knownReasons = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

function finishReason({ whole }: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'finish-reason',
    section,
    verdict,
    detail,
  });
  const reasons = choicesOf(whole).map((choice) => getOwnProperty(choice, 'finish_reason'));
  const wrong = reasons.find((reason) => typeof reason !== 'string' || reason === '');
  if (reasons.length === 0) return say('fault', 'There are no choices.');
  if (wrong !== undefined || reasons.includes(undefined)) {
    return say(
      'fault',
      wrong === undefined ? 'finish_reason is missing.' : `finish_reason is ${shown(wrong)}, not a string.`,
    );
  }
  const words = reasons.map(String);
  const other = words.filter((word) => !knownReasons.has(word));
  if (other.length > 0) return say('note', `${listed(other)}: the provider's own value, which §2.4 allows.`);
  return say('pass', `${listed(words)}.`);
}

function usage({ whole }: AnswerFacts): Finding {
  const found = getOwnProperty(whole, 'usage');
  if (!isRecord(found)) return { rule: 'usage', section, verdict: 'fault', detail: 'usage is missing.' };
  const problems = usageProblems(found);
  if (problems.length > 0)
    return { rule: 'usage', section, verdict: 'fault', detail: `${listed(problems)}.` };
  return { rule: 'usage', section, verdict: 'pass', detail: 'All three counts present.' };
}

/** §7, §5.4: an answer with an error status. What comes from a provider may look as it likes. */
export function errorFindings(facts: AnswerFacts): Finding[] {
  return [
    { rule: 'status', section: '§7', verdict: 'note', detail: `Status ${facts.status ?? 'unknown'}.` },
    { rule: 'error-shape', ...errorShape(facts.body ?? '', facts.whole, facts.status) },
  ];
}

/** What the body of an error comes to. `isGateways`: no provider can have made it, so §7 binds it. */
export function errorShape(
  body: string,
  value: unknown,
  status: number | undefined,
  isGateways = status === 401,
): Pick<Finding, 'section' | 'verdict' | 'detail'> {
  const error = getOwnProperty(value, 'error');
  const [problem] = isRecord(error)
    ? fieldProblems(error, [stringField('message'), stringField('type'), stringField('code')], 'error.')
    : [body.trim() === '' ? 'the body is empty' : `the body has no error object: ${shown(body)}`];
  if (problem === undefined) {
    const type = getStringProperty(error, 'type') ?? '';
    const code = getStringProperty(error, 'code') ?? '';
    if (status === 401 && (type !== 'invalid_api_key' || code !== '401')) {
      return {
        section: '§5.4',
        verdict: 'fault',
        detail: `Type ${shown(type)} and code ${shown(code)}; expected invalid_api_key and 401.`,
      };
    }
    return {
      section: status === 401 ? '§5.4' : '§7',
      verdict: 'pass',
      detail: `${type}, ${code}: ${getStringProperty(error, 'message') ?? ''}`,
    };
  }
  const detail = `Not the error shape of §7: ${problem}.`;
  return { section: status === 401 ? '§5.4' : '§7', verdict: isGateways ? 'fault' : 'note', detail };
}
