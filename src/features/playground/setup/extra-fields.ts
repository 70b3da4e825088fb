import {
  formatExactJson,
  listJsonMembers,
  parseExactJson,
  toPlainJson,
  writeExactJson,
} from '../../../lib/exact-json.ts';
import { isRecord, type Json } from '../../../lib/json.ts';

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
