/**
 * JSON with the characters that arrived. JSON.parse rounds integers beyond 2^53, forgets that 1.0 was not 1, turns 1e400 into
 * Infinity and keeps one of two equal keys; JSON.stringify writes other escapes and blanks than the sender did. Values that
 * would change that way are held as a JsonSource, and writeExactJson puts their text back.
 */
import { findValueEnd, findToken, findTooDeepOffset, type JsonToken } from './json-scan.ts';
import {
  isDeeperThan,
  isRecord,
  JsonSource,
  maxJsonDepth,
  parseJson,
  type Json,
  type JsonParseResult,
} from './json.ts';

const maxExactDepth = 500;

/** Parses text as JSON; numbers and objects that a plain value cannot hold become JsonSource. Same errors as parseJson. */
export function parseExactJson(text: string): JsonParseResult {
  const parsed = parseJson(text);
  if (!parsed.ok || isWrittenIdentically(parsed.value, text) || !hasInexactValue(text)) return parsed;
  const firstToken = findToken(text, 0);
  // The reader below calls itself at each level.
  if (!firstToken || findTooDeepOffset(text, maxExactDepth) !== undefined)
    return { ok: true, value: new JsonSource(text) };
  return { ok: true, value: readExactValue(text, firstToken, false).value };
}

/** Converts valid JSON text to a value that writeExactJson writes unchanged; a plain value if possible. */
export function toExactValue(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  return JSON.stringify(parsed.value) === text ? parsed.value : new JsonSource(text);
}

/** Writes the value as JSON text, each JsonSource as its own text. Omits the same values as JSON.stringify. */
export function writeExactJson(value: unknown): string {
  return (hasJsonSource(value) ? writeMembers(value) : JSON.stringify(value)) ?? 'null';
}

/** Returns undefined for values that JSON does not have. */
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

/** Formats the value as indented JSON, with the numbers and doubled keys that it was read with. */
export function formatExactJson(value: unknown): string {
  return indentJson(writeExactJson(value));
}

/** Indents valid JSON text like JSON.stringify with two spaces; numbers, doubled keys and their order stay. */
export function indentJson(text: string): string {
  let indentedText = '';
  let depth = 0;
  let previousToken: JsonToken | undefined;
  const addLine = () => (indentedText += `\n${'  '.repeat(depth)}`);
  for (let token = findToken(text, 0); token; token = findToken(text, token.end)) {
    const { kind } = token;
    const followsOpening = previousToken?.kind === '{' || previousToken?.kind === '[';
    const isClosing = kind === '}' || kind === ']';
    if (isClosing) depth -= 1;
    if (followsOpening !== isClosing || previousToken?.kind === ',') addLine();
    if (kind === '{' || kind === '[') depth += 1;
    const literal = text.slice(token.start, token.end);
    if (kind === ':') indentedText += ': ';
    else indentedText += literal.includes('\\') ? JSON.stringify(readString(text, token)) : literal;
    previousToken = token;
  }
  return indentedText;
}

/** Reads text as parseExactJson does, but of doubled keys the last one counts, as in JSON.parse. */
export function parseExactNumbers(text: string): JsonParseResult {
  const parsed = parseExactJson(text);
  return parsed.ok ? { ok: true, value: withoutDuplicateKeys(parsed.value) } : parsed;
}

/** Replaces lists and objects kept as text by plain ones; numbers keep their digits. */
export function withoutDuplicateKeys(value: Json): Json {
  if (!hasJsonSource(value)) return value;
  if (Array.isArray(value)) return value.map(withoutDuplicateKeys);
  if (!(value instanceof JsonSource))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withoutDuplicateKeys(member)]),
    );
  const firstToken = findOpeningToken(value);
  // Read in one go: a source in a source, level by level, would be read as often as it is deep.
  return firstToken
    ? readExactValue(value.text, firstToken, true).value
    : isContainer(value)
      ? toPlainJson(value)
      : value;
}

/** Returns the value as JSON.parse reads it. */
export function toPlainJson(value: Json): Json {
  if (!hasJsonSource(value)) return value;
  const parsed = parseJson(JSON.stringify(value));
  return parsed.ok ? parsed.value : null;
}

/** Lists the members of a list or object, including doubled keys; undefined for other values and beyond 500 levels. */
export function listJsonMembers(value: Json): [string, Json][] | undefined {
  if (!(value instanceof JsonSource))
    return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  const firstToken = findOpeningToken(value);
  if (!firstToken) return undefined;
  return readExactMembers(value.text, firstToken, false).members.map(([key, member], index) => [
    firstToken.kind === '[' ? String(index) : key,
    member,
  ]);
}

/** Finds the first token of a list or object; undefined if it is nested too deeply to be read by member. */
function findOpeningToken(source: JsonSource): JsonToken | undefined {
  const isReadable = isContainer(source) && findTooDeepOffset(source.text, maxExactDepth) === undefined;
  return isReadable ? findToken(source.text, 0) : undefined;
}

function isContainer({ text }: JsonSource): boolean {
  return /^\s*[[{]/.test(text);
}

/** True if a part of the value is kept as text. */
export function hasJsonSource(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof JsonSource || Object.values(value).some(hasJsonSource);
}

/** Finds the text of the value at this path of valid JSON, as JSON.parse would; undefined if absent. */
export function findJsonSource(text: string, path: readonly (string | number)[]): string | undefined {
  let firstToken = findToken(text, 0);
  for (const key of path) {
    if (!firstToken) return undefined;
    let match: JsonToken | undefined;
    for (const member of listMembers(text, firstToken)) if (member.key === key) match = member.firstToken;
    firstToken = match;
  }
  return firstToken && text.slice(firstToken.start, findValueEnd(text, firstToken));
}

interface Member {
  key: string | number;
  firstToken: JsonToken;
}

/** Lists the members of the list or object that this token opens, with doubled keys; none for other tokens. */
function* listMembers(text: string, opening: JsonToken): Generator<Member> {
  const isList = opening.kind === '[';
  if (!isList && opening.kind !== '{') return;
  let token = findToken(text, opening.end);
  for (let index = 0; token && token.kind !== ']' && token.kind !== '}'; index += 1) {
    let key: string | number = index;
    if (!isList) {
      key = readString(text, token);
      const colon = findToken(text, token.end);
      token = colon && findToken(text, colon.end);
      if (!token) return;
    }
    yield { key, firstToken: token };
    token = findToken(text, findValueEnd(text, token) ?? text.length);
    if (token?.kind === ',') token = findToken(text, token.end);
  }
}

function readString(text: string, { start, end }: JsonToken): string {
  const literal = text.slice(start, end);
  const value: unknown = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
  return typeof value === 'string' ? value : literal;
}

/** True if JSON.stringify writes the same text, which is much faster to test than to scan the text. */
function isWrittenIdentically(value: Json, text: string): boolean {
  if (isDeeperThan(maxJsonDepth, value)) return false;
  const trimmed = text.trimStart();
  const isIndented = trimmed.startsWith('{\n  "') || trimmed.startsWith('[\n  ');
  return JSON.stringify(value, undefined, isIndented ? 2 : undefined) === text.trim();
}

/** True if a number or a doubled key would change when parsed and written. Linear. */
function hasInexactValue(text: string): boolean {
  const keys: (Set<string> | undefined)[] = [];
  let previousToken: JsonToken | undefined;
  for (let token = findToken(text, 0); token; previousToken = token, token = findToken(text, token.end)) {
    const { kind } = token;
    if (kind === '{') keys.push(new Set());
    else if (kind === '[') keys.push(undefined);
    else if (kind === '}' || kind === ']') keys.pop();
    else if (kind === 'word') {
      if (isInexactNumber(text.slice(token.start, token.end))) return true;
    } else if (kind === ':' && previousToken) {
      const names = keys.at(-1);
      const name = readString(text, previousToken);
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

function isInexactNumber(word: string): boolean {
  return /^-?\d/.test(word) && String(Number(word)) !== word;
}

/** Reads the value that begins with this token, and the offset behind it. `shouldKeepLast`: keeps the last of doubled keys. */
function readExactValue(
  text: string,
  firstToken: JsonToken,
  shouldKeepLast: boolean,
): { value: Json; end: number } {
  if (firstToken.kind === '[' || firstToken.kind === '{')
    return readExactContainer(text, firstToken, shouldKeepLast);
  const literal = text.slice(firstToken.start, firstToken.end);
  const parsed = parseJson(literal);
  const isInexact = firstToken.kind === 'word' && isInexactNumber(literal);
  return { value: isInexact || !parsed.ok ? new JsonSource(literal) : parsed.value, end: firstToken.end };
}

function readExactContainer(
  text: string,
  opening: JsonToken,
  shouldKeepLast: boolean,
): { value: Json; end: number } {
  const { members, end } = readExactMembers(text, opening, shouldKeepLast);
  if (opening.kind === '[') return { value: members.map(([, member]) => member), end };
  const fields = Object.fromEntries(members);
  const isLossless = shouldKeepLast || Object.keys(fields).length === members.length;
  return { value: isLossless ? fields : new JsonSource(text.slice(opening.start, end)), end };
}

/** Reads the members of the list or object that this token opens; list members have empty keys. */
function readExactMembers(
  text: string,
  opening: JsonToken,
  shouldKeepLast: boolean,
): { members: [string, Json][]; end: number } {
  const members: [string, Json][] = [];
  let key = '';
  let token = findToken(text, opening.end);
  while (token && token.kind !== ']' && token.kind !== '}') {
    let end = token.end;
    if (opening.kind === '{' && token.kind === 'string' && findToken(text, end)?.kind === ':') {
      key = readString(text, token);
      end = findToken(text, end)?.end ?? end;
    } else if (token.kind !== ',') {
      const member = readExactValue(text, token, shouldKeepLast);
      members.push([key, member.value]);
      end = member.end;
    }
    token = findToken(text, end);
  }
  return { members, end: token?.end ?? text.length };
}
