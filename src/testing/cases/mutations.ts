/** Kinds of damage to a recorded stream that programs, proxies and networks have been seen to cause. */
import { isRecord, getOwnProperty, parseJson } from '../../lib/json.ts';
import { createSeededRandom } from '../../lib/random.ts';

/** Returns the same numbers for the same seed. */
export interface RandomSource {
  /** Returns a whole number from 0 to below `count`. */
  drawBelow: (count: number) => number;
  pickOne: <T>(choices: readonly T[]) => T | undefined;
  /** Returns a unique word that can be searched for afterwards. */
  createWord: () => string;
}

/** One kind of damage; every entry of the list is tested. */
export interface Mutation {
  name: string;
  change: (bytes: Uint8Array, random: RandomSource) => Uint8Array;
}

export function createRandomSource(seed: number): RandomSource {
  const random = createSeededRandom(seed);
  const drawBelow = (count: number) => Math.floor(random() * count);
  let wordCount = 0;
  return {
    drawBelow,
    pickOne: (choices) => choices[drawBelow(choices.length)],
    createWord: () => formatWord(90_000 + wordCount++),
  };
}

/** Matches the words that are searched for, such as `w00012q`. */
export const wordPattern = /w\d{5}q/g;
const formatWord = (number: number) => `w${String(number).padStart(5, '0')}q`;

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

/** Replaces each distinct text in the stream that comes from a model or an error with a unique word. */
export function withWords(stream: string): string {
  const wordsByText = new Map<string, string>();
  const replaceTexts = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaceTexts(item, key));
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, replaceTexts(inner, name)]),
      );
    if (
      typeof value !== 'string' ||
      !wordFields.has(key) ||
      !/[\p{L}\p{N}]/u.test(value) ||
      value.includes('<')
    )
      return value;
    const word = wordsByText.get(value) ?? formatWord(wordsByText.size);
    wordsByText.set(value, word);
    return word;
  };
  return stream
    .split('\n')
    .map((line) => {
      const [prefix = ''] = /^(?:data: ?)?/.exec(line) ?? [];
      const parsed = parseJson(line.slice(prefix.length));
      return parsed.ok && isRecord(parsed.value)
        ? prefix + JSON.stringify(replaceTexts(parsed.value, ''))
        : line;
    })
    .join('\n');
}

const utf8 = new TextEncoder();
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const mutateText = (name: string, change: (text: string, random: RandomSource) => string): Mutation => ({
  name,
  change: (bytes, random) => utf8.encode(change(decode(bytes), random)),
});

function createPartsMutator(separator: string) {
  return (
    name: string,
    change: (parts: string[], index: number, random: RandomSource) => string[],
  ): Mutation =>
    mutateText(name, (text, random) => {
      const parts = text.split(separator);
      return change(parts, random.drawBelow(parts.length), random).join(separator);
    });
}
const mutateEvents = createPartsMutator('\n\n');
const mutateLines = createPartsMutator('\n');

const insertBetween = (name: string, createText: (random: RandomSource) => string): Mutation =>
  mutateEvents(name, (events, index, random) => events.toSpliced(index, 0, createText(random)));

/** Changes the JSON of one event; events without JSON are left unchanged. */
const mutateJson = (
  name: string,
  change: (value: Record<string, unknown>, random: RandomSource) => unknown,
): Mutation =>
  mutateEvents(name, (events, index, random) => {
    const parsed = parseJson(events[index]?.replace(/^data: ?/, '') ?? '');
    if (!parsed.ok || !isRecord(parsed.value)) return events;
    const changed = change(parsed.value, random);
    return events.with(index, `data: ${typeof changed === 'string' ? changed : JSON.stringify(changed)}`);
  });

/** Applies a change to every object in a value. */
function mapObjects(
  value: unknown,
  change: (record: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isRecord(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])),
  );
}

const mutateField = (
  name: string,
  field: string,
  change: (value: unknown, random: RandomSource) => unknown,
): Mutation =>
  mutateJson(name, (value, random) =>
    mapObjects(value, (record) =>
      Object.hasOwn(record, field) ? { ...record, [field]: change(record[field], random) } : record,
    ),
  );

const renameField = (field: string): Mutation =>
  mutateJson(`${field} under another name`, (value) =>
    mapObjects(value, (record) =>
      Object.fromEntries(
        Object.entries(record).map(([key, inner]) => [key === field ? `${key}_v2` : key, inner]),
      ),
    ),
  );

function spliceBytes(
  bytes: Uint8Array,
  from: number,
  count: number,
  inserted: readonly number[] = [],
): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...inserted, ...bytes.subarray(from + count)]);
}

const formatErrorPage = (word: string) =>
  `<html><head><title>502 Bad Gateway</title></head>\n<body>${word}</body></html>`;
const listOtherTypes = (value: unknown): unknown[] => [
  [value],
  { text: value },
  { unheard: value },
  [[{ type: 'text', text: value }]],
  { type: 'output_text', text: value },
  [value, 7, true],
];

export const mutations: readonly Mutation[] = [
  mutateEvents('an event dropped', (events, index) => events.toSpliced(index, 1)),
  mutateEvents('an event doubled', (events, index) => events.toSpliced(index, 0, events[index] ?? '')),
  mutateEvents('an event moved', (events, index, { drawBelow }) => {
    const [event = ''] = events.slice(index, index + 1);
    return events.toSpliced(index, 1).toSpliced(drawBelow(events.length), 0, event);
  }),
  mutateEvents('a blank line dropped', (events, index) => [
    ...events.slice(0, index),
    events.slice(index, index + 2).join('\n'),
    ...events.slice(index + 2),
  ]),
  mutateEvents('two events run together', (events, index) => [
    ...events.slice(0, index),
    events.slice(index, index + 2).join(''),
    ...events.slice(index + 2),
  ]),
  mutateLines('a line dropped', (lines, index) => lines.toSpliced(index, 1)),
  mutateLines('a line doubled', (lines, index) => lines.toSpliced(index, 0, lines[index] ?? '')),
  mutateLines('a line moved', (lines, index, { drawBelow }) => {
    const [line = ''] = lines.slice(index, index + 1);
    return lines.toSpliced(index, 1).toSpliced(drawBelow(lines.length), 0, line);
  }),
  {
    name: 'bytes dropped',
    change: (bytes, { drawBelow }) => spliceBytes(bytes, drawBelow(bytes.length), 1 + drawBelow(9)),
  },
  {
    name: 'bytes doubled',
    change: (bytes, { drawBelow }) => {
      const offset = drawBelow(bytes.length);
      return spliceBytes(bytes, offset, 0, [...bytes.subarray(offset, offset + 1 + drawBelow(20))]);
    },
  },
  {
    name: 'two bytes swapped',
    change: (bytes, { drawBelow }) => {
      const offset = drawBelow(Math.max(1, bytes.length - 1));
      return spliceBytes(bytes, offset, 2, [...bytes.subarray(offset, offset + 2)].toReversed());
    },
  },
  {
    name: 'a byte that is another',
    change: (bytes, { drawBelow }) => spliceBytes(bytes, drawBelow(bytes.length), 1, [drawBelow(256)]),
  },
  { name: 'cut off', change: (bytes, { drawBelow }) => bytes.subarray(0, drawBelow(bytes.length + 1)) },
  {
    name: 'begun late',
    change: (bytes, { drawBelow }) => bytes.subarray(drawBelow(Math.min(bytes.length + 1, 200))),
  },
  {
    name: 'a hole',
    change: (bytes, { drawBelow }) => spliceBytes(bytes, drawBelow(bytes.length), 1 + drawBelow(200)),
  },
  mutateText('line ends of two letters', (text) => text.replaceAll('\n', '\r\n')),
  mutateText('line ends as CR', (text) => text.replaceAll('\n', '\r')),
  mutateText('line ends mixed', (text, { pickOne }) =>
    text.replace(/\n/g, () => pickOne(['\n', '\r\n', '\r']) ?? ''),
  ),
  mutateLines('more blank lines', (lines, index, { drawBelow }) =>
    lines.toSpliced(index, 0, ...Array.from({ length: drawBelow(4) }, () => '')),
  ),
  mutateText('a byte order mark first', (text) => `\uFEFF${text}`),
  mutateLines('a byte order mark within', (lines, index) => lines.with(index, `\uFEFF${lines[index] ?? ''}`)),
  mutateText('a NUL', (text, { drawBelow }) => {
    const offset = drawBelow(text.length + 1);
    return `${text.slice(0, offset)}\0${text.slice(offset)}`;
  }),
  insertBetween('a comment between events', ({ createWord }) => `: ${createWord()}`),
  mutateLines('a comment anywhere', (lines, index, { createWord }) =>
    lines.toSpliced(index, 0, `:${createWord()}`),
  ),
  insertBetween('a web page between events', ({ createWord }) => formatErrorPage(createWord())),
  mutateText('a web page first', (text, { createWord }) => `${formatErrorPage(createWord())}\n\n${text}`),
  insertBetween('words between events', ({ createWord }) => `Internal Server Error ${createWord()}`),
  mutateLines('words anywhere', (lines, index, { createWord }) =>
    lines.toSpliced(index, 0, `upstream ${createWord()}: reset`),
  ),
  mutateText('words last', (text, { createWord }) => `${text}no healthy upstream ${createWord()}`),
  insertBetween('an interim answer', () => 'HTTP/1.1 103 Early Hints\nlink: </style.css>'),
  mutateLines('sizes of chunks left in', (lines, index, { drawBelow }) =>
    lines.toSpliced(index, 0, drawBelow(4096).toString(16)),
  ),
  insertBetween(
    'a heartbeat',
    ({ pickOne }) =>
      pickOne(['data:', 'data: {}', 'event: ping\ndata: {}', ': ping', 'data: ping', 'id: 4']) ?? '',
  ),
  insertBetween('an error', ({ createWord }) => `data: {"error":{"message":"${createWord()}","code":502}}`),
  insertBetween('an error by its event', ({ createWord }) => `event: error\ndata: ${createWord()}`),
  insertBetween('words in place of a chunk', ({ createWord, pickOne }) => {
    const errorText = createWord();
    const forms = [
      { detail: errorText },
      { detail: [{ loc: ['body', 'n'], msg: errorText }] },
      { message: { text: errorText } },
      errorText,
      { note: errorText },
    ];
    return `data: ${JSON.stringify(pickOne(forms))}`;
  }),
  insertBetween('plain words as an event', ({ createWord }) => `data: sorry ${createWord()}`),
  insertBetween('the end mark early', () => 'data: [DONE]'),
  mutateText('no end mark', (text) => text.replaceAll('data: [DONE]\n\n', '')),
  mutateField('no finish reason', 'finish_reason', () => null),
  mutateField('a finish reason of another type', 'finish_reason', (value, { pickOne }) =>
    pickOne([true, 7, { type: value }, [value], false, '']),
  ),
  mutateField('content of another type', 'content', (value, { pickOne }) => pickOne(listOtherTypes(value))),
  mutateField('reasoning of another type', 'reasoning_content', (value, { pickOne }) =>
    pickOne(listOtherTypes(value)),
  ),
  mutateField('arguments of another type', 'arguments', (value, { pickOne }) =>
    pickOne([{ value }, [value]]),
  ),
  mutateField('a delta in a list', 'delta', (value) => [value]),
  mutateField('choices in a list too many', 'choices', (value) => [value]),
  mutateField('choices as a table', 'choices', (value) =>
    Array.isArray(value) ? Object.fromEntries(value.entries()) : value,
  ),
  mutateJson('a chunk in a wrapper', (value) => ({ data: value })),
  mutateJson('a chunk in a list', (value) => [value]),
  mutateJson('a delta without its wrapper', (value) => {
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
  ].map(renameField),
  mutateField('an index of another type', 'index', (_, { pickOne }) =>
    pickOne(['0', -1, 0.5, 1e9, null, {}, '__proto__']),
  ),
  mutateField('ids that repeat', 'id', () => 'same'),
  mutateField('ids of another type', 'id', (_, { pickOne }) => pickOne([7, '', null, {}, true])),
  mutateField('a model that changes', 'model', (_, { pickOne }) => pickOne(['other', 4, null])),
  mutateField('usage of another type', 'usage', (_, { pickOne }) => pickOne(['9 tokens', 9, [], true])),
  mutateJson('JSON in a text', (value) => JSON.stringify(JSON.stringify(value))),
  mutateJson('JSON over several lines', (value) =>
    JSON.stringify(value, null, 1).replaceAll('\n', '\ndata: '),
  ),
  mutateJson('JSON over several lines without field names', (value) => JSON.stringify(value, null, 1)),
  mutateJson('JSON with a comma too many', (value) => `${JSON.stringify(value).slice(0, -1)},}`),
  mutateJson('JSON in single quotes', (value) => JSON.stringify(value).replaceAll('"', "'")),
  mutateJson('JSON cut short', (value, { drawBelow }) => JSON.stringify(value).slice(0, drawBelow(60))),
  mutateJson('JSON with letters escaped', (value) =>
    JSON.stringify(value).replaceAll('e', String.raw`\u0065`),
  ),
  mutateText('no field names at all', (text) => text.replace(/^data: ?/gm, '')),
  mutateText('no blank after the colon', (text) => text.replaceAll('data: ', 'data:')),
  mutateLines('a blank before the field', (lines, index) => lines.with(index, ` ${lines[index] ?? ''}`)),
  mutateLines('a field name in capitals', (lines, index) =>
    lines.with(index, (lines[index] ?? '').replace(/^data/, 'Data')),
  ),
  mutateLines('a field name twice', (lines, index) =>
    lines.with(index, (lines[index] ?? '').replace(/^data: /, 'data: data: ')),
  ),
  mutateEvents('an event with a name', (events, index, { pickOne }) =>
    events.with(index, `event: ${pickOne(['message', 'chunk', 'ping', 'delta'])}\n${events[index] ?? ''}`),
  ),
  mutateEvents('an event with an unknown field', (events, index) =>
    events.with(index, `x-trace: on\n${events[index] ?? ''}`),
  ),
  {
    name: 'UTF-16',
    change: (bytes) =>
      Uint8Array.from(
        decode(bytes)
          .split('')
          .flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]),
      ),
  },
  {
    name: 'Latin-1',
    change: (bytes) =>
      Uint8Array.from(
        decode(bytes)
          .split('')
          .map((letter) => letter.charCodeAt(0) & 255),
      ),
  },
  {
    name: 'bytes that are not text',
    change: (bytes, { drawBelow }) =>
      spliceBytes(bytes, drawBelow(bytes.length), 0, [0x1f, 0x8b, 8, 0, 0xff, 0xfe]),
  },
];
