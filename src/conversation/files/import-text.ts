/** The text of a file before it is JSON: how deep it goes, and on which line something stands. */

/** Where nesting first goes deeper than `most`, as an index into the text; undefined where it never does. */
export function tooDeepAt(text: string, most: number): number | undefined {
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = afterString(text, at);
      continue;
    }
    if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > most) return at;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    at += 1;
  }
  return undefined;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

function afterString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    at = end + 1;
  }
}

/** The line, from 1, that an index of the text stands on. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Where text that is nested no deeper than a stack allows stops being JSON; its end where it is cut off. */
export function syntaxErrorAt(text: string): number {
  try {
    const end = valueEnd(text, skipBlank(text, 0));
    return skipBlank(text, end);
  } catch (error) {
    if (error instanceof NotJson) return error.at;
    throw error;
  }
}

class NotJson extends Error {
  readonly at: number;
  constructor(at: number) {
    super();
    this.at = at;
  }
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const blank = /[ \t\r\n]*/y;

function skipBlank(text: string, at: number): number {
  return endOf(blank, text, at) ?? at;
}

/** Where the match that begins here ends. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Undefined where no string begins here. Control characters must be escaped in one. */
function stringEnd(text: string, start: number): number | undefined {
  if (text.charCodeAt(start) !== quote) return undefined;
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
    if (Number.isNaN(code) || code < 0x20) fail(at);
    at = code === backslash ? (endOf(escape, text, at) ?? fail(at)) : at + 1;
  }
  return at + 1;
}

function valueEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === openBrace) return listEnd(text, at, '}', (key) => memberEnd(text, key));
  if (code === openBracket) return listEnd(text, at, ']', (element) => valueEnd(text, element));
  return (code === quote ? stringEnd(text, at) : endOf(scalar, text, at)) ?? fail(at);
}

function memberEnd(text: string, at: number): number {
  const colon = skipBlank(text, stringEnd(text, at) ?? fail(at));
  return text[colon] === ':' ? valueEnd(text, skipBlank(text, colon + 1)) : fail(colon);
}

function listEnd(text: string, start: number, close: string, partEnd: (at: number) => number): number {
  let at = skipBlank(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skipBlank(text, partEnd(at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') fail(at);
    at = skipBlank(text, at + 1);
  }
}

function fail(at: number): never {
  throw new NotJson(at);
}

/** The line of the value at this path in valid JSON; of the nearest value above it where it is missing. */
export function lineOfPath(text: string, path: readonly (string | number)[]): number {
  let at = skipSpace(text, 0);
  for (const key of path) {
    const found = typeof key === 'number' ? elementAt(text, at, key) : memberAt(text, at, key);
    if (found === undefined) break;
    at = found;
  }
  return lineAt(text, at);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n,:'.includes(text.charAt(at))) at += 1;
  return at;
}

function elementAt(text: string, start: number, index: number): number | undefined {
  if (text.charCodeAt(start) !== openBracket) return undefined;
  let at = skipSpace(text, start + 1);
  for (let count = 0; at < text.length && text.charCodeAt(at) !== closeBracket; count += 1) {
    if (count === index) return at;
    at = skipSpace(text, afterValue(text, at));
  }
  return undefined;
}

function memberAt(text: string, start: number, key: string): number | undefined {
  if (text.charCodeAt(start) !== openBrace) return undefined;
  const written = JSON.stringify(key);
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBrace) {
    const end = afterString(text, at);
    const isKey = text.slice(at, end) === written;
    at = skipSpace(text, end);
    if (isKey) return at;
    at = skipSpace(text, afterValue(text, at));
  }
  return undefined;
}

function afterValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = afterString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth <= 0) return depth < 0 ? at : at + 1;
    } else if (depth === 0 && ',\n\r\t '.includes(text.charAt(at))) return at;
    at += 1;
  }
  return at;
}
