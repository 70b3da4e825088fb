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

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];

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

/** The line where JSON.parse gave up, from its message: engines word it differently, some not at all. */
export function lineOfSyntaxError(text: string, message: string): number {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  // Without a position it is the end that came too early.
  return lineAt(text, position === undefined ? text.length : Number(position));
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
