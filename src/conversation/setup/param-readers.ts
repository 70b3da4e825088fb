/** How the text in a parameter's control becomes the value that is sent, or the sentence that says why not. */
import { isRecord, parseJson, type Json, type JsonObject } from '../../lib/json.ts';

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

export function readNumber(range: NumberRange): (text: string) => Reading {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text.trim());
    if (!Number.isFinite(value)) return { ok: false, problem: 'Must be a number. Not sent.' };
    if (range.integer && !Number.isSafeInteger(value)) {
      return { ok: false, problem: 'Must be a whole number. Not sent.' };
    }
    if ((range.min !== undefined && value < range.min) || (range.max !== undefined && value > range.max)) {
      return { ok: false, problem: rangeSentence(range) };
    }
    return { ok: true, value };
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

function readJson(text: string, isRight: (value: Json) => boolean, shape: string): Reading {
  const reading = parseJson(text);
  if (!reading.ok) {
    const problem = text.trim() === '' ? `Enter ${shape}.` : `Not valid JSON: ${reading.message}. Not sent.`;
    return reading.at === undefined ? { ok: false, problem } : { ok: false, problem, at: reading.at };
  }
  if (!isRight(reading.value)) return { ok: false, problem: `Must be ${shape}. Not sent.` };
  return { ok: true, value: reading.value };
}

export function readJsonObject(text: string): Reading {
  return readJson(text, isRecord, 'a JSON object');
}

const biasRange: NumberRange = { min: -100, max: 100 };

/** §2.1 logit_bias: tokens by id, as providers mostly have them, or by their text; each with a bias from -100 to 100. */
export function readLogitBias(text: string): Reading {
  const shape = 'a JSON object of token IDs and numbers, such as {"50256": -100}';
  const reading = readJson(text, isRecord, shape);
  if (!reading.ok || !isRecord(reading.value)) return reading;
  for (const [token, bias] of Object.entries(reading.value)) {
    if (typeof bias !== 'number') return { ok: false, problem: `Must be ${shape}. Not sent.` };
    const problem = readNumber(biasRange)(String(bias));
    if (!problem.ok) return { ok: false, problem: `Bias of ${token}: ${problem.problem}` };
  }
  return reading;
}

/** §2.1 tools: function-style tools must have a name; other types pass, providers may know them. */
export function readTools(text: string): Reading {
  const reading = readJson(text, Array.isArray, 'a JSON array of tools');
  if (!reading.ok || !Array.isArray(reading.value)) return reading;
  if (reading.value.length === 0) return { ok: false, problem: 'No tools yet. Not sent.' };
  const names = new Set<string>();
  for (const [index, tool] of reading.value.entries()) {
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
  return reading;
}

/** Names of the function tools in the text of the tools row; empty while it is not valid. */
export function toolNamesOf(text: string): string[] {
  const reading = readTools(text);
  if (!reading.ok || !Array.isArray(reading.value)) return [];
  return reading.value.flatMap((tool) => {
    const definition = isRecord(tool) ? tool['function'] : undefined;
    const name = isRecord(definition) ? definition['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/** `text`, `json_object`, or the JSON of a whole response_format object (json_schema, a marked pass-through). */
export function readResponseFormat(text: string): Reading {
  if (text === 'text' || text === 'json_object') return { ok: true, value: { type: text } };
  const reading = readJsonObject(text);
  if (!reading.ok) return reading;
  const format = reading.value;
  if (isRecord(format) && typeof format['type'] === 'string') return reading;
  return { ok: false, problem: 'A response_format needs a type. Not sent.' };
}

/** A word (`auto`, `none`, `required`) or `function:NAME`, sent as the object that names the function. */
export function readToolChoice(text: string): Reading {
  if (!text.startsWith('function:')) {
    return text === '' ? { ok: false, problem: 'Choose one. Not sent.' } : { ok: true, value: text };
  }
  const value: JsonObject = { type: 'function', function: { name: text.slice('function:'.length) } };
  return { ok: true, value };
}
