/**
 * Lossless JSON. JSON.parse rounds integers beyond 2^53, turns 1.0 into 1 and 1e400 into Infinity, and drops duplicate
 * keys; JSON.stringify may change escapes and white space. Such values are kept as JsonSource, whose text
 * writeExactJson restores.
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

/**
 * Parses JSON text; numbers and objects that a plain value cannot represent become JsonSource. Errors are the same as
 * in parseJson.
 */
export function parseExactJson(text: string): JsonParseResult {
  const parsed = parseJson(text);
  if (!parsed.ok || isWrittenIdentically(parsed.value, text) || !hasInexactValue(text)) return parsed;
  const firstToken = findToken(text, 0);
  // The recursive reader below needs one stack frame per level.
  if (!firstToken || findTooDeepOffset(text, maxExactDepth) !== undefined)
    return { ok: true, value: new JsonSource(text) };
  return { ok: true, value: readExactValue(text, firstToken, false).value };
}

/** Converts valid JSON text to a value that writeExactJson writes unchanged; the value is plain if possible. */
export function toExactValue(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  return JSON.stringify(parsed.value) === text ? parsed.value : new JsonSource(text);
}

/** Writes the value as JSON text, with each JsonSource unchanged. Omits the same values as JSON.stringify. */
export function writeExactJson(value: unknown): string {
  return (hasJsonSource(value) ? writeMembers(value) : JSON.stringify(value)) ?? 'null';
}

/** Returns `undefined` for values that JSON cannot represent. */
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

/** Formats the value as indented JSON, with its original numbers and duplicate keys. */
export function formatExactJson(value: unknown): string {
  return indentJson(writeExactJson(value));
}

/**
 * Indents valid JSON text in the same way as JSON.stringify with two spaces, but keeps numbers, duplicate keys and
 * their order.
 */
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

/** Parses text in the same way as parseExactJson, but keeps only the last of duplicate keys, as JSON.parse does. */
export function parseExactNumbers(text: string): JsonParseResult {
  const parsed = parseExactJson(text);
  return parsed.ok ? { ok: true, value: withoutDuplicateKeys(parsed.value) } : parsed;
}

/** Replaces lists and objects kept as text with plain ones; numbers keep their digits. */
export function withoutDuplicateKeys(value: Json): Json {
  if (!hasJsonSource(value)) return value;
  if (Array.isArray(value)) return value.map(withoutDuplicateKeys);
  if (!(value instanceof JsonSource))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withoutDuplicateKeys(member)]),
    );
  const firstToken = findOpeningToken(value);
  // Read in one pass, because parsing nested sources level by level would take quadratic time.
  return firstToken
    ? readExactValue(value.text, firstToken, true).value
    : isContainer(value)
      ? toPlainJson(value)
      : value;
}

/** Returns the value as JSON.parse would. */
export function toPlainJson(value: Json): Json {
  if (!hasJsonSource(value)) return value;
  const parsed = parseJson(JSON.stringify(value));
  return parsed.ok ? parsed.value : null;
}

/**
 * Lists the members of a list or object, including duplicate keys; returns `undefined` for other values and for nesting
 * beyond 500 levels.
 */
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

/** Returns the first token of a list or object, `undefined` if it is nested too deeply to read its members. */
function findOpeningToken(source: JsonSource): JsonToken | undefined {
  const isReadable = isContainer(source) && findTooDeepOffset(source.text, maxExactDepth) === undefined;
  return isReadable ? findToken(source.text, 0) : undefined;
}

function isContainer({ text }: JsonSource): boolean {
  return /^\s*[[{]/.test(text);
}

/** Returns true if any part of the value is kept as text. */
export function hasJsonSource(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof JsonSource || Object.values(value).some(hasJsonSource);
}

/**
 * Returns the text of the value at this path of valid JSON, resolving duplicate keys as JSON.parse does; `undefined` if
 * absent.
 */
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

/** Yields the members of the list or object opened by this token, with duplicate keys; nothing for other tokens. */
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

/** Returns true if JSON.stringify gives the same text; this check is much faster than scanning the text. */
function isWrittenIdentically(value: Json, text: string): boolean {
  if (isDeeperThan(maxJsonDepth, value)) return false;
  const trimmed = text.trimStart();
  const isIndented = trimmed.startsWith('{\n  "') || trimmed.startsWith('[\n  ');
  return JSON.stringify(value, undefined, isIndented ? 2 : undefined) === text.trim();
}

/** Returns true if parsing and writing would change a number or a duplicate key. Takes linear time. */
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

/**
 * Reads the value that starts with this token and returns its end offset. `shouldKeepLast` keeps only the last of
 * duplicate keys.
 */
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

/** Reads the members of the list or object opened by this token; list members have empty keys. */
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
