import {
  formatExactJson,
  listJsonMembers,
  parseExactJson,
  toPlainJson,
  writeExactJson,
} from '../../../lib/exact-json.ts';
import { isRecord, type Json } from '../../../lib/json.ts';

interface KnownField {
  name: string;
  type: 'a number' | 'a whole number' | 'true or false' | 'text' | 'an object';
  /** JSON to begin with. */
  start: string;
  about: string;
}

/** Fields that several providers take and that have no row of their own. */
export const knownFields: readonly KnownField[] = [
  {
    name: 'min_p',
    type: 'a number',
    start: '0.05',
    about: 'Drops tokens that are less likely than this share of the likeliest token.',
  },
  {
    name: 'parallel_tool_calls',
    type: 'true or false',
    start: 'false',
    about: 'Whether the model may make several tool calls in one answer.',
  },
  {
    name: 'logprobs',
    type: 'true or false',
    start: 'true',
    about: 'Returns the log probability of each output token.',
  },
  {
    name: 'top_logprobs',
    type: 'a whole number',
    start: '5',
    about: 'How many of the likeliest tokens to return at each position. Needs logprobs.',
  },
  {
    name: 'service_tier',
    type: 'text',
    start: '"auto"',
    about: 'Which processing tier the provider uses, for example auto, default, flex or priority.',
  },
  {
    name: 'metadata',
    type: 'an object',
    start: '{"project": "test"}',
    about: 'Names with short texts that the provider stores with the request.',
  },
  {
    name: 'prompt_cache_key',
    type: 'text',
    start: '"bench"',
    about: 'Requests with the same key are more likely to use the same prompt cache.',
  },
];

/** Objects up to this many characters stay on one line. */
const oneLineLength = 38;

function written(entries: [string, Json][]): string {
  const one = `{ ${entries.map(([key, value]) => `${JSON.stringify(key)}: ${writeExactJson(value)}`).join(', ')} }`;
  if (one.length <= oneLineLength) return one;
  const lines = entries.map(([key, value]) => {
    const indented = formatExactJson(value).replaceAll('\n', '\n  ');
    return `  ${JSON.stringify(key)}: ${indented}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/**
 * The JSON object in `text` with one field more, or replaced. The value is read as JSON, and as a string where it
 * is none. Undefined while `text` is not a JSON object; an empty text is an empty object. The other fields keep their digits.
 */
export function withFieldAdded(text: string, name: string, value: string): string | undefined {
  const reading = parseExactJson(text.trim() === '' ? '{}' : text);
  if (!reading.ok || !isRecord(toPlainJson(reading.value))) return undefined;
  const parsed = parseExactJson(value);
  const fields = listJsonMembers(reading.value) ?? [];
  const field: [string, Json] = [name, parsed.ok ? parsed.value : value];
  const at = fields.findIndex(([key]) => key === name);
  const others = fields.filter(([key]) => key !== name);
  return written(others.toSpliced(at < 0 ? others.length : at, 0, field));
}
