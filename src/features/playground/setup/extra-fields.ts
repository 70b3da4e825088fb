import { isRecord, parseJson, type Json } from '../../../lib/json.ts';

/** Objects up to this many characters stay on one line. */
const oneLineLength = 38;

function written(entries: [string, Json][]): string {
  const one = `{ ${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')} }`;
  if (one.length <= oneLineLength) return one;
  const lines = entries.map(([key, value]) => {
    const indented = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
    return `  ${JSON.stringify(key)}: ${indented}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/**
 * The JSON object in `text` with one field more, or replaced. The value is read as JSON, and as a string where it
 * is none. Undefined while `text` is not a JSON object; an empty text is an empty object.
 */
export function withFieldAdded(text: string, name: string, value: string): string | undefined {
  const reading = parseJson(text.trim() === '' ? '{}' : text);
  if (!reading.ok || !isRecord(reading.value)) return undefined;
  const parsed = parseJson(value);
  const fields = new Map<string, Json>(Object.entries(reading.value));
  fields.set(name, parsed.ok ? parsed.value : value);
  return written([...fields]);
}
