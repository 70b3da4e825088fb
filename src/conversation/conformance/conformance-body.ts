/** Rules for a complete (not streamed) response, §2.4, and for error responses, §5 and §7. */
import { isRecord, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { RuleFinding, RuleResult } from './conformance-finding.ts';
import type { ResponseData } from './conformance-response.ts';
import {
  createArrayRule,
  findFieldProblems,
  createIntegerRule,
  joinWithLimit,
  createObjectRule,
  formatShort,
  createStringRule,
  findUsageProblems,
} from './conformance-values.ts';

export function checkBody(response: ResponseData): RuleFinding[] {
  return [
    checkObjectName(response),
    checkModelName(response),
    checkFields(response),
    checkFinishReason(response),
    checkUsage(response),
  ];
}

const section = '§2.4';

function checkObjectName({ responseJson }: ResponseData): RuleFinding {
  const objectValue = getOwnProperty(responseJson, 'object');
  if (objectValue === 'chat.completion')
    return { rule: 'object', section, verdict: 'pass', detail: 'chat.completion.' };
  const detail =
    objectValue === undefined
      ? 'The object field is missing.'
      : `object is ${formatShort(objectValue)}, not chat.completion.`;
  return { rule: 'object', section, verdict: 'fault', detail };
}

function checkModelName({ responseJson, request }: ResponseData): RuleFinding {
  const statedModel = getStringProperty(responseJson, 'model');
  if (statedModel === undefined || statedModel === request.model) {
    return { rule: 'identity', section, verdict: 'pass', detail: statedModel ?? 'No model is stated.' };
  }
  const detail = `The model is ${statedModel}, but ${request.model} was requested.`;
  return { rule: 'identity', section, verdict: 'note', detail };
}

const responseRules = [
  createStringRule('id'),
  createIntegerRule('created'),
  createStringRule('model'),
  createArrayRule('choices'),
];
const choiceRules = [createIntegerRule('index'), createObjectRule('message')];

function listChoices(responseJson: unknown): unknown[] {
  const list = getOwnProperty(responseJson, 'choices');
  return Array.isArray(list) ? list.map((item: unknown) => item) : [];
}

function checkFields({ responseJson }: ResponseData): RuleFinding {
  const createFault = (detail: string): RuleFinding => ({
    rule: 'fields',
    section,
    verdict: 'fault',
    detail: `${detail}.`,
  });
  const [problem] = findFieldProblems(responseJson, responseRules);
  if (problem) return createFault(problem);
  for (const choice of listChoices(responseJson)) {
    const [choiceProblem] = findFieldProblems(choice, choiceRules, 'choices[].');
    if (choiceProblem) return createFault(choiceProblem);
    const message = getOwnProperty(choice, 'message');
    const role = getOwnProperty(message, 'role');
    if (role !== 'assistant') return createFault(`message.role is ${formatShort(role)}, not "assistant"`);
    const content = getOwnProperty(message, 'content');
    const canBeEmpty =
      (content === null || content === undefined) && getOwnProperty(message, 'tool_calls') !== undefined;
    if (typeof content !== 'string' && !canBeEmpty)
      return createFault(`message.content is ${formatShort(content)}, not a string`);
  }
  return { rule: 'fields', section, verdict: 'pass', detail: 'All as described.' };
}

const knownReasons = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

function checkFinishReason({ responseJson }: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'finish-reason',
    section,
    verdict,
    detail,
  });
  const reasons = listChoices(responseJson).map((choice) => getOwnProperty(choice, 'finish_reason'));
  const wrongReason = reasons.find((reason) => typeof reason !== 'string' || reason === '');
  if (reasons.length === 0) return createFinding('fault', 'There are no choices.');
  if (wrongReason !== undefined || reasons.includes(undefined)) {
    return createFinding(
      'fault',
      wrongReason === undefined
        ? 'finish_reason is missing.'
        : `finish_reason is ${formatShort(wrongReason)}, not a string.`,
    );
  }
  const reasonTexts = reasons.map(String);
  const unknownReasons = reasonTexts.filter((word) => !knownReasons.has(word));
  if (unknownReasons.length > 0)
    return createFinding(
      'note',
      `${joinWithLimit(unknownReasons)}: a provider-specific value, which §2.4 allows.`,
    );
  return createFinding('pass', `${joinWithLimit(reasonTexts)}.`);
}

function checkUsage({ responseJson }: ResponseData): RuleFinding {
  const usageValue = getOwnProperty(responseJson, 'usage');
  if (!isRecord(usageValue)) return { rule: 'usage', section, verdict: 'fault', detail: 'usage is missing.' };
  const problems = findUsageProblems(usageValue);
  if (problems.length > 0)
    return { rule: 'usage', section, verdict: 'fault', detail: `${joinWithLimit(problems)}.` };
  return { rule: 'usage', section, verdict: 'pass', detail: 'All three counts present.' };
}

/** Checks a response with an error status (§7, §5.4). Errors passed through from a provider may have any shape. */
export function checkErrorBody(response: ResponseData): RuleFinding[] {
  return [
    { rule: 'status', section: '§7', verdict: 'note', detail: `Status ${response.status ?? 'unknown'}.` },
    { rule: 'error-shape', ...checkErrorShape(response.body ?? '', response.responseJson, response.status) },
  ];
}

/** Checks the body of an error. `isFromGateway` is true if no provider was involved, so that §7 applies. */
export function checkErrorShape(
  body: string,
  value: unknown,
  status: number | undefined,
  isFromGateway = status === 401,
): Pick<RuleFinding, 'section' | 'verdict' | 'detail'> {
  const error = getOwnProperty(value, 'error');
  const [problem] = isRecord(error)
    ? findFieldProblems(
        error,
        [createStringRule('message'), createStringRule('type'), createStringRule('code')],
        'error.',
      )
    : [body.trim() === '' ? 'the body is empty' : `the body has no error object: ${formatShort(body)}`];
  if (problem === undefined) {
    const type = getStringProperty(error, 'type') ?? '';
    const code = getStringProperty(error, 'code') ?? '';
    if (status === 401 && (type !== 'invalid_api_key' || code !== '401')) {
      return {
        section: '§5.4',
        verdict: 'fault',
        detail: `Type ${formatShort(type)} and code ${formatShort(code)}; expected invalid_api_key and 401.`,
      };
    }
    return {
      section: status === 401 ? '§5.4' : '§7',
      verdict: 'pass',
      detail: `${type}, ${code}: ${getStringProperty(error, 'message') ?? ''}`,
    };
  }
  const detail = `Does not match the error shape of §7: ${problem}.`;
  return { section: status === 401 ? '§5.4' : '§7', verdict: isFromGateway ? 'fault' : 'note', detail };
}
