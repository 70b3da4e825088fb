/** Converts the text in a parameter control to the value that is sent, or to an error message. */
import { parseExactJson, toPlainJson } from '../../lib/exact-json.ts';
import { isRecord, JsonSource, type Json, type JsonObject } from '../../lib/json.ts';

/** Parsed value or error; `offset` is the position of a JSON syntax error. */
export type ParamResult = { ok: true; value: Json } | { ok: false; problem: string; offset?: number };

export interface NumberRange {
  min?: number;
  max?: number;
  integer?: boolean;
}

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

function describeRange({ min, max, integer }: NumberRange): string {
  const numberKind = integer ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) {
    const range = `${numberFormat.format(min)} and ${numberFormat.format(max)}`;
    return `Must be between ${range}. Not sent.`;
  }
  if (min !== undefined) return `Must be ${numberKind}, ${numberFormat.format(min)} or more. Not sent.`;
  return `Must be ${numberKind}. Not sent.`;
}

const integerPattern = /^-?(?:0|[1-9]\d*)$/;

/** Parses numbers; integers beyond 2^53 are sent with the typed digits. */
export function createNumberReader(range: NumberRange): (text: string) => ParamResult {
  return (text) => {
    const digits = text.trim();
    const value = digits === '' ? Number.NaN : Number(digits);
    if (!Number.isFinite(value)) return { ok: false, problem: 'Must be a number. Not sent.' };
    const isLong = !Number.isSafeInteger(value) && integerPattern.test(digits);
    if (range.integer && !isLong && !Number.isSafeInteger(value)) {
      return { ok: false, problem: 'Must be a whole number. Not sent.' };
    }
    if ((range.min !== undefined && value < range.min) || (range.max !== undefined && value > range.max)) {
      return { ok: false, problem: describeRange(range) };
    }
    return { ok: true, value: isLong ? new JsonSource(digits) : value };
  };
}

export function parseSwitch(text: string): ParamResult {
  return { ok: true, value: text === 'true' };
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/**
 * Returns one item per line; `
 * `, `\t`, `\r` and `\\` are escapes.
 */
export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\\([ntr\\])/g, (match, letter: string) => escapes[letter] ?? match));
}

export function createLinesReader(maxLines: number): (text: string) => ParamResult {
  return (text) => {
    const lines = splitLines(text);
    if (lines.length === 0)
      return { ok: false, problem: 'Nothing to send yet. Enter one sequence per line.' };
    if (lines.length > maxLines) {
      return { ok: false, problem: `At most ${maxLines}, one per line. Not sent.` };
    }
    return { ok: true, value: lines };
  };
}

/** Value to send, with the typed digits, and the plain value for validation. */
type JsonTextResult = Exclude<ParamResult, { ok: true }> | { ok: true; value: Json; plainValue: Json };

function parseJsonText(
  text: string,
  isExpected: (value: Json) => boolean,
  expectedShape: string,
): JsonTextResult {
  const parsed = parseExactJson(text);
  if (!parsed.ok) {
    const problem =
      text.trim() === '' ? `Enter ${expectedShape}.` : `Not valid JSON: ${parsed.message}. Not sent.`;
    return parsed.offset === undefined
      ? { ok: false, problem }
      : { ok: false, problem, offset: parsed.offset };
  }
  const plainValue = toPlainJson(parsed.value);
  if (!isExpected(plainValue)) return { ok: false, problem: `Must be ${expectedShape}. Not sent.` };
  return { ok: true, value: parsed.value, plainValue };
}

function toParamResult(result: JsonTextResult): ParamResult {
  return result.ok ? { ok: true, value: result.value } : result;
}

export function parseJsonObject(text: string): ParamResult {
  return toParamResult(parseJsonText(text, isRecord, 'a JSON object'));
}

const biasRange: NumberRange = { min: -100, max: 100 };

/** Parses logit_bias (§2.1): a bias from -100 to 100 per token, keyed by token ID (most providers) or token text. */
export function parseLogitBias(text: string): ParamResult {
  const shape = 'a JSON object of token IDs and numbers, such as {"50256": -100}';
  const result = parseJsonText(text, isRecord, shape);
  if (!result.ok || !isRecord(result.plainValue)) return toParamResult(result);
  for (const [token, bias] of Object.entries(result.plainValue)) {
    if (typeof bias !== 'number') return { ok: false, problem: `Must be ${shape}. Not sent.` };
    const biasResult = createNumberReader(biasRange)(String(bias));
    if (!biasResult.ok) return { ok: false, problem: `Bias of ${token}: ${biasResult.problem}` };
  }
  return toParamResult(result);
}

/** Parses tools (§2.1). Function tools need a name; other types are accepted, because providers may support them. */
export function parseToolsParam(text: string): ParamResult {
  const result = parseJsonText(text, () => true, 'a list of tools');
  if (!result.ok) return result;
  if (!Array.isArray(result.plainValue))
    return { ok: false, problem: 'This is not a list of tools yet, so nothing is sent.' };
  if (result.plainValue.length === 0) return { ok: false, problem: 'No tools yet. Not sent.' };
  const names = new Set<string>();
  for (const [index, tool] of result.plainValue.entries()) {
    if (!isRecord(tool)) return { ok: false, problem: `Tool ${index + 1} is not an object. Not sent.` };
    if (tool['type'] !== 'function') continue;
    const definition = tool['function'];
    const name = isRecord(definition) ? definition['name'] : undefined;
    if (typeof name !== 'string' || name === '') {
      return { ok: false, problem: `Tool ${index + 1} has no function name. Not sent.` };
    }
    if (names.has(name)) return { ok: false, problem: `Two tools are named ${name}. Not sent.` };
    names.add(name);
    const parameters = isRecord(definition) ? definition['parameters'] : undefined;
    if (parameters !== undefined && !isRecord(parameters)) {
      return {
        ok: false,
        problem: `parameters of ${name} must be a JSON Schema object. Not sent.`,
      };
    }
  }
  return toParamResult(result);
}

/** Returns the names of function tools in the tools text, or an empty list if it is invalid. */
export function getToolNames(text: string): string[] {
  const result = parseToolsParam(text);
  const tools = result.ok ? toPlainJson(result.value) : [];
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const definition = isRecord(tool) ? tool['function'] : undefined;
    const name = isRecord(definition) ? definition['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/** Parses `text`, `json_object`, or the JSON of a whole response_format object (json_schema, passed through). */
export function parseResponseFormat(text: string): ParamResult {
  if (text === 'text' || text === 'json_object') return { ok: true, value: { type: text } };
  const result = parseJsonText(text, isRecord, 'a JSON object');
  if (!result.ok) return result;
  const format = result.plainValue;
  if (isRecord(format) && typeof format['type'] === 'string') return toParamResult(result);
  return { ok: false, problem: 'A response_format needs a type. Not sent.' };
}

/** Parses one word; any word is accepted, because providers add new ones. */
export function parseWord(text: string): ParamResult {
  return text.trim() === ''
    ? { ok: false, problem: 'Choose one. Not sent.' }
    : { ok: true, value: text.trim() };
}

/** Parses `auto`, `none`, `required` or `function:NAME`, which is sent as an object that names the function. */
export function parseToolChoice(text: string): ParamResult {
  if (!text.startsWith('function:')) {
    return text === '' ? { ok: false, problem: 'Choose one. Not sent.' } : { ok: true, value: text };
  }
  const value: JsonObject = { type: 'function', function: { name: text.slice('function:'.length) } };
  return { ok: true, value };
}
