import { validateValue } from '../../conversation/reply/json-check-schema.ts';
/**
 * What a check says of an answer: deterministic, without a model. Patterns may run for ever: this
 * runs in a worker that is ended after `patternMs`.
 */
import { getRequestedFormat, parseJsonReply } from '../../conversation/reply/json-reply-text.ts';
import { computeMetrics, type Metric } from '../../conversation/reply/metrics.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import type { Run } from '../../conversation/session/types.ts';
import { parseExactNumbers, writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatDuration, pluralize } from '../../lib/format.ts';
import { isJsonObject, JsonSource, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { compareDecimals, computeDistance } from '../../lib/text/decimal.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { answerText, shortHash } from '../cell.ts';
import type { Case, Cell, Check, Mark, Score } from '../trial.ts';
import {
  parseStoredObject,
  settingsOf,
  toStoredObject,
  valueAt,
  type CheckSettings,
  type LengthSettings,
  type NumberSettings,
  type StoredObject,
  type TextSettings,
  type ToolSettings,
} from './check-settings.ts';

/** How long a pattern may look at one answer. */
const patternMs = 100;

/** What a check may look at. */
export interface Answer {
  /** Of the first candidate, without reasoning. */
  text: string;
  finishReason?: string;
  toolCalls: { name: string; arguments: string }[];
  firstTokenMs?: number;
  totalMs?: number;
  tokensOut: Metric;
  /** Of the column's response_format. */
  schema?: StoredObject;
}

export function answerOf(run: Run): Answer {
  const choice = getCandidate(run, 0);
  const schema = getRequestedFormat(run.setup.params)?.schema;
  return {
    text: answerText(run),
    ...(choice?.finishReason === undefined ? {} : { finishReason: choice.finishReason }),
    toolCalls: (choice?.parts ?? []).flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
    ),
    ...(run.firstTokenMs === undefined ? {} : { firstTokenMs: run.firstTokenMs }),
    ...(run.endedMs === undefined ? {} : { totalMs: run.endedMs }),
    tokensOut: computeMetrics(run).tokensOut,
    ...(schema ? { schema: toStoredObject(schema) } : {}),
  };
}

/** The text that is expected of this case; undefined where the check expects none. */
export function expectedOf(
  { expected }: Pick<Check, 'expected'>,
  values: Case['values'],
): string | undefined {
  if (!expected) return undefined;
  if ('text' in expected) return expected.text;
  return Object.hasOwn(values, expected.value) ? values[expected.value] : '';
}

/** A case whose expected value is empty is left out for the check. */
export function isLeftOut(check: Pick<Check, 'expected'>, values: Case['values']): boolean {
  return (
    check.expected !== undefined && 'value' in check.expected && expectedOf(check, values)?.trim() === ''
  );
}

/** A hash of the check and of what it expects here: a score of another one is out of date. */
export function checkHash(check: Check, values: Case['values']): string {
  const { kind, field, settings } = check;
  return shortHash(JSON.stringify([kind, field, settings, expectedOf(check, values)]));
}

/** The score where the pattern had to be ended. */
export function tooSlowScore(check: Check, values: Case['values']): Score {
  return { of: checkHash(check, values), result: 'no answer', why: `the pattern took over ${patternMs} ms` };
}

/** The score of a cell. Without an answer every check has none; marks are a person's. */
export function scoreOf(
  check: Check,
  values: Case['values'],
  cell: Pick<Cell, 'outcome' | 'why'>,
  { answer, mark }: { answer?: Answer; mark?: Mark['mark'] },
): Score {
  const of = checkHash(check, values);
  if (cell.outcome === 'no answer' || !answer)
    return { of, result: 'no answer', ...(cell.why ? { why: cell.why } : {}) };
  if (check.kind === 'marks')
    return mark === undefined
      ? { of, result: 'no answer', why: 'not marked' }
      : { of, result: mark === 'right' ? 'passed' : 'failed', why: `marked ${mark}` };
  const settings = settingsOf(check);
  if (!settings) return { of, result: 'no answer', why: 'the settings of the check cannot be read' };
  return { of, ...scoreAnswer(check, settings, expectedOf(check, values) ?? '', answer) };
}

type Said = Omit<Score, 'of'>;
const passed = (why: string): Said => ({ result: 'passed', why });
const failed = (why: string): Said => ({ result: 'failed', why });
/** Added to the reason of a check of absence that passed on an empty text. */
export const emptyRemark = 'the text is empty';
/** Passes a check of absence and mentions an empty text, in which nothing can be found. */
const passAbsence = (why: string, { text }: Pick<Looked, 'text'>): Said =>
  passed(text.trim() === '' ? `${why}: ${emptyRemark}` : why);
const quoted = (text: string): string => `“${sanitizeForSentence(text)}”`;

function scoreAnswer({ field }: Check, settings: CheckSettings, expected: string, answer: Answer): Said {
  switch (settings.kind) {
    case 'is JSON':
      return isJson(answer.text, settings.allowFence);
    case 'finish reason': {
      const found = answer.finishReason;
      if (found === settings.reason) return passed(`is ${quoted(found)}`);
      const is = found === undefined ? 'is not reported' : `is ${quoted(found)}`;
      return failed(`${is}, expected ${quoted(settings.reason)}`);
    }
    case 'called tool':
      return calledTool(settings, answer);
    case 'first token within':
      return within('the first token', answer.firstTokenMs, settings.ms);
    case 'whole answer within':
      return within('the whole answer', answer.totalMs, settings.ms);
    case 'marks':
      return { result: 'no answer', why: 'not marked' };
    default: {
      const found = lookedAt(field, answer.text);
      return 'why' in found ? failed(found.why) : scoreText(settings, expected, found, answer);
    }
  }
}

/** The text, or the value of the field as text and as JSON. */
interface Looked {
  text: string;
  value?: Json;
}

function lookedAt(field: string | undefined, text: string): Looked | { why: string } {
  if (field === undefined || field === '') return { text };
  const reading = parseExactNumbers(parseJsonReply(text, false, true)?.text ?? text);
  if (!reading.ok) return { why: 'is not JSON' };
  const value = valueAt(reading.value, field);
  if (value === undefined) return { why: `has no field ${sanitizeForSentence(field)}` };
  return { text: typeof value === 'string' ? value : writeExactJson(value), value };
}

/** What is left of the kinds: those that look at the text or at a field. */
type FieldSettings = Exclude<
  CheckSettings,
  { kind: 'is JSON' } | { kind: 'finish reason' } | ToolSettings | { ms: number } | { kind: 'marks' }
>;

function scoreText(settings: FieldSettings, expected: string, looked: Looked, answer: Answer): Said {
  const { text } = looked;
  switch (settings.kind) {
    case 'equals':
      return isExpected(looked, expected, settings)
        ? passed(`equals ${quoted(expected.trim())}`)
        : failed(`is ${quoted(text.trim())}, expected ${quoted(expected.trim())}`);
    case 'one of': {
      const found = linesOf(expected).find((line) => isExpected(looked, line, settings));
      if (found !== undefined) return passed(`equals ${quoted(found)}`);
      return failed(`is ${quoted(text.trim())}, not one of ${linesOf(expected).map(quoted).join(', ')}`);
    }
    case 'contains': {
      const missing = linesOf(expected).filter((line) => !holds(text, line, settings.ignoreCase));
      const found = linesOf(expected).find((line) => holds(text, line, settings.ignoreCase));
      if (settings.all && missing[0] !== undefined) return failed(`does not contain ${quoted(missing[0])}`);
      if (found !== undefined) return passed(`contains ${quoted(found)}`);
      return failed(`contains none of ${missing.map(quoted).join(', ')}`);
    }
    case 'contains none': {
      const found = linesOf(expected).find((line) => holds(text, line, settings.ignoreCase));
      return found === undefined ? passAbsence('contains none', looked) : failed(`contains ${quoted(found)}`);
    }
    case 'matches':
    case 'matches none': {
      const found = matchOf(text, settings);
      if (found instanceof Error) return { result: 'no answer', why: 'the pattern cannot be read' };
      const isWanted = (settings.kind === 'matches') === (found !== undefined);
      if (found === undefined) return isWanted ? passAbsence('no match', looked) : failed('no match');
      return isWanted ? passed(`matches ${quoted(found)}`) : failed(`matches ${quoted(found)}`);
    }
    case 'fits schema':
      return fitsSchema(
        looked,
        settings.schema ?? (answer.schema === undefined ? undefined : parseStoredObject(answer.schema)),
      );
    case 'number within':
      return numberWithin(text, expected, settings);
    case 'length':
      return lengthOf(text, settings, answer);
  }
}

/** True if equal as text, or as JSON if a field holds no text: 1.0 equals 1, and no digit is rounded. */
function isExpected({ text, value }: Looked, expected: string, settings: TextSettings): boolean {
  if (plain(text, settings) === plain(expected, settings)) return true;
  if (value === undefined || typeof value === 'string') return false;
  const reading = parseExactNumbers(expected);
  return reading.ok && isEqualJson(value, reading.value);
}

/** Both sides are compared like this. */
function plain(text: string, { ignoreCase, ignoreSpace, ignoreLastStop }: TextSettings): string {
  let found = text.trim();
  if (ignoreLastStop && found.endsWith('.')) found = found.slice(0, -1).trimEnd();
  if (ignoreSpace) found = found.replaceAll(/\s/g, '');
  return ignoreCase ? found.toLowerCase() : found;
}

function linesOf(expected: string): string[] {
  return expected
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function holds(text: string, line: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(line.toLowerCase()) : text.includes(line);
}

/** What the pattern found first; undefined without a match; an error where it is not a pattern. */
function matchOf(
  text: string,
  { pattern, flags }: { pattern: string; flags: string },
): string | undefined | Error {
  try {
    return new RegExp(pattern, flags).exec(text)?.[0];
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function isJson(text: string, allowFence: boolean): Said {
  const reading = parseJson(text);
  if (reading.ok) return passed('is JSON');
  const fenced = parseJsonReply(text, false, true);
  if (fenced?.hasCodeFence !== true || !parseJson(fenced.text).ok) return failed('is not JSON');
  return allowFence ? passed('is JSON in a fence') : failed('has a fence around its JSON');
}

function fitsSchema({ text, value }: Looked, schema: JsonObject | undefined): Said {
  if (!schema) return { result: 'no answer', why: 'there is no schema' };
  let found = value;
  if (found === undefined) {
    const reading = parseExactNumbers(parseJsonReply(text, false, true)?.text ?? text);
    if (!reading.ok) return failed('is not JSON');
    found = reading.value;
  }
  const check = validateValue(found, schema);
  if (check.state === 'unusable') return { result: 'no answer', why: 'the schema cannot be read' };
  return check.state === 'fits' ? passed('fits the schema') : failed(check.problem.message);
}

/** Signs, digits in groups of three or plain, a fraction and an exponent. */
const pointNumber = /[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const commaNumber = /[-+−]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?:[eE][-+]?\d+)?/g;

/** Lists the numbers as digits with a decimal point and without group separators. */
function numbersIn(text: string, decimal: 'point' | 'comma'): string[] {
  const isComma = decimal === 'comma';
  return [...text.matchAll(isComma ? commaNumber : pointNumber)].map(([found]) => {
    const digits = found
      .replace('−', '-')
      .replace(/^\+/, '')
      .replaceAll(isComma ? '.' : ',', '');
    return isComma ? digits.replace(',', '.') : digits;
  });
}

function numberWithin(
  text: string,
  expected: string,
  { tolerance, unit, which, decimal }: NumberSettings,
): Said {
  const [wanted] = numbersIn(expected, decimal);
  if (wanted === undefined) return { result: 'no answer', why: 'the expected value is not a number' };
  const numbers = numbersIn(text, decimal);
  if (which === 'only' && numbers.length > 1) return failed(`has ${numbers.length} numbers`);
  const found = which === 'last' ? numbers.at(-1) : numbers[0];
  if (found === undefined) return failed('has no number');
  const size = Math.abs(Number(wanted));
  const percent = Number.isFinite(size) ? (size * tolerance) / 100 : 0;
  const room = unit === 'percent' ? percent : tolerance;
  // 0.1 + 0.2 is within 0 of 0.3; whole numbers have no such rounding errors.
  const isWhole = [found, wanted].every((number) => /^-?\d+$/.test(number));
  const dust = isWhole ? 1e-9 * room : Math.max(1e-9, 1e-9 * room, 1e-15 * size);
  const isWithin = computeDistance(found, wanted) <= room + (Number.isFinite(dust) ? dust : 0);
  if (isWithin) return passed(`is ${found}`);
  return failed(
    `is ${found}, expected ${wanted}${tolerance === 0 ? '' : ` ± ${tolerance}${unit === 'percent' ? ' %' : ''}`}`,
  );
}

function calledTool(settings: ToolSettings, { toolCalls, text }: Answer): Said {
  const [first] = toolCalls;
  if ('none' in settings)
    return first ? failed(`called ${quoted(first.name)}`) : passAbsence('called no tool', { text });
  const named = toolCalls.filter(({ name }) => name === settings.name);
  const [one] = named;
  if (!one) return failed(first ? `called ${quoted(first.name)}` : 'called no tool');
  const wanted = settings.arguments;
  if (!wanted || named.some((call) => includes(call.arguments, wanted)))
    return passed(`called ${quoted(one.name)}`);
  return failed(`called ${quoted(one.name)} with ${quoted(one.arguments)}`);
}

function includes(given: string, wanted: JsonObject): boolean {
  const reading = parseExactNumbers(given);
  return reading.ok && isPartOf(wanted, reading.value);
}

/** Objects may hold more than is wanted; lists and plain values are the same. */
function isPartOf(wanted: Json, given: Json | undefined): boolean {
  if (!isJsonObject(wanted) || !isJsonObject(given)) return isEqualJson(wanted, given);
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(given, key) && isPartOf(value, given[key]),
  );
}

/** Compares JSON with keys in any order, and numbers by their digits. */
function isEqualJson(one: Json, other: Json | undefined): boolean {
  const [digits, otherDigits] = [getDigits(one), getDigits(other)];
  if (digits !== undefined && otherDigits !== undefined) return compareDecimals(digits, otherDigits) === 0;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isEqualJson(item, other[index]))
    );
  if (!isJsonObject(one) || !isJsonObject(other)) return one === other;
  return Object.keys(one).length === Object.keys(other).length && isPartOf(one, other);
}

function getDigits(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof JsonSource ? value.text : undefined;
}

function lengthOf(text: string, settings: LengthSettings, { tokensOut }: Answer): Said {
  const { unit, atLeast = 0, atMost = Number.POSITIVE_INFINITY } = settings;
  let [length, sign] = [Array.from(text).length, ''];
  if (unit === 'words') length = text.split(/\s+/).filter((word) => word !== '').length;
  if (unit === 'tokens') {
    if (!('value' in tokensOut)) return { result: 'no answer', why: 'tokens are not known' };
    length = tokensOut.value;
    sign = tokensOut.kind === 'estimated' ? '~' : '';
  }
  const has = `has ${sign}${pluralize(length, unit.slice(0, -1))}`;
  if (length < atLeast) return failed(`${has}, expected at least ${formatCount(atLeast)}`);
  return length > atMost ? failed(`${has}, expected at most ${formatCount(atMost)}`) : passed(has);
}

function within(what: string, ms: number | undefined, most: number): Said {
  if (ms === undefined) return failed(`${what} was not seen`);
  const { number, unit } = formatDuration(ms);
  const took = `${what} took ${number} ${unit}`;
  return ms <= most ? passed(took) : failed(`${took}, expected within ${formatCount(most)} ms`);
}
