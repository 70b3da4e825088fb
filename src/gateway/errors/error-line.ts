import { isRecord, parseJson } from '../../lib/json.ts';
import { isErrorEventName, isErrorValue } from './error-value.ts';

/** Matches a field of an event stream whose value is JSON. */
const jsonField = /^\s*([\w.-]{1,60})[ \t]*:\s*(?=[[{])/;
const maxLines = 100;

/**
 * Returns the JSON of the first error in text that is not event data: as a field (`error: {…}`) or alone. `undefined`
 * for anything else, including plain-text errors.
 */
export function findErrorLine(text: string): string | undefined {
  // Most of these texts are keep-alive comments, so the cheap check comes first.
  if (!/[[{]/.test(text)) return undefined;
  const lines = text.includes('\n') ? text.split('\n', maxLines) : [];
  for (const line of [text, ...lines]) {
    const [start = '', name] = jsonField.exec(line) ?? [];
    const json = line.slice(start.length).trim();
    const parsed = parseJson(json);
    if (!parsed.ok) continue;
    const isErrorField = isErrorEventName(name) && isRecord(parsed.value);
    if (isErrorValue(isErrorField ? { error: parsed.value } : parsed.value)) return json;
  }
  return undefined;
}
