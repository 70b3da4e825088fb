/** Ways in which a recorded stream goes wrong on its way: what programs, proxies and lines have been seen to do, as data. */
import { isRecord, getOwnProperty, parseJson } from '../../lib/json.ts';

/** Draws the same numbers for the same seed. */
export interface Chance {
  /** A whole number from 0 to below `count`. */
  below: (count: number) => number;
  oneOf: <T>(choices: readonly T[]) => T | undefined;
  /** A word that nothing else holds, to be looked for afterwards. */
  word: () => string;
}

/** A mutation is added by adding it to the list. */
export interface Mutation {
  name: string;
  change: (bytes: Uint8Array, chance: Chance) => Uint8Array;
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
  let words = 0;
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)],
    word: () => wordOf(90_000 + words++),
  };
}

/** The words that are looked for, as `w00012q`. */
export const anyWord = /w\d{5}q/g;
const wordOf = (number: number) => `w${String(number).padStart(5, '0')}q`;

const wordFields = new Set([
  'content',
  'text',
  'thinking',
  'reasoning',
  'reasoning_content',
  'refusal',
  'arguments',
  'message',
  'detail',
]);

/** The same stream with a word of its own in place of each different text that a model or an error says. */
export function withWords(stream: string): string {
  const known = new Map<string, string>();
  const replaced = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaced(item, key));
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, name)]));
    if (
      typeof value !== 'string' ||
      !wordFields.has(key) ||
      !/[\p{L}\p{N}]/u.test(value) ||
      value.includes('<')
    )
      return value;
    const word = known.get(value) ?? wordOf(known.size);
    known.set(value, word);
    return word;
  };
  return stream
    .split('\n')
    .map((line) => {
      const [prefix = ''] = /^(?:data: ?)?/.exec(line) ?? [];
      const reading = parseJson(line.slice(prefix.length));
      return reading.ok && isRecord(reading.value)
        ? prefix + JSON.stringify(replaced(reading.value, ''))
        : line;
    })
    .join('\n');
}

const utf8 = new TextEncoder();
const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const inText = (name: string, change: (text: string, chance: Chance) => string): Mutation => ({
  name,
  change: (bytes, chance) => utf8.encode(change(decoded(bytes), chance)),
});

function inParts(separator: string) {
  return (name: string, change: (parts: string[], at: number, chance: Chance) => string[]): Mutation =>
    inText(name, (text, chance) => {
      const parts = text.split(separator);
      return change(parts, chance.below(parts.length), chance).join(separator);
    });
}
const inEvents = inParts('\n\n');
const inLines = inParts('\n');

const between = (name: string, made: (chance: Chance) => string): Mutation =>
  inEvents(name, (events, at, chance) => events.toSpliced(at, 0, made(chance)));

/** One event's JSON as something else; events that hold none stay as they are. */
const inJson = (
  name: string,
  change: (value: Record<string, unknown>, chance: Chance) => unknown,
): Mutation =>
  inEvents(name, (events, at, chance) => {
    const reading = parseJson(events[at]?.replace(/^data: ?/, '') ?? '');
    if (!reading.ok || !isRecord(reading.value)) return events;
    const changed = change(reading.value, chance);
    return events.with(at, `data: ${typeof changed === 'string' ? changed : JSON.stringify(changed)}`);
  });

/** Every object in a value, with what it becomes. */
function deeply(
  value: unknown,
  change: (found: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => deeply(item, change));
  if (!isRecord(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, deeply(inner, change)])),
  );
}

const inField = (
  name: string,
  field: string,
  change: (value: unknown, chance: Chance) => unknown,
): Mutation =>
  inJson(name, (value, chance) =>
    deeply(value, (found) =>
      Object.hasOwn(found, field) ? { ...found, [field]: change(found[field], chance) } : found,
    ),
  );

const renamed = (field: string): Mutation =>
  inJson(`${field} under another name`, (value) =>
    deeply(value, (found) =>
      Object.fromEntries(
        Object.entries(found).map(([key, inner]) => [key === field ? `${key}_v2` : key, inner]),
      ),
    ),
  );

function spliced(bytes: Uint8Array, from: number, count: number, put: readonly number[] = []): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...put, ...bytes.subarray(from + count)]);
}

const page = (word: string) =>
  `<html><head><title>502 Bad Gateway</title></head>\n<body>${word}</body></html>`;
const otherTypes = (value: unknown): unknown[] => [
  [value],
  { text: value },
  { unheard: value },
  [[{ type: 'text', text: value }]],
  { type: 'output_text', text: value },
  [value, 7, true],
];

export const mutations: readonly Mutation[] = [
  inEvents('an event dropped', (events, at) => events.toSpliced(at, 1)),
  inEvents('an event doubled', (events, at) => events.toSpliced(at, 0, events[at] ?? '')),
  inEvents('an event moved', (events, at, { below }) => {
    const [event = ''] = events.slice(at, at + 1);
    return events.toSpliced(at, 1).toSpliced(below(events.length), 0, event);
  }),
  inEvents('a blank line dropped', (events, at) => [
    ...events.slice(0, at),
    events.slice(at, at + 2).join('\n'),
    ...events.slice(at + 2),
  ]),
  inEvents('two events run together', (events, at) => [
    ...events.slice(0, at),
    events.slice(at, at + 2).join(''),
    ...events.slice(at + 2),
  ]),
  inLines('a line dropped', (lines, at) => lines.toSpliced(at, 1)),
  inLines('a line doubled', (lines, at) => lines.toSpliced(at, 0, lines[at] ?? '')),
  inLines('a line moved', (lines, at, { below }) => {
    const [line = ''] = lines.slice(at, at + 1);
    return lines.toSpliced(at, 1).toSpliced(below(lines.length), 0, line);
  }),
  { name: 'bytes dropped', change: (bytes, { below }) => spliced(bytes, below(bytes.length), 1 + below(9)) },
  {
    name: 'bytes doubled',
    change: (bytes, { below }) => {
      const at = below(bytes.length);
      return spliced(bytes, at, 0, [...bytes.subarray(at, at + 1 + below(20))]);
    },
  },
  {
    name: 'two bytes swapped',
    change: (bytes, { below }) => {
      const at = below(Math.max(1, bytes.length - 1));
      return spliced(bytes, at, 2, [...bytes.subarray(at, at + 2)].toReversed());
    },
  },
  {
    name: 'a byte that is another',
    change: (bytes, { below }) => spliced(bytes, below(bytes.length), 1, [below(256)]),
  },
  { name: 'cut off', change: (bytes, { below }) => bytes.subarray(0, below(bytes.length + 1)) },
  {
    name: 'begun late',
    change: (bytes, { below }) => bytes.subarray(below(Math.min(bytes.length + 1, 200))),
  },
  {
    name: 'a hole',
    change: (bytes, { below }) => spliced(bytes, below(bytes.length), 1 + below(200)),
  },
  inText('line ends of two letters', (text) => text.replaceAll('\n', '\r\n')),
  inText('line ends as CR', (text) => text.replaceAll('\n', '\r')),
  inText('line ends mixed', (text, { oneOf }) =>
    text.replace(/\n/g, () => oneOf(['\n', '\r\n', '\r']) ?? ''),
  ),
  inLines('more blank lines', (lines, at, { below }) =>
    lines.toSpliced(at, 0, ...Array.from({ length: below(4) }, () => '')),
  ),
  inText('a byte order mark first', (text) => `\uFEFF${text}`),
  inLines('a byte order mark within', (lines, at) => lines.with(at, `\uFEFF${lines[at] ?? ''}`)),
  inText('a NUL', (text, { below }) => {
    const at = below(text.length + 1);
    return `${text.slice(0, at)}\0${text.slice(at)}`;
  }),
  between('a comment between events', ({ word }) => `: ${word()}`),
  inLines('a comment anywhere', (lines, at, { word }) => lines.toSpliced(at, 0, `:${word()}`)),
  between('a web page between events', ({ word }) => page(word())),
  inText('a web page first', (text, { word }) => `${page(word())}\n\n${text}`),
  between('words between events', ({ word }) => `Internal Server Error ${word()}`),
  inLines('words anywhere', (lines, at, { word }) => lines.toSpliced(at, 0, `upstream ${word()}: reset`)),
  inText('words last', (text, { word }) => `${text}no healthy upstream ${word()}`),
  between('an interim answer', () => 'HTTP/1.1 103 Early Hints\nlink: </style.css>'),
  inLines('sizes of chunks left in', (lines, at, { below }) =>
    lines.toSpliced(at, 0, below(4096).toString(16)),
  ),
  between(
    'a heartbeat',
    ({ oneOf }) =>
      oneOf(['data:', 'data: {}', 'event: ping\ndata: {}', ': ping', 'data: ping', 'id: 4']) ?? '',
  ),
  between('an error', ({ word }) => `data: {"error":{"message":"${word()}","code":502}}`),
  between('an error by its event', ({ word }) => `event: error\ndata: ${word()}`),
  between('words in place of a chunk', ({ word, oneOf }) => {
    const said = word();
    const forms = [
      { detail: said },
      { detail: [{ loc: ['body', 'n'], msg: said }] },
      { message: { text: said } },
      said,
      { note: said },
    ];
    return `data: ${JSON.stringify(oneOf(forms))}`;
  }),
  between('plain words as an event', ({ word }) => `data: sorry ${word()}`),
  between('the end mark early', () => 'data: [DONE]'),
  inText('no end mark', (text) => text.replaceAll('data: [DONE]\n\n', '')),
  inField('no finish reason', 'finish_reason', () => null),
  inField('a finish reason of another type', 'finish_reason', (value, { oneOf }) =>
    oneOf([true, 7, { type: value }, [value], false, '']),
  ),
  inField('content of another type', 'content', (value, { oneOf }) => oneOf(otherTypes(value))),
  inField('reasoning of another type', 'reasoning_content', (value, { oneOf }) => oneOf(otherTypes(value))),
  inField('arguments of another type', 'arguments', (value, { oneOf }) => oneOf([{ value }, [value]])),
  inField('a delta in a list', 'delta', (value) => [value]),
  inField('choices in a list too many', 'choices', (value) => [value]),
  inField('choices as a table', 'choices', (value) =>
    Array.isArray(value) ? Object.fromEntries(value.entries()) : value,
  ),
  inJson('a chunk in a wrapper', (value) => ({ data: value })),
  inJson('a chunk in a list', (value) => [value]),
  inJson('a delta without its wrapper', (value) => {
    const choices = getOwnProperty(value, 'choices');
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const delta = getOwnProperty(first, 'delta');
    return isRecord(delta) && isRecord(first)
      ? { ...value, choices: [{ ...first, delta: undefined, ...delta }] }
      : value;
  }),
  ...[
    'choices',
    'delta',
    'content',
    'reasoning_content',
    'tool_calls',
    'function',
    'arguments',
    'finish_reason',
  ].map(renamed),
  inField('an index of another type', 'index', (_, { oneOf }) =>
    oneOf(['0', -1, 0.5, 1e9, null, {}, '__proto__']),
  ),
  inField('ids that repeat', 'id', () => 'same'),
  inField('ids of another type', 'id', (_, { oneOf }) => oneOf([7, '', null, {}, true])),
  inField('a model that changes', 'model', (_, { oneOf }) => oneOf(['other', 4, null])),
  inField('usage of another type', 'usage', (_, { oneOf }) => oneOf(['9 tokens', 9, [], true])),
  inJson('JSON in a text', (value) => JSON.stringify(JSON.stringify(value))),
  inJson('JSON over several lines', (value) => JSON.stringify(value, null, 1).replaceAll('\n', '\ndata: ')),
  inJson('JSON over several lines without field names', (value) => JSON.stringify(value, null, 1)),
  inJson('JSON with a comma too many', (value) => `${JSON.stringify(value).slice(0, -1)},}`),
  inJson('JSON in single quotes', (value) => JSON.stringify(value).replaceAll('"', "'")),
  inJson('JSON cut short', (value, { below }) => JSON.stringify(value).slice(0, below(60))),
  inJson('JSON with letters escaped', (value) => JSON.stringify(value).replaceAll('e', String.raw`\u0065`)),
  inText('no field names at all', (text) => text.replace(/^data: ?/gm, '')),
  inText('no blank after the colon', (text) => text.replaceAll('data: ', 'data:')),
  inLines('a blank before the field', (lines, at) => lines.with(at, ` ${lines[at] ?? ''}`)),
  inLines('a field name in capitals', (lines, at) =>
    lines.with(at, (lines[at] ?? '').replace(/^data/, 'Data')),
  ),
  inLines('a field name twice', (lines, at) =>
    lines.with(at, (lines[at] ?? '').replace(/^data: /, 'data: data: ')),
  ),
  inEvents('an event with a name', (events, at, { oneOf }) =>
    events.with(at, `event: ${oneOf(['message', 'chunk', 'ping', 'delta'])}\n${events[at] ?? ''}`),
  ),
  inEvents('an event with an unknown field', (events, at) =>
    events.with(at, `x-trace: on\n${events[at] ?? ''}`),
  ),
  {
    name: 'UTF-16',
    change: (bytes) =>
      Uint8Array.from(
        decoded(bytes)
          .split('')
          .flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]),
      ),
  },
  {
    name: 'Latin-1',
    change: (bytes) =>
      Uint8Array.from(
        decoded(bytes)
          .split('')
          .map((letter) => letter.charCodeAt(0) & 255),
      ),
  },
  {
    name: 'bytes that are not text',
    change: (bytes, { below }) => spliced(bytes, below(bytes.length), 0, [0x1f, 0x8b, 8, 0, 0xff, 0xfe]),
  },
];
