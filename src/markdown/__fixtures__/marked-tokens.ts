import type { Token, TokenizerExtension, TokenizerThis } from 'marked';
import { Marked } from 'marked';

import { parseInlineMath, getMathBlockCloser } from '../parse/math-syntax.ts';

/** Tokens that the extensions add to marked's own. */
export type MathToken = { type: 'math'; raw: string; tex: string; display: boolean };
export type FootnoteToken = { type: 'footnote'; raw: string; label: string; tokens: Token[] };
export type FootnoteMarkToken = { type: 'footnote-mark'; raw: string; label: string };

const FOOTNOTE_START = /^ {0,3}\[\^([^\]\s]{1,64})\]:[ \t]*/;
const FOOTNOTE_ANYWHERE = /^ {0,3}\[\^([^\]\s]{1,64})\]:/gm;

function parseMathBlock(source: string): MathToken | undefined {
  const firstLineEnd = source.indexOf('\n');
  const indent = /^ {0,3}/.exec(source)?.[0].length ?? 0;
  const closer = getMathBlockCloser(source.slice(indent, firstLineEnd < 0 ? undefined : firstLineEnd));
  if (closer === undefined) return undefined;
  const texStart = indent + 2;
  const closeOffset = source.indexOf(closer, texStart);
  if (closeOffset < 0) return undefined;
  const lineEnd = source.indexOf('\n', closeOffset);
  if (source.slice(closeOffset + 2, lineEnd < 0 ? undefined : lineEnd).trim() !== '') return undefined;
  const tex = source.slice(texStart, closeOffset).trim();
  if (tex === '' || /\n[ \t]*\n/.test(tex)) return undefined;
  return { type: 'math', raw: source.slice(0, lineEnd < 0 ? undefined : lineEnd + 1), tex, display: true };
}

function parseFootnote(this: TokenizerThis, source: string): FootnoteToken | undefined {
  const startMatch = FOOTNOTE_START.exec(source);
  if (startMatch?.[1] === undefined) return undefined;
  const lines = source.split('\n');
  const bodyLines = [lines[0]?.slice(startMatch[0].length) ?? ''];
  let isAfterBlankLine = bodyLines[0] === '';
  let index = 1;
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') {
      isAfterBlankLine = true;
      bodyLines.push('');
    } else if (/^(?: {4}|\t)/.test(line)) {
      bodyLines.push(line.replace(/^(?: {4}|\t)/, ''));
      isAfterBlankLine = false;
    } else if (isAfterBlankLine || FOOTNOTE_START.test(line) || !canContinueParagraph(line)) break;
    else bodyLines.push(line);
  }
  while (bodyLines.at(-1) === '') {
    bodyLines.pop();
    index -= 1;
  }
  const raw = lines.slice(0, index).join('\n') + (index < lines.length ? '\n' : '');
  return {
    type: 'footnote',
    raw,
    label: startMatch[1],
    tokens: this.lexer.blockTokens(bodyLines.join('\n'), []),
  };
}

/** Returns true for a line that can continue a footnote's paragraph without indentation. */
function canContinueParagraph(line: string): boolean {
  return !/^ {0,3}(?:#{1,6}(?:\s|$)|>|(?:[*+-]|\d{1,9}[.)])(?:\s|$)|`{3}|~{3}|\||(?:[-_*][ \t]*){3,}$)/.test(
    line,
  );
}

function listFootnoteLabels(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(FOOTNOTE_ANYWHERE), (match) => match[1] ?? ''));
}

const FOOTNOTE_EXTENSION: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => /\n {0,3}\[\^/.exec(source)?.index,
  tokenizer: parseFootnote,
};

function createFootnoteMarkExtension(labels: ReadonlySet<string>): TokenizerExtension {
  return {
    name: 'footnote-mark',
    level: 'inline',
    start: (source) => source.indexOf('[^'),
    tokenizer(source) {
      const match = /^\[\^([^\]\s]{1,64})\]/.exec(source);
      if (match?.[1] === undefined || !labels.has(match[1])) return undefined;
      return { type: 'footnote-mark', raw: match[0], label: match[1] };
    },
  };
}

const MATH_BLOCK_EXTENSION: TokenizerExtension = {
  name: 'math-block',
  level: 'block',
  start: (source) => /\n {0,3}(?:\$\$|\\\[)/.exec(source)?.index,
  tokenizer: (source) => parseMathBlock(source),
};

const MATH_EXTENSION: TokenizerExtension = {
  name: 'math-inline',
  level: 'inline',
  start: (source) => /[$]|\\[([]/.exec(source)?.index,
  tokenizer(source) {
    const math = parseInlineMath(source, 0);
    if (math === undefined) return undefined;
    return { type: 'math', raw: source.slice(0, math.length), tex: math.tex, display: math.display };
  },
};

/** Selects only the extensions whose syntax occurs in the text, since each one slows down the whole document. */
function selectExtensions(text: string): TokenizerExtension[] {
  const extensions: TokenizerExtension[] = [];
  const labels = text.includes('[^') ? listFootnoteLabels(text) : new Set<string>();
  if (labels.size > 0) extensions.push(FOOTNOTE_EXTENSION, createFootnoteMarkExtension(labels));
  if (/^[ >\t]*(?:(?:[-*+]|\d{1,9}[.)])[ >\t]*)?(?:\$\$|\\\[)/m.test(text))
    extensions.push(MATH_BLOCK_EXTENSION);
  if (/\$|\\[([]/.test(text)) extensions.push(MATH_EXTENSION);
  return extensions;
}

/** Returns the tokens of a whole document from marked with GFM, footnotes and math. Line ends must be line feeds. */
export function tokenizeWithMarked(text: string): readonly Token[] {
  const marked = new Marked({ gfm: true });
  marked.use({ extensions: selectExtensions(text) });
  return marked.lexer(text);
}
