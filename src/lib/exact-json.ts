/**
 * JSON with the characters that arrived. JSON.parse rounds integers beyond 2^53, forgets that 1.0 was not 1, turns 1e400 into
 * Infinity and keeps one of two equal keys; JSON.stringify writes other escapes and blanks than the sender did. Values that
 * would change that way are held as a JsonSource, and writeExactJson puts their text back.
 */
import { findValueEnd, tokenFrom, tooDeepAt, type JsonToken } from './json-scan.ts';
import {
  isDeeperThan,
  isRecord,
  JsonSource,
  mostJsonLevels,
  parseJson,
  type Json,
  type JsonReading,
} from './json.ts';

const maxExactLevels = 500;

/** The text as JSON; numbers and objects that a plain value cannot hold stay as JsonSource. Same errors as parseJson. */
export function parseExactJson(text: string): JsonReading {
  const reading = parseJson(text);
  if (!reading.ok || isWrittenLike(reading.value, text) || !hasInexactValue(text)) return reading;
  const first = tokenFrom(text, 0);
  // The reader below calls itself at each level.
  if (!first || tooDeepAt(text, maxExactLevels) !== undefined)
    return { ok: true, value: new JsonSource(text) };
  return { ok: true, value: readExactValue(text, first, false).value };
}

/** Valid JSON text as a value whose text writeExactJson returns unchanged: the plain value where that is enough. */
export function toExactValue(text: string): Json {
  const reading = parseJson(text);
  if (!reading.ok) return null;
  return JSON.stringify(reading.value) === text ? reading.value : new JsonSource(text);
}

/** The value as JSON text, each JsonSource as its own text. What JSON has no word for is left out, as JSON.stringify does. */
export function writeExactJson(value: unknown): string {
  return (hasJsonSource(value) ? writeMembers(value) : JSON.stringify(value)) ?? 'null';
}

/** Undefined for what JSON has no word for. */
function writeMembers(value: unknown): string | undefined {
  if (value instanceof JsonSource) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => writeMembers(item) ?? 'null').join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const text = writeMembers(member);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** The value as JSON text over lines, two spaces deep, with the numbers and doubled keys that it was read with. */
export function formatExactJson(value: unknown): string {
  return indentJson(writeExactJson(value));
}

/** Valid JSON text laid out as JSON.stringify does with two spaces; numbers, doubled keys and their order stay. */
export function indentJson(text: string): string {
  let laidOut = '';
  let depth = 0;
  let before: JsonToken | undefined;
  const addLine = () => (laidOut += `\n${'  '.repeat(depth)}`);
  for (let token = tokenFrom(text, 0); token; token = tokenFrom(text, token.end)) {
    const { kind } = token;
    const isOpened = before?.kind === '{' || before?.kind === '[';
    const isClosing = kind === '}' || kind === ']';
    if (isClosing) depth -= 1;
    if (isOpened !== isClosing || before?.kind === ',') addLine();
    if (kind === '{' || kind === '[') depth += 1;
    const written = text.slice(token.start, token.end);
    if (kind === ':') laidOut += ': ';
    else laidOut += written.includes('\\') ? JSON.stringify(readString(text, token)) : written;
    before = token;
  }
  return laidOut;
}

/** Reads text as parseExactJson does, but of doubled keys the last one counts, as in JSON.parse. */
export function parseExactNumbers(text: string): JsonReading {
  const reading = parseExactJson(text);
  return reading.ok ? { ok: true, value: withoutDoubledKeys(reading.value) } : reading;
}

/** The value with plain lists and objects in place of those kept as text; numbers keep their digits. */
export function withoutDoubledKeys(value: Json): Json {
  if (!hasJsonSource(value)) return value;
  if (Array.isArray(value)) return value.map(withoutDoubledKeys);
  if (!(value instanceof JsonSource))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withoutDoubledKeys(member)]),
    );
  const first = findOpening(value);
  // Read in one go: a source in a source, level by level, would be read as often as it is deep.
  return first
    ? readExactValue(value.text, first, true).value
    : isContainer(value)
      ? toPlainJson(value)
      : value;
}

/** The value as JSON.parse reads it. */
export function toPlainJson(value: Json): Json {
  if (!hasJsonSource(value)) return value;
  const reading = parseJson(JSON.stringify(value));
  return reading.ok ? reading.value : null;
}

/** Names or numbers and values of a list or object, doubled keys included; undefined for other values and beyond 500 levels. */
export function listJsonMembers(value: Json): [string, Json][] | undefined {
  if (!(value instanceof JsonSource))
    return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  const first = findOpening(value);
  if (!first) return undefined;
  return readExactMembers(value.text, first, false).members.map(([key, member], index) => [
    first.kind === '[' ? String(index) : key,
    member,
  ]);
}

/** The first token of a list or object that is not nested too deeply to be read member by member. */
function findOpening(source: JsonSource): JsonToken | undefined {
  const isReadable = isContainer(source) && tooDeepAt(source.text, maxExactLevels) === undefined;
  return isReadable ? tokenFrom(source.text, 0) : undefined;
}

function isContainer({ text }: JsonSource): boolean {
  return /^\s*[[{]/.test(text);
}

/** True where writing the value needs the text of one of its parts. */
export function hasJsonSource(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof JsonSource || Object.values(value).some(hasJsonSource);
}

/** The text of the value at this path of valid JSON, where JSON.parse would find it; undefined where there is none. */
export function findJsonSource(text: string, path: readonly (string | number)[]): string | undefined {
  let first = tokenFrom(text, 0);
  for (const key of path) {
    if (!first) return undefined;
    let match: JsonToken | undefined;
    for (const member of listMembers(text, first)) if (member.key === key) match = member.first;
    first = match;
  }
  return first && text.slice(first.start, findValueEnd(text, first));
}

interface Member {
  key: string | number;
  first: JsonToken;
}

/** The members of the list or object that this token opens, with doubled keys; none for any other token. */
function* listMembers(text: string, opening: JsonToken): Generator<Member> {
  const isList = opening.kind === '[';
  if (!isList && opening.kind !== '{') return;
  let token = tokenFrom(text, opening.end);
  for (let index = 0; token && token.kind !== ']' && token.kind !== '}'; index += 1) {
    let key: string | number = index;
    if (!isList) {
      key = readString(text, token);
      const colon = tokenFrom(text, token.end);
      token = colon && tokenFrom(text, colon.end);
      if (!token) return;
    }
    yield { key, first: token };
    token = tokenFrom(text, findValueEnd(text, token) ?? text.length);
    if (token?.kind === ',') token = tokenFrom(text, token.end);
  }
}

function readString(text: string, { start, end }: JsonToken): string {
  const written = text.slice(start, end);
  const value: unknown = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
  return typeof value === 'string' ? value : written;
}

/** True for text that JSON.stringify writes itself, which it tells much faster than a scan of the text. */
function isWrittenLike(value: Json, text: string): boolean {
  if (isDeeperThan(mostJsonLevels, value)) return false;
  const start = text.trimStart();
  const isIndented = start.startsWith('{\n  "') || start.startsWith('[\n  ');
  return JSON.stringify(value, undefined, isIndented ? 2 : undefined) === text.trim();
}

/** True where a number or a doubled key of the text would change if it were parsed and written. Linear. */
function hasInexactValue(text: string): boolean {
  const keys: (Set<string> | undefined)[] = [];
  let before: JsonToken | undefined;
  for (let token = tokenFrom(text, 0); token; before = token, token = tokenFrom(text, token.end)) {
    const { kind } = token;
    if (kind === '{') keys.push(new Set());
    else if (kind === '[') keys.push(undefined);
    else if (kind === '}' || kind === ']') keys.pop();
    else if (kind === 'word') {
      if (isInexactNumber(text.slice(token.start, token.end))) return true;
    } else if (kind === ':' && before) {
      const names = keys.at(-1);
      const name = readString(text, before);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

function isInexactNumber(word: string): boolean {
  return /^-?\d/.test(word) && String(Number(word)) !== word;
}

/** The value that begins with this token of valid JSON, and the offset behind it. `lastCounts`: of doubled keys. */
function readExactValue(text: string, first: JsonToken, lastCounts: boolean): { value: Json; end: number } {
  if (first.kind === '[' || first.kind === '{') return readExactContainer(text, first, lastCounts);
  const written = text.slice(first.start, first.end);
  const plain = parseJson(written);
  const isInexact = first.kind === 'word' && isInexactNumber(written);
  return { value: isInexact || !plain.ok ? new JsonSource(written) : plain.value, end: first.end };
}

function readExactContainer(
  text: string,
  opening: JsonToken,
  lastCounts: boolean,
): { value: Json; end: number } {
  const { members, end } = readExactMembers(text, opening, lastCounts);
  if (opening.kind === '[') return { value: members.map(([, member]) => member), end };
  const fields = Object.fromEntries(members);
  const isWhole = lastCounts || Object.keys(fields).length === members.length;
  return { value: isWhole ? fields : new JsonSource(text.slice(opening.start, end)), end };
}

/** The members of the list or object that this token opens, the keys of a list being empty. */
function readExactMembers(
  text: string,
  opening: JsonToken,
  lastCounts: boolean,
): { members: [string, Json][]; end: number } {
  const members: [string, Json][] = [];
  let key = '';
  let token = tokenFrom(text, opening.end);
  while (token && token.kind !== ']' && token.kind !== '}') {
    let end = token.end;
    if (opening.kind === '{' && token.kind === 'string' && tokenFrom(text, end)?.kind === ':') {
      key = readString(text, token);
      end = tokenFrom(text, end)?.end ?? end;
    } else if (token.kind !== ',') {
      const member = readExactValue(text, token, lastCounts);
      members.push([key, member.value]);
      end = member.end;
    }
    token = tokenFrom(text, end);
  }
  return { members, end: token?.end ?? text.length };
}
