/** A text for a required argument that the message does not give. */
import { numberProperty } from '../../lib/json.ts';
import type { Schema } from '../filling/offered-tools.ts';
import { isFreeText } from '../filling/text-filling.ts';
import { isoDate, kindOf, type Kind } from '../filling/text-formats.ts';
import type { CalendarDate } from '../questions/calendar.ts';
import { withoutTaken, type Evidence } from './evidence.ts';
import { cut, fits } from './text-limits.ts';

/** A text that fits the schema and claims nothing; free text gets the words of the message itself. */
export function fallbackText(name: string, schema: Schema, evidence: Evidence, today: CalendarDate): string {
  const accept = (text: string) => fits(text, schema);
  const ofKind: Readonly<Record<Kind, string>> = {
    date: isoDate(today),
    'date-time': `${isoDate(today)}T00:00:00Z`,
    time: '00:00:00Z',
    email: 'unknown@example.com',
    url: 'https://example.com/',
    phone: '000000',
    uuid: '00000000-0000-0000-0000-000000000000',
    currency: 'XXX',
  };
  const kind = kindOf(name, schema);
  const message = withoutTaken(evidence);
  const candidates = [
    ...(kind === undefined ? [] : [ofKind[kind]]),
    ...(isFreeText(name) && message !== '' ? [cut(message, schema, accept) ?? ''] : []),
    'unknown',
    'none',
    'X',
    'x',
    '0',
    '00',
    '000',
    '0000',
    '00000',
    'XX',
    'XXX',
    'XXXX',
    'A1',
    'AA-000',
    'AB-1234',
    '',
  ];
  const found =
    candidates.find((candidate) => candidate !== '' && accept(candidate)) ?? candidates.find(accept);
  if (found !== undefined) return found;
  const least = numberProperty(schema, 'minLength') ?? 1;
  return 'unknown '
    .repeat(Math.min(1000, Math.ceil(least / 8) + 1))
    .slice(0, numberProperty(schema, 'maxLength') ?? Math.max(7, least));
}
