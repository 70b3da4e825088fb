/** Values with a spelling of their own: dates, times, addresses, currencies. */
import { stringProperty } from '../../lib/json.ts';
import { escaped, type Evidence } from '../models/evidence.ts';
import {
  dateOfDayNumber,
  dayNumber,
  weekdayNames,
  weekdayOf,
  type CalendarDate,
} from '../questions/calendar.ts';
import { readDates } from '../questions/date-reading.ts';
import type { Schema } from './offered-tools.ts';

export type Kind = 'date' | 'date-time' | 'time' | 'email' | 'url' | 'phone' | 'uuid' | 'currency';

/** What the format or the name says about the spelling of the value. */
export function kindOf(name: string, schema: Schema): Kind | undefined {
  const format = stringProperty(schema, 'format');
  const kinds: Readonly<Record<string, Kind>> = {
    date: 'date',
    'date-time': 'date-time',
    time: 'time',
    email: 'email',
    uri: 'url',
    url: 'url',
    uuid: 'uuid',
  };
  if (format !== undefined && Object.hasOwn(kinds, format)) return kinds[format];
  const words = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase();
  if (/e?mail/u.test(words) && !/body|subject|text|content/u.test(words)) return 'email';
  if (/(?:^|_)(?:url|uri|link|website)$/u.test(words)) return 'url';
  if (/(?:^|_)phone/u.test(words)) return 'phone';
  if (/currency/u.test(words) || /ISO 4217|currency code/iu.test(stringProperty(schema, 'description') ?? ''))
    return 'currency';
  if (/(?:^|_)(?:date|day|check_in|check_out|deadline|due)(?:$|_)/u.test(words)) return 'date';
  return undefined;
}

const timePattern =
  /\b(?:at )?(\d{1,2}:\d{2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?|noon|midnight)(?![\p{L}\d])/iu;

/** The value that the text has in the spelling that format or name ask for. */
export function formatted(
  name: string,
  schema: Schema,
  evidence: Evidence,
  today: CalendarDate,
  accept: (found: string) => boolean,
): string | undefined {
  switch (kindOf(name, schema)) {
    case 'date':
      return takeDate(evidence, today);
    case 'date-time': {
      const date = takeDate(evidence, today);
      const time = evidence.take(timePattern);
      return date === undefined && time === undefined
        ? undefined
        : `${date ?? isoDate(today)}T${clock(time ?? '0:00')}:00Z`;
    }
    case 'time': {
      const time = evidence.take(timePattern);
      return time === undefined ? undefined : `${clock(time)}:00Z`;
    }
    case 'email':
      return evidence.take(
        /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u,
        accept,
      );
    case 'url':
      return evidence.take(/\bhttps?:\/\/[^\s"'<>§]+[^\s"'<>§.,;?!)]/u, accept);
    case 'phone':
      return evidence.take(/\+?\d[\d ()/-]{5,}\d/u, accept);
    case 'uuid':
      return evidence.take(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/iu, accept);
    case 'currency':
      return takeCurrency(name, evidence, accept);
    default:
      if (/(?:^|_)time(?:$|_)/iu.test(name) && !/zone/iu.test(name)) {
        const time = evidence.take(timePattern);
        if (time !== undefined) return clock(time);
      }
      return undefined;
  }
}

/** A currency by its code or by its name; the target stands after "to", "in" or "into". */
function takeCurrency(
  name: string,
  evidence: Evidence,
  accept: (found: string) => boolean,
): string | undefined {
  const names: Readonly<Record<string, string>> = {
    dollar: 'USD',
    dollars: 'USD',
    $: 'USD',
    euro: 'EUR',
    euros: 'EUR',
    '€': 'EUR',
    pound: 'GBP',
    pounds: 'GBP',
    '£': 'GBP',
    yen: 'JPY',
    '¥': 'JPY',
    franc: 'CHF',
    francs: 'CHF',
    rupees: 'INR',
    yuan: 'CNY',
  };
  const word = String.raw`[A-Z]{3}(?!\p{L})|dollars?|euros?|pounds?|yen|francs?|rupees|yuan|[$€£¥]`;
  const lead = /to|target|dest|quote/iu.test(name) ? String.raw`\b(?:to|in|into)\s+` : '';
  const found =
    evidence.take(new RegExp(`${lead}(?<!\\p{L})(${word})`, 'u')) ??
    evidence.take(new RegExp(`(?<!\\p{L})(${word})`, 'u'));
  if (found === undefined) return undefined;
  const code = Object.hasOwn(names, found) ? names[found] : found;
  return code !== undefined && accept(code) ? code : undefined;
}

function takeDate(evidence: Evidence, today: CalendarDate): string | undefined {
  const reading = readDates(evidence.rest().replaceAll('§', '¶'), today);
  const [first] = 'dates' in reading ? reading.dates : [];
  if (first !== undefined) {
    evidence.take(new RegExp(escaped(first.written).replaceAll(' ', '\\s+'), 'u'));
    return isoDate(first.date);
  }
  const weekday = evidence.take(
    new RegExp(`\\b(?:on |next |this |coming )*(${weekdayNames.join('|')})\\b`, 'iu'),
  );
  if (weekday === undefined) return undefined;
  const wanted = weekdayNames.findIndex((day) => day.toLowerCase() === weekday.toLowerCase());
  const ahead = ((wanted - weekdayOf(today) + 6) % 7) + 1;
  return isoDate(dateOfDayNumber(dayNumber(today) + ahead) ?? today);
}

export function isoDate({ year, month, day }: CalendarDate): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** 24-hour HH:MM. */
function clock(time: string): string {
  if (/noon/iu.test(time)) return '12:00';
  if (/midnight/iu.test(time)) return '00:00';
  const [, hours = '0', minutes = '00'] = /(\d{1,2})(?::(\d{2}))?/.exec(time) ?? [];
  const isAfternoon = /p/iu.test(time);
  const hour = /[ap]/iu.test(time) ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
  return `${String(Math.min(hour, 23)).padStart(2, '0')}:${Number(minutes) < 60 ? minutes : '00'}`;
}
