import {
  formatExactJson,
  listJsonMembers,
  parseExactJson,
  toPlainJson,
  writeExactJson,
} from '../../lib/exact-json.ts';
import { isRecord, type Json } from '../../lib/json.ts';

interface KnownField {
  name: string;
  type: 'a number' | 'a whole number' | 'a boolean' | 'a string' | 'an object';
  /** Initial JSON value. */
  initialText: string;
  description: string;
}

/** Fields that several providers accept but that have no row. */
export const knownFields: readonly KnownField[] = [
  {
    name: 'min_p',
    type: 'a number',
    initialText: '0.05',
    description: 'Drops tokens whose probability is below this fraction of the highest probability.',
  },
  {
    name: 'parallel_tool_calls',
    type: 'a boolean',
    initialText: 'false',
    description: 'Whether the model may make several tool calls in one answer.',
  },
  {
    name: 'logprobs',
    type: 'a boolean',
    initialText: 'true',
    description: 'Returns the log probability of each output token.',
  },
  {
    name: 'top_logprobs',
    type: 'a whole number',
    initialText: '5',
    description: 'How many of the most likely tokens to return at each position. Requires logprobs.',
  },
  {
    name: 'service_tier',
    type: 'a string',
    initialText: '"auto"',
    description: 'Processing tier of the provider, such as auto, default, flex or priority.',
  },
  {
    name: 'metadata',
    type: 'an object',
    initialText: '{"project": "test"}',
    description: 'Short key-value pairs that the provider stores with the request.',
  },
  {
    name: 'prompt_cache_key',
    type: 'a string',
    initialText: '"bench"',
    description: 'Requests with the same key are more likely to use the same prompt cache.',
  },
];

/** Maximum length of an object that stays on one line. */
const maxLineChars = 38;

function formatObject(entries: [string, Json][]): string {
  const singleLine = `{ ${entries.map(([key, value]) => `${JSON.stringify(key)}: ${writeExactJson(value)}`).join(', ')} }`;
  if (singleLine.length <= maxLineChars) return singleLine;
  const lines = entries.map(([key, value]) => {
    const indented = formatExactJson(value).replaceAll('\n', '\n  ');
    return `  ${JSON.stringify(key)}: ${indented}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/**
 * Returns the JSON object in `text` with one field added or replaced. `value` is parsed as JSON, or used as a string if
 * it is not JSON. Returns `undefined` if `text` is not an object; empty text counts as an empty object. Numbers in
 * other fields keep their exact digits.
 */
export function withExtraField(text: string, name: string, value: string): string | undefined {
  const parsedText = parseExactJson(text.trim() === '' ? '{}' : text);
  if (!parsedText.ok || !isRecord(toPlainJson(parsedText.value))) return undefined;
  const parsedValue = parseExactJson(value);
  const fields = listJsonMembers(parsedText.value) ?? [];
  const field: [string, Json] = [name, parsedValue.ok ? parsedValue.value : value];
  const index = fields.findIndex(([key]) => key === name);
  const otherFields = fields.filter(([key]) => key !== name);
  return formatObject(otherFields.toSpliced(index < 0 ? otherFields.length : index, 0, field));
}
