/**
 * Scores an answer with a check: deterministic, without a model. A pattern may never finish, so this runs in a worker
 * that is terminated after `patternTimeoutMs`.
 */
import { validateValue } from '../../conversation/reply/json-check-schema.ts';
import { getRequestedFormat, parseJsonReply } from '../../conversation/reply/json-reply-text.ts';
import { computeMetrics, type Metric } from '../../conversation/reply/metrics.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import type { Run } from '../../conversation/session/types.ts';
import { parseExactNumbers, writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, pluralize } from '../../lib/format.ts';
import { isJsonObject, JsonSource, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { compareDecimals, computeDistance } from '../../lib/text/decimal.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { getCheckedText, computeShortHash } from '../cell.ts';
import {
  getTrialRules,
  type Case,
  type Cell,
  type Check,
  type Mark,
  type Result,
  type Score,
  type Trial,
} from '../trial.ts';
import {
  parseStoredObject,
  parseCheckSettings,
  toStoredObject,
  getValueAtPath,
  type CheckSettings,
  type LengthSettings,
  type NumberSettings,
  type StoredObject,
  type TextSettings,
  type ToolSettings,
} from './check-settings.ts';

/** Maximum time of a pattern on one answer, in ms. */
const patternTimeoutMs = 100;
const timeoutReason = `the pattern took over ${patternTimeoutMs} ms`;

/** Everything a check may use. */
export interface CheckedAnswer {
  /** Text of the first candidate, without reasoning. */
  text: string;
  finishReason?: string;
  toolCalls: { name: string; arguments: string }[];
  firstTokenMs?: number;
  totalMs?: number;
  tokensOut: Metric;
  /** Schema of the column's response_format. */
  schema?: StoredObject;
}

export function toCheckedAnswer(run: Run): CheckedAnswer {
  const candidate = getCandidate(run, 0);
  const schema = getRequestedFormat(run.setup.params)?.schema;
  return {
    text: getCheckedText(run),
    ...(candidate?.finishReason === undefined ? {} : { finishReason: candidate.finishReason }),
    toolCalls: (candidate?.parts ?? []).flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
    ),
    ...(run.firstTokenMs === undefined ? {} : { firstTokenMs: run.firstTokenMs }),
    ...(run.endedMs === undefined ? {} : { totalMs: run.endedMs }),
    tokensOut: computeMetrics(run).tokensOut,
    ...(schema ? { schema: toStoredObject(schema) } : {}),
  };
}

/** Returns the text expected for this case; `undefined` if the check expects none. */
export function getExpectedText(
  { expected }: Pick<Check, 'expected'>,
  values: Case['values'],
): string | undefined {
  if (!expected) return undefined;
  if ('text' in expected) return expected.text;
  return Object.hasOwn(values, expected.value) ? values[expected.value] : '';
}

/** Returns true if the check expects a value of the case and that value is empty. The check then excludes the case. */
export function isExcluded(check: Pick<Check, 'expected'>, values: Case['values']): boolean {
  return (
    check.expected !== undefined && 'value' in check.expected && getExpectedText(check, values)?.trim() === ''
  );
}

/** Returns a hash of the check and its expected text. A score with another hash is out of date. */
export function hashCheck(check: Check, values: Case['values']): string {
  const { kind, field, settings } = check;
  return computeShortHash(JSON.stringify([kind, field, settings, getExpectedText(check, values)]));
}

/** Returns a hash of the check without the expected values of the cases. */
export function hashCheckRule({ kind, field, settings, expected }: Check): string {
  return computeShortHash(JSON.stringify([kind, field, settings, expected]));
}

/** Returns the score for a pattern that exceeded its time limit. */
export function createTimeoutScore(check: Check, values: Case['values']): Score {
  return {
    of: hashCheck(check, values),
    result: 'no answer',
    why: timeoutReason,
  };
}

/** Returns true for the score of a pattern that exceeded its time limit. */
export function isTimeoutScore({ why }: Score): boolean {
  return why === timeoutReason;
}

/** Returns the score of a cell. Without an answer, every check scores 'no answer'; marks come from the user. */
export function applyCheck(
  check: Check,
  values: Case['values'],
  cell: Pick<Cell, 'outcome' | 'why'>,
  { answer, mark }: { answer?: CheckedAnswer; mark?: Mark['mark'] },
): Score {
  const hash = hashCheck(check, values);
  if (cell.outcome === 'no answer' || !answer)
    return { of: hash, result: 'no answer', ...(cell.why ? { why: cell.why } : {}) };
  if (check.kind === 'marks')
    return mark === undefined
      ? { of: hash, result: 'no answer', why: 'not marked' }
      : { of: hash, result: mark === 'right' ? 'passed' : 'failed', why: `marked ${mark}` };
  const settings = parseCheckSettings(check);
  if (!settings) return { of: hash, result: 'no answer', why: 'the check has invalid settings' };
  return { of: hash, ...scoreAnswer(check, settings, getExpectedText(check, values) ?? '', answer) };
}

/** Used for marks, which ignore the answer. */
const emptyAnswer: CheckedAnswer = { text: '', toolCalls: [], tokensOut: { kind: 'not yet' } };

/**
 * Returns the score of a cell if it belongs to the current version of the check. Marks are read from the stored marks.
 */
export function getCurrentScore(
  check: Check,
  cell: Cell,
  values: Case['values'],
  mark: Mark | undefined,
): Score | undefined {
  if (cell.outcome === 'no answer' || check.kind === 'marks')
    return applyCheck(check, values, cell, { answer: emptyAnswer, ...(mark ? { mark: mark.mark } : {}) });
  const score = cell.scores[check.id];
  return score?.of === hashCheck(check, values) ? score : undefined;
}

/**
 * Returns how a cell counts for a check: its score, but timeouts and answers that the gateway cut off count as failed.
 * `undefined` while the answer has to be checked.
 */
export function getCountedResult(
  trial: Pick<Trial, 'plan' | 'leavesOutTimeouts'>,
  check: Pick<Check, 'kind'>,
  cell: Pick<Cell, 'outcome' | 'why'>,
  score: Score | undefined,
): Result | undefined {
  const isTimeout = cell.outcome === 'no answer' && (cell.why === 'timed out' || cell.why === 'cut');
  if (isTimeout && check.kind !== 'marks' && countsTimeoutsAsFailed(trial)) return 'failed';
  return score?.result;
}

/** Returns true if timeouts and answers that were cut off count as failed in this trial. */
export function countsTimeoutsAsFailed(trial: Pick<Trial, 'plan' | 'leavesOutTimeouts'>): boolean {
  return getTrialRules(trial) === 2 && trial.leavesOutTimeouts !== true;
}

type CheckOutcome = Omit<Score, 'of'>;
const pass = (reason: string): CheckOutcome => ({ result: 'passed', why: reason });
const fail = (reason: string): CheckOutcome => ({ result: 'failed', why: reason });
/** Appended to the reason when a check for absence passes on an empty text. */
export const emptyRemark = 'the text is empty';
/** Passes a check for absence and points out an empty text, which passes trivially. */
const passAbsence = (reason: string, { text }: Pick<CheckedValue, 'text'>): CheckOutcome =>
  pass(text.trim() === '' ? `${reason}: ${emptyRemark}` : reason);
const quote = (text: string): string => `“${sanitizeForSentence(text)}”`;

function scoreAnswer(
  { field }: Check,
  settings: CheckSettings,
  expected: string,
  answer: CheckedAnswer,
): CheckOutcome {
  switch (settings.kind) {
    case 'is JSON':
      return checkJson(answer.text, settings.allowFence);
    case 'finish reason': {
      const finishReason = answer.finishReason;
      if (finishReason === settings.reason) return pass(`is ${quote(finishReason)}`);
      const actualText = finishReason === undefined ? 'is not reported' : `is ${quote(finishReason)}`;
      return fail(`${actualText}, expected ${quote(settings.reason)}`);
    }
    case 'called tool':
      return checkToolCall(settings, answer);
    case 'first token within':
      return checkTimeLimit('the first token', answer.firstTokenMs, settings.ms);
    case 'whole answer within':
      return checkTimeLimit('the whole answer', answer.totalMs, settings.ms);
    case 'marks':
      return { result: 'no answer', why: 'not marked' };
    default: {
      const checkedValue = getCheckedValue(field, answer.text);
      return 'why' in checkedValue
        ? fail(checkedValue.why)
        : scoreText(settings, expected, checkedValue, answer);
    }
  }
}

/** The whole text, or the value of the checked field as text and as JSON. */
interface CheckedValue {
  text: string;
  value?: Json;
}

function getCheckedValue(field: string | undefined, text: string): CheckedValue | { why: string } {
  if (field === undefined || field === '') return { text };
  const parsed = parseExactNumbers(parseJsonReply(text, false, true)?.text ?? text);
  if (!parsed.ok) return { why: 'is not JSON' };
  const value = getValueAtPath(parsed.value, field);
  if (value === undefined) return { why: `has no field ${sanitizeForSentence(field)}` };
  return { text: typeof value === 'string' ? value : writeExactJson(value), value };
}

/** All other kinds, which check the text or a field. */
type FieldSettings = Exclude<
  CheckSettings,
  { kind: 'is JSON' } | { kind: 'finish reason' } | ToolSettings | { ms: number } | { kind: 'marks' }
>;

/** Scores a text, or the value of a field. `answer` is used for its schema and its number of tokens. */
export function scoreText(
  settings: FieldSettings,
  expected: string,
  checkedValue: CheckedValue,
  answer: CheckedAnswer = emptyAnswer,
): CheckOutcome {
  const { text } = checkedValue;
  switch (settings.kind) {
    case 'equals':
      return isExpected(checkedValue, expected, settings)
        ? pass(`equals ${quote(expected.trim())}`)
        : fail(`is ${quote(text.trim())}, expected ${quote(expected.trim())}`);
    case 'one of': {
      const matchingLine = splitLines(expected).find((line) => isExpected(checkedValue, line, settings));
      if (matchingLine !== undefined) return pass(`equals ${quote(matchingLine)}`);
      return fail(`is ${quote(text.trim())}, not one of ${splitLines(expected).map(quote).join(', ')}`);
    }
    case 'contains': {
      const missingLines = splitLines(expected).filter(
        (line) => !containsLine(text, line, settings.ignoreCase),
      );
      const containedLine = splitLines(expected).find((line) =>
        containsLine(text, line, settings.ignoreCase),
      );
      if (settings.all && missingLines[0] !== undefined)
        return fail(`does not contain ${quote(missingLines[0])}`);
      if (containedLine !== undefined) return pass(`contains ${quote(containedLine)}`);
      return fail(`contains none of ${missingLines.map(quote).join(', ')}`);
    }
    case 'contains none': {
      const containedLine = splitLines(expected).find((line) =>
        containsLine(text, line, settings.ignoreCase),
      );
      return containedLine === undefined
        ? passAbsence('contains none', checkedValue)
        : fail(`contains ${quote(containedLine)}`);
    }
    case 'matches':
    case 'matches none': {
      const match = findMatch(text, settings);
      if (match instanceof Error) return { result: 'no answer', why: 'the pattern is invalid' };
      const hasPassed = (settings.kind === 'matches') === (match !== undefined);
      if (match === undefined) return hasPassed ? passAbsence('no match', checkedValue) : fail('no match');
      return hasPassed ? pass(`matches ${quote(match)}`) : fail(`matches ${quote(match)}`);
    }
    case 'fits schema':
      return checkSchema(
        checkedValue,
        settings.schema ?? (answer.schema === undefined ? undefined : parseStoredObject(answer.schema)),
      );
    case 'number within':
      return checkNumber(text, expected, settings);
    case 'length':
      return checkLength(text, settings, answer);
  }
}

/**
 * Returns true if the text is equal, or if the field is not a string and its JSON is equal: 1.0 equals 1, and no digit
 * is rounded.
 */
function isExpected({ text, value }: CheckedValue, expected: string, settings: TextSettings): boolean {
  if (normalizeText(text, settings) === normalizeText(expected, settings)) return true;
  if (value === undefined || typeof value === 'string') return false;
  const parsed = parseExactNumbers(expected);
  return parsed.ok && isEqualJson(value, parsed.value);
}

/** A text in quotation marks of one kind. */
const quotedPattern = /^(?:"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’|„[^“”]*[“”]|«[^»]*»)$/s;

/** Normalises both sides of a comparison. */
function normalizeText(
  text: string,
  { ignoreCase, ignoreSpace, ignoreLastStop, ignoreQuotes }: TextSettings,
): string {
  const withoutStop = (part: string): string =>
    ignoreLastStop && part.endsWith('.') ? part.slice(0, -1).trimEnd() : part;
  let normalized = withoutStop(text.trim());
  // The full stop is outside or inside of the quotation marks.
  if (ignoreQuotes && quotedPattern.test(normalized))
    normalized = withoutStop(normalized.slice(1, -1).trim());
  if (ignoreSpace) normalized = normalized.replaceAll(/\s/g, '');
  return ignoreCase ? normalized.toLowerCase() : normalized;
}

function splitLines(expected: string): string[] {
  return expected
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function containsLine(text: string, line: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(line.toLowerCase()) : text.includes(line);
}

/** Returns the first match, `undefined` if there is none, or an error if the pattern is invalid. */
function findMatch(
  text: string,
  { pattern, flags }: { pattern: string; flags: string },
): string | undefined | Error {
  try {
    return new RegExp(pattern, flags).exec(text)?.[0];
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkJson(text: string, allowFence: boolean): CheckOutcome {
  const parsed = parseJson(text);
  if (parsed.ok) return pass('is JSON');
  const fenced = parseJsonReply(text, false, true);
  if (fenced?.hasCodeFence !== true || !parseJson(fenced.text).ok) return fail('is not JSON');
  return allowFence ? pass('is JSON in a code fence') : fail('has a code fence around the JSON');
}

function checkSchema({ text, value }: CheckedValue, schema: JsonObject | undefined): CheckOutcome {
  if (!schema) return { result: 'no answer', why: 'no schema is set' };
  let json = value;
  if (json === undefined) {
    const parsed = parseExactNumbers(parseJsonReply(text, false, true)?.text ?? text);
    if (!parsed.ok) return fail('is not JSON');
    json = parsed.value;
  }
  const result = validateValue(json, schema);
  if (result.state === 'unusable') return { result: 'no answer', why: 'the schema cannot be used' };
  return result.state === 'fits' ? pass('fits the schema') : fail(result.problem.message);
}

/** Sign, digits with or without group separators, fraction and exponent. */
const pointNumberPattern = /[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const commaNumberPattern = /[-+−]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?:[eE][-+]?\d+)?/g;

/** Lists the numbers as digits with a decimal point and without group separators. */
function extractNumbers(text: string, decimal: 'point' | 'comma'): string[] {
  const isComma = decimal === 'comma';
  return [...text.matchAll(isComma ? commaNumberPattern : pointNumberPattern)].map(([numberText]) => {
    const digits = numberText
      .replace('−', '-')
      .replace(/^\+/, '')
      .replaceAll(isComma ? '.' : ',', '');
    return isComma ? digits.replace(',', '.') : digits;
  });
}

function checkNumber(
  text: string,
  expected: string,
  { tolerance, unit, which, decimal }: NumberSettings,
): CheckOutcome {
  const [expectedNumber] = extractNumbers(expected, decimal);
  if (expectedNumber === undefined) return { result: 'no answer', why: 'the expected value is not a number' };
  const numbers = extractNumbers(text, decimal);
  if (which === 'only' && numbers.length > 1) return fail(`has ${numbers.length} numbers`);
  const actual = which === 'last' ? numbers.at(-1) : numbers[0];
  if (actual === undefined) return fail('has no number');
  const magnitude = Math.abs(Number(expectedNumber));
  const percentTolerance = Number.isFinite(magnitude) ? (magnitude * tolerance) / 100 : 0;
  const allowedDistance = unit === 'percent' ? percentTolerance : tolerance;
  // 0.1 + 0.2 must be within 0 of 0.3; integers have no such rounding errors.
  const areIntegers = [actual, expectedNumber].every((number) => /^-?\d+$/.test(number));
  const roundingTolerance = areIntegers
    ? 1e-9 * allowedDistance
    : Math.max(1e-9, 1e-9 * allowedDistance, 1e-15 * magnitude);
  const isWithin =
    computeDistance(actual, expectedNumber) <=
    allowedDistance + (Number.isFinite(roundingTolerance) ? roundingTolerance : 0);
  if (isWithin) return pass(`is ${actual}`);
  return fail(
    `is ${actual}, expected ${expectedNumber}${tolerance === 0 ? '' : ` ± ${tolerance}${unit === 'percent' ? '%' : ''}`}`,
  );
}

function checkToolCall(settings: ToolSettings, { toolCalls, text }: CheckedAnswer): CheckOutcome {
  const [firstCall] = toolCalls;
  if ('none' in settings)
    return firstCall ? fail(`called ${quote(firstCall.name)}`) : passAbsence('called no tool', { text });
  const namedCalls = toolCalls.filter(({ name }) => name === settings.name);
  const [namedCall] = namedCalls;
  if (!namedCall) return fail(firstCall ? `called ${quote(firstCall.name)}` : 'called no tool');
  const expectedArguments = settings.arguments;
  if (!expectedArguments || namedCalls.some((call) => includesArguments(call.arguments, expectedArguments)))
    return pass(`called ${quote(namedCall.name)}`);
  return fail(`called ${quote(namedCall.name)} with ${quote(namedCall.arguments)}`);
}

function includesArguments(actualText: string, expected: JsonObject): boolean {
  const parsed = parseExactNumbers(actualText);
  return parsed.ok && isJsonSubset(expected, parsed.value);
}

/**
 * Returns true if `actual` contains `expected`. Objects may have additional keys; lists and plain values must be equal.
 */
function isJsonSubset(expected: Json, actual: Json | undefined): boolean {
  if (!isJsonObject(expected) || !isJsonObject(actual)) return isEqualJson(expected, actual);
  return Object.entries(expected).every(
    ([key, value]) => Object.hasOwn(actual, key) && isJsonSubset(value, actual[key]),
  );
}

/** Compares JSON regardless of key order, and numbers by their digits. */
function isEqualJson(a: Json, b: Json | undefined): boolean {
  const [digitsA, digitsB] = [getDigits(a), getDigits(b)];
  if (digitsA !== undefined && digitsB !== undefined) return compareDecimals(digitsA, digitsB) === 0;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqualJson(item, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  return Object.keys(a).length === Object.keys(b).length && isJsonSubset(a, b);
}

function getDigits(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof JsonSource ? value.text : undefined;
}

function checkLength(text: string, settings: LengthSettings, { tokensOut }: CheckedAnswer): CheckOutcome {
  const { unit, atLeast = 0, atMost = Number.POSITIVE_INFINITY } = settings;
  let [length, prefix] = [Array.from(text).length, ''];
  if (unit === 'words') length = text.split(/\s+/).filter((word) => word !== '').length;
  if (unit === 'tokens') {
    if (!('value' in tokensOut)) return { result: 'no answer', why: 'the token count is unknown' };
    length = tokensOut.value;
    prefix = tokensOut.kind === 'estimated' ? '~' : '';
  }
  const lengthText = `has ${prefix}${pluralize(length, unit.slice(0, -1))}`;
  if (length < atLeast) return fail(`${lengthText}, expected at least ${formatCount(atLeast)}`);
  return length > atMost ? fail(`${lengthText}, expected at most ${formatCount(atMost)}`) : pass(lengthText);
}

function checkTimeLimit(subject: string, ms: number | undefined, maxMs: number): CheckOutcome {
  if (ms === undefined) return fail(`${subject} did not arrive`);
  const { number, unit } = formatDuration(ms);
  const durationText = `${subject} took ${number} ${unit}`;
  return ms <= maxMs ? pass(durationText) : fail(`${durationText}, expected within ${formatCount(maxMs)} ms`);
}
