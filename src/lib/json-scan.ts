/**
 * Splits JSON text into tokens with offsets, which JSON.parse does not provide. Lexical only: incomplete and invalid
 * text is also split, and callers check the token order. Takes linear time at any depth.
 */

type Punctuation = '{' | '}' | '[' | ']' | ':' | ',';

export interface JsonToken {
  /**
   * Kind of the token. An `open string` has no closing quote. A `word` is any other text: a number, a keyword or
   * invalid text.
   */
  kind: Punctuation | 'string' | 'open string' | 'word';
  start: number;
  /** End offset, exclusive. */
  end: number;
}

/** Returns the first token at or after `fromOffset`, `undefined` if only white space is left. */
export function findToken(text: string, fromOffset: number): JsonToken | undefined {
  let start = fromOffset;
  while (start < text.length && isBlank(text.charCodeAt(start))) start += 1;
  if (start >= text.length) return undefined;
  const code = text.charCodeAt(start);
  if (code === quote) return readStringToken(text, start);
  const mark = getPunctuation(code);
  if (mark !== undefined) return { kind: mark, start, end: start + 1 };
  let end = start + 1;
  while (end < text.length && !isWordEnd(text.charCodeAt(end))) end += 1;
  return { kind: 'word', start, end };
}

/** Returns the end offset of the value that starts with this token, `undefined` if the value is not closed. */
export function findValueEnd(text: string, firstToken: JsonToken): number | undefined {
  let depth = 0;
  for (let token: JsonToken | undefined = firstToken; token; token = findToken(text, token.end)) {
    if (token.kind === '{' || token.kind === '[') depth += 1;
    else if (token.kind === '}' || token.kind === ']') depth -= 1;
    if (depth <= 0) return token.end;
  }
  return undefined;
}

const [quote, backslash] = [0x22, 0x5c];

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function getPunctuation(code: number): Punctuation | undefined {
  switch (code) {
    case 0x7b:
      return '{';
    case 0x7d:
      return '}';
    case 0x5b:
      return '[';
    case 0x5d:
      return ']';
    case 0x3a:
      return ':';
    case 0x2c:
      return ',';
    default:
      return undefined;
  }
}

function isWordEnd(code: number): boolean {
  return code === quote || isBlank(code) || getPunctuation(code) !== undefined;
}

/**
 * Strings such as images can make up most of a text, so their end is found with indexOf instead of character by
 * character.
 */
function readStringToken(text: string, start: number): JsonToken {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? { kind: 'open string', start, end: text.length } : { kind: 'string', start, end: end + 1 };
}

/** Returns true if the character is part of an escape that starts earlier. */
export function isEscaped(text: string, offset: number): boolean {
  let slashCount = 0;
  while (text.charCodeAt(offset - 1 - slashCount) === backslash) slashCount += 1;
  return slashCount % 2 === 1;
}

/** Returns the offset at which nesting first exceeds `maxDepth`, `undefined` if it never does. */
export function findTooDeepOffset(text: string, maxDepth: number): number | undefined {
  let depth = 0;
  // Scans characters instead of tokens, because long texts are also checked before parsing.
  for (let offset = 0; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === quote) offset = readStringToken(text, offset).end - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth > maxDepth) return offset;
  }
  return undefined;
}

/** Returns the change of depth after this token. */
function getDepthStep({ kind }: JsonToken): number {
  if (kind === '{' || kind === '[') return 1;
  return kind === '}' || kind === ']' ? -1 : 0;
}

/** Returns the start of the value at this path of valid JSON, or of its nearest existing ancestor. */
export function getPathOffset(text: string, path: readonly (string | number)[]): number {
  let value = findToken(text, 0);
  for (const key of path) {
    const inner = value && findMemberValue(text, value, key);
    if (!inner) break;
    value = inner;
  }
  return value?.start ?? 0;
}

/** Returns the first token of the value under this key in the list or object opened by `container`. */
function findMemberValue(text: string, container: JsonToken, key: string | number): JsonToken | undefined {
  const isList = typeof key === 'number';
  if (container.kind !== (isList ? '[' : '{')) return undefined;
  const name = JSON.stringify(key);
  let token = findToken(text, container.end);
  for (let index = 0; token && getDepthStep(token) >= 0; index += 1) {
    const isMatch = isList ? index === key : text.slice(token.start, token.end) === name;
    const colon: JsonToken | undefined = isList ? undefined : findToken(text, token.end);
    const value: JsonToken | undefined = colon ? findToken(text, colon.end) : token;
    if (isMatch || !value) return value;
    token = findToken(text, findValueEndOrTextEnd(text, value));
    if (token?.kind === ',') token = findToken(text, token.end);
  }
  return undefined;
}

/** Returns the end offset of the value that starts with this token, or the end of the text. */
function findValueEndOrTextEnd(text: string, firstToken: JsonToken): number {
  let depth = 0;
  for (let token: JsonToken | undefined = firstToken; token; token = findToken(text, token.end)) {
    depth += getDepthStep(token);
    if (depth <= 0) return token.end;
  }
  return text.length;
}

/** Returns the line and column of an offset, both from 1. */
export function getLineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', lineStart)) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
