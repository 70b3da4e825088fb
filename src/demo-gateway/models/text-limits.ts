/** Whether a text is within what its schema allows. */
import { numberProperty, stringProperty } from '../../lib/json.ts';
import type { Schema } from '../filling/offered-tools.ts';

/** The text up to maxLength, unless it is refused. */
export function cut(text: string, schema: Schema, accept: (found: string) => boolean): string | undefined {
  const most = numberProperty(schema, 'maxLength');
  const short = most === undefined ? text : Array.from(text).slice(0, most).join('');
  return accept(short) ? short : undefined;
}

/** Patterns come with the request: they are tried on short texts only, so that a bad one cannot run for long. */
const longestForPattern = 24;

/** Whether minLength, maxLength and pattern of the schema allow the text. */
export function fits(text: string, schema: Schema): boolean {
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(text).length;
  if (
    length < (numberProperty(schema, 'minLength') ?? 0) ||
    length > (numberProperty(schema, 'maxLength') ?? Number.POSITIVE_INFINITY)
  )
    return false;
  const pattern = stringProperty(schema, 'pattern');
  if (pattern === undefined) return true;
  if (length > longestForPattern) return false;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}
