/** Texts for the arguments of a tool: names, dates, addresses, free text. */
import { numberProperty, stringProperty } from '../../lib/json.ts';
import { dateOfDayNumber, dayNumber, weekdayNames, weekdayOf, type CalendarDate } from './calendar.ts';
import { readDates } from './date-reading.ts';
import { afterWords, escaped, namePattern, takeQuoted, type Evidence } from './evidence.ts';
import type { Schema } from './offered-tools.ts';

/** The value that the text gives for this argument, or undefined. Fits length and pattern. */
export function textFor(
  name: string,
  schema: Schema,
  evidence: Evidence,
  today: CalendarDate,
): string | undefined {
  const accept = (found: string) => fits(found, schema);
  const found = formatted(name, schema, evidence, today, accept) ?? explicit(name, evidence, accept);
  if (found !== undefined) return found;
  if (kindOf(name, schema) !== undefined) return undefined;
  const pattern = stringProperty(schema, 'pattern');
  if (pattern !== undefined) return evidence.take(/[\p{L}\p{N}][^\s,;?!§]{0,23}/u, accept);
  return byRole(name, schema, evidence, accept);
}

/** Arguments whose value is a sentence or several, not a name. */
export function isFreeText(name: string): boolean {
  return /query|search|text|message|content|prompt|question|body|note|description|instruction|input|sentence|comment|task|keyword|term|subject|title|code|expression|formula/iu.test(
    name,
  );
}

type Kind = 'date' | 'date-time' | 'time' | 'email' | 'url' | 'phone' | 'uuid' | 'currency';

/** What the format or the name says about the spelling of the value. */
function kindOf(name: string, schema: Schema): Kind | undefined {
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

function formatted(
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
      return evidence.take(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u, accept);
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

function isoDate({ year, month, day }: CalendarDate): string {
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

/** "city: Paris", "city = Paris", "the city is Paris". */
function explicit(name: string, evidence: Evidence, accept: (found: string) => boolean): string | undefined {
  const key = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[\s_-]+/u)
    .map(escaped)
    .join('[\\s_-]*');
  const quoted = evidence.take(
    new RegExp(`\\b${key}\\s*(?:[:=]|is|called|named)?\\s*["“]([^"”]+)["”]`, 'iu'),
    accept,
  );
  return (
    quoted ??
    evidence.take(
      new RegExp(
        `\\b${key}\\s*[:=]\\s*([^\\s,;§][^,;§\\n]*?)(?=[,;§\\n]|[.?!]?\\s*$|[.?!]\\s|\\s+and\\s)`,
        'iu',
      ),
      accept,
    )
  );
}

/** Which words stand before the value, by what the argument is called. */
function leadsOf(name: string): string[] {
  const words = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase();
  if (/(?:^|_)(?:from|origin|source|departure|start|sender|base)/u.test(words)) return ['from', 'between'];
  if (/(?:^|_)(?:to|destination|target|arrival|end|recipient|receiver)(?:$|_)/u.test(words))
    return ['to|into', 'for'];
  if (/city|place|location|country|region|area|address|where|zone|town|state/u.test(words))
    return ['in|at|near|around', 'for|of|to|from'];
  if (/name|person|contact|who|guest|customer|author|artist/u.test(words))
    return ['named|called|for|by|with|to', 'of|from'];
  if (/language|lang/u.test(words)) return ['into|in|to', 'from'];
  if (/symbol|ticker|stock|company/u.test(words)) return ['of|for|price of', 'in|at'];
  if (/topic|theme|category|genre/u.test(words)) return ['about|on|regarding', 'of|in|for'];
  return ['of|for|about|on|in', 'at|to|from|with|by|near'];
}

function byRole(
  name: string,
  schema: Schema,
  evidence: Evidence,
  accept: (found: string) => boolean,
): string | undefined {
  if (/expression|formula|equation|calculation/iu.test(name)) return takeExpression(evidence, accept);
  const isSentence = isFreeText(name);
  const quoted = isSentence ? takeQuoted(evidence) : undefined;
  if (quoted !== undefined) return cut(quoted, schema, accept);
  if (isSentence) return freeText(name, schema, evidence, accept);
  const [first = 'of', second = 'for'] = leadsOf(name);
  return (
    evidence.take(afterWords(first), accept) ??
    evidence.take(afterWords(second), accept) ??
    // A capital at the start of the sentence is only a start.
    evidence.take(new RegExp(`(?<=[^.?!§\\s]\\s+)(${namePattern})`, 'u'), accept) ??
    takeQuoted(evidence, accept)
  );
}

function takeExpression(evidence: Evidence, accept: (found: string) => boolean): string | undefined {
  const found = evidence.take(
    /((?:\(\s*)*-?\d[\d.,]*(?:\s*(?:[-+*/^×÷%]|\*\*)\s*(?:\(\s*)*-?\d[\d.,]*(?:\s*\))*)+(?:\s*[-+*/^×÷%]\s*\(?-?\d[\d.,]*\)*)*)/u,
    accept,
  );
  return found?.replace(/[.,]+$/, '');
}

/** What remains of the sentence when the words that give the order are gone: "search the web for X" leaves X. */
function freeText(
  name: string,
  schema: Schema,
  evidence: Evidence,
  accept: (found: string) => boolean,
): string | undefined {
  if (/subject|title/iu.test(name)) {
    return evidence.take(
      /\b(?:titled|called|named|subject|title|about|regarding)\s+([^.,;?!§\n]+?)(?=\s*(?:$|[.,;?!§]|\b(?:saying|that says|to|at|on|with)\b))/iu,
      accept,
    );
  }
  const said = evidence.take(
    /(?:\b(?:saying|that says|says|tell(?:ing)? (?:him|her|them)|with the (?:text|message|body)|text|message)\s*:?\s+|:\s+)([^§]+)$/iu,
    accept,
  );
  if (said !== undefined) return cut(said.replace(/^that\s+|\.\s*$/giu, ''), schema, accept);
  const order = String.raw`^(?:[^\p{L}\p{N}]*(?:please|can you|could you|would you|i want to|i would like to|let's))*\s*(?:search|look|find|google|query|translate|summari[sz]e|note|write|ask|tell me|show me|give me|send|post|remember|remind me|get|fetch|lookup)(?:\s+(?:up|out|down|me|for|to|about|on|the (?:web|internet|docs|documentation|database)|online|information|results?|a note|that))*\s+`;
  const after = new RegExp(`${order}(.+?)[.?!]*$`, 'iu').exec(withoutTaken(evidence))?.[1];
  if (after !== undefined) return cut(after, schema, accept);
  const about = evidence.take(/\b(?:for|about|on|of)\s+([^§?!]+?)[.?!]*$/iu, accept);
  return about === undefined ? undefined : cut(about, schema, accept);
}

function withoutTaken(evidence: Evidence): string {
  return evidence
    .rest()
    .replace(/[\s§]+/gu, ' ')
    .trim();
}

function cut(text: string, schema: Schema, accept: (found: string) => boolean): string | undefined {
  const most = numberProperty(schema, 'maxLength');
  const short = most === undefined ? text : [...text].slice(0, most).join('');
  return accept(short) ? short : undefined;
}

/** Patterns come with the request: they are tried on short texts only, so that a bad one can not run for long. */
const longestForPattern = 24;

function fits(text: string, schema: Schema): boolean {
  const length = [...text].length;
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
