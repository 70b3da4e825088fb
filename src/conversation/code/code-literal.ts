/** JSON values as literals of the languages that code is written in. */
import { parseExactJson } from '../../lib/exact-json.ts';
import { JsonSource, parseJson, type Json } from '../../lib/json.ts';

/** A stretch of code that stands where a value would: the name of a variable. */
export class CodeWord {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

/** What code is printed from: JSON with words of code in it. */
export type CodeValue = Json | CodeWord | readonly CodeValue[] | { readonly [key: string]: CodeValue };

export interface LiteralStyle {
  indent: string;
  /** The literal of a string. */
  text: (text: string) => string;
  /** How a key of an object is written, with what follows it. */
  key: (key: string) => string;
  /** The literal of a number, or an object with doubled keys, whose JSON text must not change; undefined where there is none. */
  exact: (text: string) => string | undefined;
  yes: string;
  no: string;
  nothing: string;
  /** A comma after the last item of a list that goes over several lines. */
  trailingComma: boolean;
  /** Blanks inside the braces of an object on one line. */
  spacedBraces: boolean;
}

/** Invisible or reordering characters are spelled out, so that code shows what it does (Trojan source). */
const unseen = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A string in double quotes: the escapes of JSON mean the same in JavaScript and Python. */
export function quotedText(text: string): string {
  return JSON.stringify(text).replace(
    unseen,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON text, spaced like the other languages. */
export const jsonStyle: LiteralStyle = {
  indent: '  ',
  text: quotedText,
  key: (key) => `${quotedText(key)}: `,
  exact: (text) => text,
  yes: 'true',
  no: 'false',
  nothing: 'null',
  trailingComma: false,
  spacedBraces: true,
};

const identifier = /^[A-Za-z_$][\w$]*$/;

function scriptKey(key: string): string {
  // As a plain key in a literal it would set the prototype.
  if (key === '__proto__') return '["__proto__"]: ';
  return `${identifier.test(key) ? key : quotedText(key)}: `;
}

export const scriptStyle: LiteralStyle = {
  ...jsonStyle,
  key: scriptKey,
  // Node 21 and newer: JSON.stringify writes these digits as they are.
  exact: (text) => (isNumber(text) ? `JSON.rawJSON(${quotedText(text)})` : undefined),
  trailingComma: true,
};

export const pythonStyle: LiteralStyle = {
  ...jsonStyle,
  indent: '    ',
  exact: (text) => (isNumber(text) ? text : undefined),
  yes: 'True',
  no: 'False',
  nothing: 'None',
  trailingComma: true,
  spacedBraces: false,
};

/** Longest line that a list or object may make; what is longer is broken at its items. */
const lineLength = 92;

/**
 * The literal of a value. `depth`: how many indents stand before the line it begins on; `before`: how many
 * characters of that line come after them and before it.
 */
export function literalOf(given: CodeValue, style: LiteralStyle, depth = 0, before = 0): string {
  const value = withoutSource(given);
  const room = lineLength - depth * style.indent.length - before;
  const items = itemsOf(value, style);
  return (
    flat(value, style, items === undefined ? Infinity : room) ?? broken(value, items ?? [], style, depth)
  );
}

interface Item {
  key: string;
  value: CodeValue;
}

function isList(value: CodeValue): value is readonly CodeValue[] {
  return Array.isArray(value);
}

/** Reads a source as lists and objects of code values; numbers and objects with doubled keys stay sources. */
function withoutSource(value: CodeValue): CodeValue {
  if (!(value instanceof JsonSource)) return value;
  const reading = parseExactJson(value.text);
  return reading.ok ? reading.value : null;
}

/** The items of a list or object; undefined for everything else. */
function itemsOf(given: CodeValue, style: LiteralStyle): Item[] | undefined {
  const value = withoutSource(given);
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof CodeWord || value instanceof JsonSource) return undefined;
  if (isList(value)) return value.map((item) => ({ key: '', value: item }));
  return Object.entries(value).map(([key, item]) => ({ key: style.key(key), value: item }));
}

/** On one line, where it fits into so many characters and is not a list of several objects: those go one per line. */
function flat(given: CodeValue, style: LiteralStyle, room: number): string | undefined {
  const value = withoutSource(given);
  const items = itemsOf(value, style);
  if (items === undefined) return scalar(value, style, room);
  const [open, close] = brackets(value);
  if (items.length === 0) return open + close;
  const blank = open === '{' && style.spacedBraces ? ' ' : '';
  const parts: string[] = [];
  let left = room - 2 - 2 * blank.length;
  for (const { key, value: item } of items) {
    if (open === '[' && items.length > 1 && itemsOf(item, style) !== undefined) return undefined;
    const part = flat(item, style, left - key.length);
    if (part === undefined) return undefined;
    parts.push(key + part);
    left -= key.length + part.length + 2;
    if (left < 0) return undefined;
  }
  return `${open}${blank}${parts.join(', ')}${blank}${close}`;
}

function scalar(value: CodeValue, style: LiteralStyle, room: number): string | undefined {
  if (value instanceof CodeWord) return value.code;
  if (value instanceof JsonSource) return writeSourceLiteral(value, style);
  if (typeof value === 'string') return value.length > room ? undefined : style.text(value);
  if (typeof value === 'boolean') return value ? style.yes : style.no;
  return typeof value === 'number' ? JSON.stringify(value) : style.nothing;
}

function writeSourceLiteral({ text }: JsonSource, style: LiteralStyle): string {
  const reading = parseJson(text);
  return style.exact(text) ?? (reading.ok ? literalOf(reading.value, style) : text);
}

function isNumber(text: string): boolean {
  return /^[-\d]/.test(text);
}

function broken(value: CodeValue, items: readonly Item[], style: LiteralStyle, depth: number): string {
  const [open, close] = brackets(value);
  const indent = style.indent.repeat(depth + 1);
  const lines = items.map(
    ({ key, value: item }) => indent + key + literalOf(item, style, depth + 1, key.length + 1),
  );
  const end = style.trailingComma ? ',' : '';
  return `${open}\n${lines.join(',\n')}${end}\n${style.indent.repeat(depth)}${close}`;
}

function brackets(value: CodeValue): readonly ['[', ']'] | readonly ['{', '}'] {
  return isList(value) ? ['[', ']'] : ['{', '}'];
}
