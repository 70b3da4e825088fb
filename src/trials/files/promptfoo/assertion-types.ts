import {
  isJsonObject,
  type JsonObject,
  getNumberProperty,
  getOwnProperty,
  getStringProperty,
} from '../../../lib/json.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
/** Converts the assertions of promptfoo to checks of Bench that pass and fail on the same answers. */
import { toStoredObject } from '../../checks/check-settings.ts';
import type { Check } from '../../trial.ts';
import { parseConfigDocument, toJson } from './config-document.ts';

/** A check for one case, with the text that it expects. */
export interface CaseCheck extends Pick<Check, 'kind' | 'settings' | 'field'> {
  expected?: string;
}

export type AssertionResult = { check: CaseCheck } | { reason: string };

const codeReason = 'Bench runs no code';
const modelReason = 'no check of Bench asks a model';
const missingReason = 'Bench has no such check';
const exactReason = 'Bench has no check that is exactly the same';

/** Types of assertions without a check, by reason. */
const unreadTypes: readonly { reason: string; types: readonly string[] }[] = [
  { reason: codeReason, types: ['javascript', 'python', 'ruby'] },
  { reason: 'Bench sends answers to no other server', types: ['webhook', 'moderation', 'guardrails', 'pi'] },
  {
    reason: modelReason,
    types: [
      'llm-rubric',
      'g-eval',
      'factuality',
      'model-graded-factuality',
      'model-graded-closedqa',
      'answer-relevance',
      'context-faithfulness',
      'context-recall',
      'context-relevance',
      'conversation-relevance',
      'search-rubric',
      'select-best',
      'similar',
      'similar:cosine',
      'similar:dot',
      'similar:euclidean',
      'classifier',
      'agent-rubric',
      'trajectory:goal-success',
    ],
  },
  {
    reason: missingReason,
    types: [
      'assert-set',
      'bleu',
      'gleu',
      'meteor',
      'rouge-n',
      'levenshtein',
      'perplexity',
      'perplexity-score',
      'cost',
      'is-refusal',
      'is-sql',
      'contains-sql',
      'is-xml',
      'contains-xml',
      'is-html',
      'contains-html',
      'contains-json',
      'is-valid-function-call',
      'is-valid-openai-function-call',
      'is-valid-openai-tools-call',
      'tool-call-f1',
      'max-score',
      'human',
      'skill-used',
      'trace-error-spans',
      'trace-span-count',
      'trace-span-duration',
      'trajectory:step-count',
      'trajectory:tool-used',
      'trajectory:tool-args-match',
      'trajectory:tool-sequence',
    ],
  },
];

const readTypes = [
  'equals',
  'contains',
  'icontains',
  'contains-all',
  'icontains-all',
  'contains-any',
  'icontains-any',
  'starts-with',
  'regex',
  'is-json',
  'latency',
  'finish-reason',
  'word-count',
];
/** Types that a cell of a CSV file cannot name. */
const specialTypes = new Set(['assert-set', 'select-best', 'max-score', 'human', 'agent-rubric']);
const csvTypes = new Set(
  [...readTypes, ...unreadTypes.flatMap(({ types }) => types)].filter((type) => !specialTypes.has(type)),
);
const listTypes = new Set(['contains-all', 'icontains-all', 'contains-any', 'icontains-any']);

/** Parses an assertion in a cell of a CSV file, such as `icontains: refund`. Other texts are the expected answer. */
export function parseCsvAssertion(cell: string): Record<string, unknown> {
  const code = /^(?:javascript|fn|eval):/.exec(cell);
  if (code) return { type: 'javascript' };
  if (cell.startsWith('grade:')) return { type: 'llm-rubric' };
  const file = /^file:\/\/.*\.(py|[cm]?[jt]s)(?::|$)/.exec(cell);
  if (file) return { type: file[1] === 'py' ? 'python' : 'javascript' };
  const match = /^(not-)?([a-z][a-z:0-9-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(cell);
  const [, not = '', type = '', threshold, value] = match ?? [];
  if (!csvTypes.has(type)) return { type: 'equals', value: cell };
  const isList = listTypes.has(type);
  return {
    type: `${not}${type}`,
    ...(value === undefined
      ? {}
      : { value: isList ? value.split(',').map((item) => item.trim()) : value.trim() }),
    ...(threshold === undefined ? {} : { threshold: Number(threshold) }),
  };
}

/** Returns the type of an assertion for notes and names. */
export function getAssertionType(assertion: unknown): string {
  const type = getStringProperty(assertion, 'type');
  return type === undefined ? 'unknown' : sanitizeForSentence(type, 40);
}

/** Returns the reason why no assertion of this type is read. */
export function findUnreadReason(assertion: unknown): string | undefined {
  const { type } = splitType(assertion);
  if (readTypes.includes(type)) return undefined;
  return unreadTypes.find(({ types }) => types.includes(type))?.reason ?? 'the type is unknown';
}

function splitType(assertion: unknown): { type: string; isNegated: boolean } {
  const fullType = getStringProperty(assertion, 'type') ?? '';
  const isNegated = fullType.startsWith('not-');
  return { type: isNegated ? fullType.slice('not-'.length) : fullType, isNegated };
}

/**
 * Converts an assertion of a type that is read, with its value for one case. Returns the reason if no check has exactly
 * the same results; texts are compared without whitespace at both ends.
 */
export function readAssertion(assertion: unknown, value: unknown): AssertionResult {
  const { type, isNegated } = splitType(assertion);
  const check = isNegated
    ? readNegatedCheck(type, value)
    : readCheck(type, value, getOwnProperty(assertion, 'threshold'));
  return check ? { check } : { reason: exactReason };
}

function readCheck(type: string, value: unknown, threshold: unknown): CaseCheck | undefined {
  const text = toText(value);
  switch (type) {
    case 'equals':
      return text === undefined ? undefined : { kind: 'equals', settings: {}, expected: text };
    case 'contains':
    case 'icontains':
      return readContains(text === undefined ? undefined : [text], {
        ignoreCase: type === 'icontains',
        all: true,
      });
    case 'contains-all':
    case 'icontains-all':
      return readContains(toTexts(value), { ignoreCase: type === 'icontains-all', all: true });
    case 'contains-any':
    case 'icontains-any':
      return readContains(toTexts(value), { ignoreCase: type === 'icontains-any', all: false });
    case 'starts-with':
      return text === undefined
        ? undefined
        : { kind: 'matches', settings: { pattern: `^${escapePattern(text)}` } };
    case 'regex':
      return isPattern(text) ? { kind: 'matches', settings: { pattern: text } } : undefined;
    case 'is-json':
      return readSchema(value);
    case 'latency':
      return typeof threshold === 'number' && threshold >= 0
        ? { kind: 'whole answer within', settings: { ms: threshold } }
        : undefined;
    case 'finish-reason':
      return text === undefined ? undefined : { kind: 'finish reason', settings: { reason: text } };
    case 'word-count':
      return readWordCount(value);
    default:
      return undefined;
  }
}

function readNegatedCheck(type: string, value: unknown): CaseCheck | undefined {
  const text = toText(value);
  switch (type) {
    case 'equals':
      return text === undefined
        ? undefined
        : { kind: 'matches none', settings: { pattern: `^\\s*${escapePattern(text.trim())}\\s*$` } };
    case 'contains':
    case 'icontains':
      return readContainsNone(text === undefined ? undefined : [text], type === 'icontains');
    case 'contains-any':
    case 'icontains-any':
      return readContainsNone(toTexts(value), type === 'icontains-any');
    case 'starts-with':
      return text === undefined
        ? undefined
        : { kind: 'matches none', settings: { pattern: `^${escapePattern(text)}` } };
    case 'regex':
      return isPattern(text) ? { kind: 'matches none', settings: { pattern: text } } : undefined;
    default:
      return undefined;
  }
}

function readContains(
  texts: string[] | undefined,
  { ignoreCase, all }: { ignoreCase: boolean; all: boolean },
): CaseCheck | undefined {
  if (!texts || texts.length === 0) return undefined;
  const settings = { ...(ignoreCase ? { ignoreCase } : {}), ...(all ? { all } : {}) };
  if (texts.every(isLine)) return { kind: 'contains', settings, expected: texts.join('\n') };
  const patterns = texts.map(escapePattern);
  const pattern = all ? patterns.map((each) => `(?=[^]*${each})`).join('') : patterns.join('|');
  return {
    kind: 'matches',
    settings: { pattern: all ? `^${pattern}` : pattern, ...(ignoreCase ? { flags: 'i' } : {}) },
  };
}

function readContainsNone(texts: string[] | undefined, ignoreCase: boolean): CaseCheck | undefined {
  if (!texts || texts.length === 0) return undefined;
  if (texts.every(isLine))
    return { kind: 'contains none', settings: ignoreCase ? { ignoreCase } : {}, expected: texts.join('\n') };
  return {
    kind: 'matches none',
    settings: { pattern: texts.map(escapePattern).join('|'), ...(ignoreCase ? { flags: 'i' } : {}) },
  };
}

/** Returns true if the text can be a line of the expected texts, which are trimmed. */
function isLine(text: string): boolean {
  return text !== '' && text.trim() === text && !/[\r\n]/.test(text);
}

function readSchema(value: unknown): CaseCheck | undefined {
  if (value === undefined || value === null || value === '') return { kind: 'is JSON', settings: {} };
  const parsed = typeof value === 'string' ? parseConfigDocument(value) : undefined;
  const schema = parsed ? (parsed.ok ? parsed.value : undefined) : value;
  const json = toJson(schema);
  return isJsonObject(json) ? { kind: 'fits schema', settings: { schema: toStoredObject(json) } } : undefined;
}

function readWordCount(value: unknown): CaseCheck | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  const limits: JsonObject = {};
  if (typeof count === 'number') Object.assign(limits, { atLeast: count, atMost: count });
  const [min, max] = [getNumberProperty(count, 'min'), getNumberProperty(count, 'max')];
  if (min !== undefined) limits['atLeast'] = min;
  if (max !== undefined) limits['atMost'] = max;
  return Object.keys(limits).length === 0
    ? undefined
    : { kind: 'length', settings: { ...limits, unit: 'words' } };
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Returns the texts of a list, or of a text with commas between them, which may be quoted. */
function toTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') {
    const parts = value.match(/\s*"(?:[^"\\]|\\["\\]|"")*"\s*(?=,|$)|[^,]+/g) ?? [];
    return parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) =>
        /^".*"$/s.test(part)
          ? part.slice(1, -1).replaceAll(/\\(["\\])|""/g, (_, escaped?: string) => escaped ?? '"')
          : part,
      );
  }
  const texts = Array.isArray(value) ? value.map(toText) : undefined;
  return texts?.every((text) => text !== undefined) ? texts : undefined;
}

/** Returns true for a valid regular expression. */
export function isPattern(text: string | undefined): text is string {
  if (text === undefined) return false;
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
