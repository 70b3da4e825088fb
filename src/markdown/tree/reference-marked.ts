import type { Token, TokenizerExtension, TokenizerThis } from 'marked';
import { Marked } from 'marked';

import { inlineMathAt, mathBlockOpening, mayHoldMath } from '../parse/math-syntax.ts';
import { closingBracketsIn, lengthOf, repeatsTooMuch } from '../parse/repeated-address.ts';

/** What the extensions add to marked's own tokens. */
export type MathToken = { type: 'math'; raw: string; tex: string; display: boolean };
export type FootnoteToken = { type: 'footnote'; raw: string; label: string; tokens: Token[] };
export type FootnoteMarkToken = { type: 'footnote-mark'; raw: string; label: string };

const FOOTNOTE_START = /^ {0,3}\[\^([^\]\s]{1,64})\]:[ \t]*/;
const FOOTNOTE_ANYWHERE = /^ {0,3}\[\^([^\]\s]{1,64})\]:/gm;

function mathBlock(source: string): MathToken | undefined {
  const firstEnd = source.indexOf('\n');
  const opening = mathBlockOpening(firstEnd < 0 ? source : source.slice(0, firstEnd));
  if (opening === undefined) return undefined;
  const from =
    source.length < opening.rest.length ? 0 : (firstEnd < 0 ? source.length : firstEnd) - opening.rest.length;
  const at = source.indexOf(opening.close, from);
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
  if (mayHoldMath(text)) extensions.push(MATH_EXTENSION);
  return extensions;
}

// What the reference parser reads in less than 5 ms, also where its code is not warm yet.
const CHARACTERS_A_STEP = 3_000;

/**
 * The tokens of a whole document by the reference parser: marked with GFM, and footnotes and math added. In steps, so
 * that a page can do something else between them; line ends must be line feeds. Undefined where its references
 * would repeat too much.
 */
export function* referenceTokenSteps(text: string): Generator<void, readonly Token[] | undefined> {
  const marked = new Marked({ gfm: true });
  const extensions = extensionsFor(text);
  if (extensions.length > 0) marked.use({ extensions });
  const lexer = new marked.Lexer(marked.defaults);
  lexer.blockTokens(text, lexer.tokens);
  const longest = Object.values(lexer.tokens.links).reduce((most, link) => Math.max(most, lengthOf(link)), 0);
  if (repeatsTooMuch(longest, closingBracketsIn(text))) return undefined;
  yield;
  let read = 0;
  for (const { src, tokens } of lexer.inlineQueue) {
    // As marked's own loop does: raw HTML left open ends with its block.
    lexer.state.inRawBlock = false;
    lexer.inlineTokens(src, tokens);
    read += src.length;
    if (read < CHARACTERS_A_STEP) continue;
    read = 0;
    yield;
  }
  return lexer.tokens;
}
