import type { Token, TokenizerExtension, TokenizerThis } from 'marked';
import { Marked } from 'marked';

import { inlineMathAt, mathBlockClosing } from '../parse/math-syntax.ts';

/** What the extensions add to marked's own tokens. */
export type MathToken = { type: 'math'; raw: string; tex: string; display: boolean };
export type FootnoteToken = { type: 'footnote'; raw: string; label: string; tokens: Token[] };
export type FootnoteMarkToken = { type: 'footnote-mark'; raw: string; label: string };

const FOOTNOTE_START = /^ {0,3}\[\^([^\]\s]{1,64})\]:[ \t]*/;
const FOOTNOTE_ANYWHERE = /^ {0,3}\[\^([^\]\s]{1,64})\]:/gm;

function mathBlock(source: string): MathToken | undefined {
  const firstEnd = source.indexOf('\n');
  const indent = /^ {0,3}/.exec(source)?.[0].length ?? 0;
  const close = mathBlockClosing(source.slice(indent, firstEnd < 0 ? undefined : firstEnd));
  if (close === undefined) return undefined;
  const from = indent + 2;
  const at = source.indexOf(close, from);
  if (at < 0) return undefined;
  const lineEnd = source.indexOf('\n', at);
  if (source.slice(at + 2, lineEnd < 0 ? undefined : lineEnd).trim() !== '') return undefined;
  const tex = source.slice(from, at).trim();
  if (tex === '' || /\n[ \t]*\n/.test(tex)) return undefined;
  return { type: 'math', raw: source.slice(0, lineEnd < 0 ? undefined : lineEnd + 1), tex, display: true };
}

function footnote(this: TokenizerThis, source: string): FootnoteToken | undefined {
  const start = FOOTNOTE_START.exec(source);
  if (start?.[1] === undefined) return undefined;
  const lines = source.split('\n');
  const kept = [lines[0]?.slice(start[0].length) ?? ''];
  let blank = kept[0] === '';
  let index = 1;
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') {
      blank = true;
      kept.push('');
    } else if (/^(?: {4}|\t)/.test(line)) {
      kept.push(line.replace(/^(?: {4}|\t)/, ''));
      blank = false;
    } else if (blank || FOOTNOTE_START.test(line) || !continuesParagraph(line)) break;
    else kept.push(line);
  }
  while (kept.at(-1) === '') {
    kept.pop();
    index -= 1;
  }
  const raw = lines.slice(0, index).join('\n') + (index < lines.length ? '\n' : '');
  return { type: 'footnote', raw, label: start[1], tokens: this.lexer.blockTokens(kept.join('\n'), []) };
}

/** A line that can carry a footnote's paragraph on without being indented. */
function continuesParagraph(line: string): boolean {
  return !/^ {0,3}(?:#{1,6}(?:\s|$)|>|(?:[*+-]|\d{1,9}[.)])(?:\s|$)|`{3}|~{3}|\||(?:[-_*][ \t]*){3,}$)/.test(
    line,
  );
}

function footnoteLabels(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(FOOTNOTE_ANYWHERE), (match) => match[1] ?? ''));
}

const FOOTNOTE_EXTENSION: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => /\n {0,3}\[\^/.exec(source)?.index,
  tokenizer: footnote,
};

function footnoteMarkExtension(labels: ReadonlySet<string>): TokenizerExtension {
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
  tokenizer: (source) => mathBlock(source),
};

const MATH_EXTENSION: TokenizerExtension = {
  name: 'math-inline',
  level: 'inline',
  start: (source) => /[$]|\\[([]/.exec(source)?.index,
  tokenizer(source) {
    const math = inlineMathAt(source, 0);
    if (math === undefined) return undefined;
    return { type: 'math', raw: source.slice(0, math.length), tex: math.tex, display: math.display };
  },
};

/** An extension costs time all over a document, so each is added only where its syntax occurs. */
function extensionsFor(text: string): TokenizerExtension[] {
  const extensions: TokenizerExtension[] = [];
  const labels = text.includes('[^') ? footnoteLabels(text) : new Set<string>();
  if (labels.size > 0) extensions.push(FOOTNOTE_EXTENSION, footnoteMarkExtension(labels));
  if (/^[ >\t]*(?:(?:[-*+]|\d{1,9}[.)])[ >\t]*)?(?:\$\$|\\\[)/m.test(text))
    extensions.push(MATH_BLOCK_EXTENSION);
  if (/\$|\\[([]/.test(text)) extensions.push(MATH_EXTENSION);
  return extensions;
}

/** The tokens of a whole document by marked with GFM, and footnotes and math added. Line ends must be line feeds. */
export function markedTokens(text: string): readonly Token[] {
  const marked = new Marked({ gfm: true });
  marked.use({ extensions: extensionsFor(text) });
  return marked.lexer(text);
}
