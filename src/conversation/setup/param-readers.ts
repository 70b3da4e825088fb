/** How the text in a parameter's control becomes the value that is sent, or the sentence that says why not. */
import { parseExactJson, toPlainJson } from '../../lib/exact-json.ts';
import { isRecord, JsonSource, type Json, type JsonObject } from '../../lib/json.ts';

/** `at`: the character where a JSON text breaks. */
export type Reading = { ok: true; value: Json } | { ok: false; problem: string; at?: number };

export interface NumberRange {
  min?: number;
  max?: number;
  integer?: boolean;
}

const formatted = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

function rangeSentence({ min, max, integer }: NumberRange): string {
  const what = integer ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) {
    const range = `${formatted.format(min)} to ${formatted.format(max)}`;
    return `Must be ${range}. Not sent.`;
  }
  if (min !== undefined) return `Must be ${what}, ${formatted.format(min)} or more. Not sent.`;
  return `Must be ${what}. Not sent.`;
}

const integer = /^-?(?:0|[1-9]\d*)$/;

/** Whole numbers beyond 2^53 are sent with the digits that were typed. */
export function readNumber(range: NumberRange): (text: string) => Reading {
  return (text) => {
    const digits = text.trim();
    const value = digits === '' ? Number.NaN : Number(digits);
    if (!Number.isFinite(value)) return { ok: false, problem: 'Must be a number. Not sent.' };
    const isLong = !Number.isSafeInteger(value) && integer.test(digits);
    if (range.integer && !isLong && !Number.isSafeInteger(value)) {
      return { ok: false, problem: 'Must be a whole number. Not sent.' };
    }
    if ((range.min !== undefined && value < range.min) || (range.max !== undefined && value > range.max)) {
      return { ok: false, problem: rangeSentence(range) };
    }
    return { ok: true, value: isLong ? new JsonSource(digits) : value };
  };
}

export function readSwitch(text: string): Reading {
  return { ok: true, value: text === 'true' };
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** One item per line; `\n`, `\t`, `\r` and `\\` stand for the characters themselves. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\\([ntr\\])/g, (whole, letter: string) => escapes[letter] ?? whole));
}

export function readLines(most: number): (text: string) => Reading {
  return (text) => {
    const lines = linesOf(text);
    if (lines.length === 0)
      return { ok: false, problem: 'Nothing to send yet: write one sequence per line.' };
    if (lines.length > most) {
      return { ok: false, problem: `At most ${most}, one per line. Not sent.` };
    }
    return { ok: true, value: lines };
  };
}

/** The value to send, with the typed digits, and the plain value to validate. */
type JsonTextReading = Exclude<Reading, { ok: true }> | { ok: true; value: Json; plain: Json };

function readJson(text: string, isRight: (value: Json) => boolean, shape: string): JsonTextReading {
  const reading = parseExactJson(text);
  if (!reading.ok) {
    const problem = text.trim() === '' ? `Enter ${shape}.` : `Not valid JSON: ${reading.message}. Not sent.`;
    return reading.offset === undefined ? { ok: false, problem } : { ok: false, problem, at: reading.offset };
  }
  const plain = toPlainJson(reading.value);
  if (!isRight(plain)) return { ok: false, problem: `Must be ${shape}. Not sent.` };
  return { ok: true, value: reading.value, plain };
}

function toReading(reading: JsonTextReading): Reading {
  return reading.ok ? { ok: true, value: reading.value } : reading;
}

export function readJsonObject(text: string): Reading {
  return toReading(readJson(text, isRecord, 'a JSON object'));
}

const biasRange: NumberRange = { min: -100, max: 100 };

/** §2.1 logit_bias: tokens by id, as providers mostly have them, or by their text; each with a bias from -100 to 100. */
export function readLogitBias(text: string): Reading {
  const shape = 'a JSON object of token IDs and numbers, such as {"50256": -100}';
  const reading = readJson(text, isRecord, shape);
  if (!reading.ok || !isRecord(reading.plain)) return toReading(reading);
  for (const [token, bias] of Object.entries(reading.plain)) {
    if (typeof bias !== 'number') return { ok: false, problem: `Must be ${shape}. Not sent.` };
    const problem = readNumber(biasRange)(String(bias));
    if (!problem.ok) return { ok: false, problem: `Bias of ${token}: ${problem.problem}` };
  }
  return toReading(reading);
}

/** §2.1 tools: function-style tools must have a name; other types pass, providers may know them. */
export function readTools(text: string): Reading {
  const reading = readJson(text, Array.isArray, 'a JSON array of tools');
  if (!reading.ok || !Array.isArray(reading.plain)) return toReading(reading);
  if (reading.plain.length === 0) return { ok: false, problem: 'No tools yet. Not sent.' };
  const names = new Set<string>();
  for (const [index, tool] of reading.plain.entries()) {
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
  return toReading(reading);
}

/** Names of the function tools in the text of the tools row; empty while it is not valid. */
export function toolNamesOf(text: string): string[] {
  const reading = readTools(text);
  const tools = reading.ok ? toPlainJson(reading.value) : [];
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const definition = isRecord(tool) ? tool['function'] : undefined;
    const name = isRecord(definition) ? definition['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/** `text`, `json_object`, or the JSON of a whole response_format object (json_schema, a marked pass-through). */
export function readResponseFormat(text: string): Reading {
  if (text === 'text' || text === 'json_object') return { ok: true, value: { type: text } };
  const reading = readJson(text, isRecord, 'a JSON object');
  if (!reading.ok) return reading;
  const format = reading.plain;
  if (isRecord(format) && typeof format['type'] === 'string') return toReading(reading);
  return { ok: false, problem: 'A response_format needs a type. Not sent.' };
}

/** Reads one word. Any is accepted, since providers add new ones. */
export function readWord(text: string): Reading {
  return text.trim() === ''
    ? { ok: false, problem: 'Choose one. Not sent.' }
    : { ok: true, value: text.trim() };
}

/** A word (`auto`, `none`, `required`) or `function:NAME`, sent as the object that names the function. */
export function readToolChoice(text: string): Reading {
  if (!text.startsWith('function:')) {
    return text === '' ? { ok: false, problem: 'Choose one. Not sent.' } : { ok: true, value: text };
  }
  const value: JsonObject = { type: 'function', function: { name: text.slice('function:'.length) } };
  return { ok: true, value };
}
