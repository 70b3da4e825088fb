/** Formats JSON values as literals of the supported languages. */
import { parseExactJson } from '../../lib/exact-json.ts';
import { JsonSource, parseJson, type Json } from '../../lib/json.ts';

/** Piece of code in place of a value, such as a variable name. */
export class CodeExpression {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

/** Input of the code formatter: JSON that may contain code expressions. */
export type CodeValue = Json | CodeExpression | readonly CodeValue[] | { readonly [key: string]: CodeValue };

export interface LiteralStyle {
  indent: string;
  /** Returns the literal of a string. */
  text: (text: string) => string;
  /** Returns an object key with the separator that follows it. */
  key: (key: string) => string;
  /**
   * Returns the literal of JSON text that must not change (a number, or an object with duplicate keys); `undefined` if
   * there is none.
   */
  exact: (text: string) => string | undefined;
  trueLiteral: string;
  falseLiteral: string;
  nullLiteral: string;
  /** Adds a comma after the last item of a multi-line list. */
  trailingComma: boolean;
  /** Adds spaces inside the braces of a single-line object. */
  spacedBraces: boolean;
}

/**
 * Invisible and bidirectional characters, which are escaped so that the code shows exactly what it does (Trojan
 * Source).
 */
const invisibleChars =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Returns the text in double quotes. JSON escapes are also valid in JavaScript and Python. */
export function quoteString(text: string): string {
  return JSON.stringify(text).replace(
    invisibleChars,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Style for JSON text, spaced like the other languages. */
export const jsonStyle: LiteralStyle = {
  indent: '  ',
  text: quoteString,
  key: (key) => `${quoteString(key)}: `,
  exact: (text) => text,
  trueLiteral: 'true',
  falseLiteral: 'false',
  nullLiteral: 'null',
  trailingComma: false,
  spacedBraces: true,
};

const identifier = /^[A-Za-z_$][\w$]*$/;

function formatScriptKey(key: string): string {
  // A plain `__proto__` key in a literal would set the prototype.
  if (key === '__proto__') return '["__proto__"]: ';
  return `${identifier.test(key) ? key : quoteString(key)}: `;
}

export const scriptStyle: LiteralStyle = {
  ...jsonStyle,
  key: formatScriptKey,
  // Requires Node 21 or later. JSON.stringify writes the digits of raw JSON unchanged.
  exact: (text) => (isNumber(text) ? `JSON.rawJSON(${quoteString(text)})` : undefined),
  trailingComma: true,
};

export const pythonStyle: LiteralStyle = {
  ...jsonStyle,
  indent: '    ',
  exact: (text) => (isNumber(text) ? text : undefined),
  trueLiteral: 'True',
  falseLiteral: 'False',
  nullLiteral: 'None',
  trailingComma: true,
  spacedBraces: false,
};

/** Maximum length, in characters, of a list or object on one line; longer ones get one item per line. */
const maxLineChars = 92;

/**
 * Returns the literal of a value. `depth` is the number of indents before its line, `prefixLength` the number of
 * characters between the indent and the value.
 */
export function formatLiteral(input: CodeValue, style: LiteralStyle, depth = 0, prefixLength = 0): string {
  const value = parseSource(input);
  const availableWidth = maxLineChars - depth * style.indent.length - prefixLength;
  const items = listItems(value, style);
  return (
    formatOnOneLine(value, style, items === undefined ? Infinity : availableWidth) ??
    formatMultiline(value, items ?? [], style, depth)
  );
}

interface Item {
  key: string;
  value: CodeValue;
}

function isList(value: CodeValue): value is readonly CodeValue[] {
  return Array.isArray(value);
}

/**
 * Parses JSON source into lists and objects of code values. Numbers and objects with duplicate keys stay source text.
 */
function parseSource(value: CodeValue): CodeValue {
  if (!(value instanceof JsonSource)) return value;
  const reading = parseExactJson(value.text);
  return reading.ok ? reading.value : null;
}

/** Returns the items of a list or object, `undefined` for any other value. */
function listItems(input: CodeValue, style: LiteralStyle): Item[] | undefined {
  const value = parseSource(input);
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof CodeExpression || value instanceof JsonSource) return undefined;
  if (isList(value)) return value.map((item) => ({ key: '', value: item }));
  return Object.entries(value).map(([key, item]) => ({ key: style.key(key), value: item }));
}

/**
 * Returns the value on one line if it fits into `availableWidth` characters. Lists of several objects always get one
 * object per line.
 */
function formatOnOneLine(input: CodeValue, style: LiteralStyle, availableWidth: number): string | undefined {
  const value = parseSource(input);
  const items = listItems(value, style);
  if (items === undefined) return formatScalar(value, style, availableWidth);
  const [open, close] = getBrackets(value);
  if (items.length === 0) return open + close;
  const blank = open === '{' && style.spacedBraces ? ' ' : '';
  const parts: string[] = [];
  let remainingWidth = availableWidth - 2 - 2 * blank.length;
  for (const { key, value: item } of items) {
    if (open === '[' && items.length > 1 && listItems(item, style) !== undefined) return undefined;
    const part = formatOnOneLine(item, style, remainingWidth - key.length);
    if (part === undefined) return undefined;
    parts.push(key + part);
    remainingWidth -= key.length + part.length + 2;
    if (remainingWidth < 0) return undefined;
  }
  return `${open}${blank}${parts.join(', ')}${blank}${close}`;
}

function formatScalar(value: CodeValue, style: LiteralStyle, availableWidth: number): string | undefined {
  if (value instanceof CodeExpression) return value.code;
  if (value instanceof JsonSource) return formatSourceLiteral(value, style);
  if (typeof value === 'string') return value.length > availableWidth ? undefined : style.text(value);
  if (typeof value === 'boolean') return value ? style.trueLiteral : style.falseLiteral;
  return typeof value === 'number' ? JSON.stringify(value) : style.nullLiteral;
}

function formatSourceLiteral({ text }: JsonSource, style: LiteralStyle): string {
  const reading = parseJson(text);
  return style.exact(text) ?? (reading.ok ? formatLiteral(reading.value, style) : text);
}

function isNumber(text: string): boolean {
  return /^[-\d]/.test(text);
}

function formatMultiline(
  value: CodeValue,
  items: readonly Item[],
  style: LiteralStyle,
  depth: number,
): string {
  const [open, close] = getBrackets(value);
  const indent = style.indent.repeat(depth + 1);
  const lines = items.map(
    ({ key, value: item }) => indent + key + formatLiteral(item, style, depth + 1, key.length + 1),
  );
  const lineEnd = style.trailingComma ? ',' : '';
  return `${open}\n${lines.join(',\n')}${lineEnd}\n${style.indent.repeat(depth)}${close}`;
}

function getBrackets(value: CodeValue): readonly ['[', ']'] | readonly ['{', '}'] {
  return isList(value) ? ['[', ']'] : ['{', '}'];
}
