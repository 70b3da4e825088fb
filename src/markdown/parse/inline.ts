import type { Attributes, MarkdownChild } from '../tree/markdown-tree.ts';
import { joinedChildren, nodeOf, textOf } from '../tree/markdown-tree.ts';
import { decodeEntities } from './entities.ts';
import type { InlineContext, Piece } from './inline-delimiters.ts';
import { DelimiterStack, PieceList } from './inline-delimiters.ts';
import type { BareLink } from './inline-syntax.ts';
import { autolinkAt, bareLinks, flanking, htmlTagEnd, linkTargetAt, normalLabel } from './inline-syntax.ts';
import { inlineMathAt } from './math-syntax.ts';

export interface InlineResult {
  children: MarkdownChild[];
  /** Everything before this offset is final whatever follows; a space stands there, or it is 0. */
  safe: number;
  /** How many of `children` belong to the part before `safe`. */
  safeChildren: number;
  /** What was referred to and is not defined: read as if it were (`assumed`), or as text. */
  missing: Missing;
}

export type Missing = 'assumed' | 'text' | undefined;

interface Bracket {
  piece: Piece;
  /** Offset after the bracket. */
  at: number;
  image: boolean;
  active: boolean;
  delimiters: number;
}

const LONGEST_ADDRESS = 2_000;
// Half-open markup further back than this is most likely none: a lone asterisk does not set the rest in italics.
const LONGEST_REPAIR = 400;

const PLAIN = /[^\\`*_~[\]!<&$\n]+/y;
// What a piece of markup may still begin with at the very end of a text that grows: it is held back until more is known.
const LONGEST_UNDECIDED_END = 100;
const UNDECIDED_END = /(?:\*{1,3}|_{1,3}|~{1,2}|(?<!`)`+|!?\[|\\\n?|&#?\w{0,31}|(?<![ \t\n])[ \t\n]+)$/;

/**
 * Reads inline markdown (CommonMark §6 with GFM's strikethrough and bare links, math and footnotes), each character a
 * bounded number of times. With `live`, the text goes on: half-open markup is read as it will most likely close.
 */
export function parseInline(text: string, context: InlineContext, live: boolean): InlineResult {
  return new InlineParser(live ? decidedPart(text) : text, context, live).parse();
}

function decidedPart(text: string): string {
  const end = text.slice(-LONGEST_UNDECIDED_END);
  return text.slice(0, text.length - end.length) + end.replace(UNDECIDED_END, '');
}

class InlineParser {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #live: boolean;
  readonly #pieces: PieceList;
  readonly #delimiters: DelimiterStack;
  #brackets: Bracket[] = [];
  #lastTicks: Map<number, number> | undefined;
  #at = 0;
  /** From here on nothing is final: markup began that the end of the text left open. */
  #openFrom = Number.POSITIVE_INFINITY;
  #safe = 0;
  #safePiece: Piece | undefined;
  #missing: Missing;

  constructor(text: string, context: InlineContext, live: boolean) {
    this.#text = text;
    this.#context = context;
    this.#live = live;
    this.#pieces = new PieceList(context);
    this.#delimiters = new DelimiterStack(this.#pieces);
  }

  parse(): InlineResult {
    while (this.#at < this.#text.length && !this.#context.tooMuch) this.#step();
    if (this.#live) this.#repair();
    else this.#delimiters.settle();
    const [safe, rest] = this.#pieces.split(this.#safePiece);
    const children = joinedChildren(safe);
    const safeChildren = children.length;
    return {
      children: children.concat(joinedChildren(rest)),
      safe: this.#safe,
      safeChildren,
      missing: this.#missing,
    };
  }

  #step(): void {
    const character = this.#text[this.#at] ?? '';
    switch (character) {
      case '\n':
        return this.#lineEnd();
      case '\\':
        return this.#backslash();
      case '`':
        return this.#codeSpan();
      case '*':
      case '_':
      case '~':
        return this.#delimiterRun(character);
      case '[':
        return this.#openBracket(false);
      case '!':
        return this.#text[this.#at + 1] === '[' ? this.#openBracket(true) : this.#literal('!');
      case ']':
        return this.#closeBracket();
      case '<':
        return this.#angle();
      case '&':
        return this.#entity();
      case '$':
        return this.#dollar();
      default:
        return this.#plain();
    }
  }

  #literal(text: string): void {
    this.#pieces.push(text);
    this.#at += text.length;
  }

  #markSafe(offset: number): void {
    if (this.#delimiters.height > 0 || this.#brackets.length > 0 || offset > this.#openFrom) return;
    this.#safe = offset;
    this.#safePiece = this.#pieces.tail;
  }

  #plain(): void {
    PLAIN.lastIndex = this.#at;
    const plain = PLAIN.exec(this.#text)?.[0] ?? this.#text[this.#at] ?? '';
    const from = this.#at;
    this.#at += plain.length;
    // An address reaches over characters that are markup elsewhere, so it is looked for in the text itself.
    const found = this.#linksFrom(from, plain);
    const links = found.length > 0 && this.#insideLink() ? [] : found;
    let done = from;
    for (const link of links) {
      this.#plainPiece(done, link.from);
      const label = this.#text.slice(link.from, link.to);
      this.#pieces.push(nodeOf('link', { href: link.href }, [label]), 1);
      done = link.to;
    }
    this.#at = Math.max(this.#at, done);
    this.#plainPiece(done, this.#at);
  }

  /** The bare addresses that begin in a stretch of plain text; they may reach beyond it. */
  #linksFrom(from: number, plain: string): BareLink[] {
    const end = from + plain.length;
    const window = this.#text.slice(end, end + LONGEST_ADDRESS);
    const mail =
      plain.includes('@') ||
      (/[\w.+-]$/.test(plain) && window.startsWith('_') && window.slice(0, 64).includes('@'));
    if (!mail && !plain.includes('://') && !/www\./i.test(plain)) return [];
    const stop = window.search(/[\s<`]/);
    const start = Math.max(0, from - 1);
    const stretch = this.#text.slice(start, stop < 0 ? end + LONGEST_ADDRESS : end + stop);
    return bareLinks(stretch)
      .map((link) => ({ from: link.from + start, to: link.to + start, href: link.href }))
      .filter((link) => link.from >= from && link.from < end);
  }

  /** Ordinary text; its last space is a place up to which all may be final. */
  #plainPiece(from: number, to: number): void {
    if (to <= from) return;
    const text = this.#text.slice(from, to);
    const space = /[ \t][^ \t]*$/.exec(text)?.index ?? -1;
    const start = space < 0 ? -1 : text.slice(0, space).trimEnd().length;
    if (start > 0 || (start === 0 && from > 0)) {
      if (start > 0) this.#pieces.push(text.slice(0, start));
      this.#markSafe(from + start);
      this.#pieces.push(text.slice(start));
    } else this.#pieces.push(text);
  }

  #lineEnd(): void {
    const at = this.#at;
    const spaces = this.#pieces.dropEndSpaces();
    this.#skipIndent(at + 1);
    if (spaces >= 2 && this.#at < this.#text.length) this.#pieces.push(nodeOf('break'), 1);
    else {
      if (spaces === 0 && at > 0) this.#markSafe(at);
      this.#pieces.push('\n');
    }
  }

  #skipIndent(from: number): void {
    this.#at = from;
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
  }

  #backslash(): void {
    const next = this.#text[this.#at + 1];
    const math = this.#math();
    if (math) return;
    if (next === '\n') {
      this.#skipIndent(this.#at + 2);
      this.#pieces.push(nodeOf('break'), 1);
    } else if (next !== undefined && /[!-/:-@[-`{-~]/.test(next)) {
      if ((next === '(' || next === '[') && this.#live) this.#openFrom = Math.min(this.#openFrom, this.#at);
      this.#pieces.push(next);
      this.#at += 2;
    } else this.#literal('\\');
  }

  #math(): boolean {
    const math = inlineMathAt(this.#text, this.#at);
    if (math === undefined) return false;
    this.#pieces.push(nodeOf('math', { display: math.display }, [math.tex]), 1);
    this.#at += math.length;
    return true;
  }

  #dollar(): void {
    if (this.#math()) return;
    if (this.#live && /\S/.test(this.#text[this.#at + 1] ?? 'x'))
      this.#openFrom = Math.min(this.#openFrom, this.#at);
    this.#literal('$');
  }

  #codeSpan(): void {
    const length = runLength(this.#text, this.#at, '`');
    const from = this.#at + length;
    const close = this.#closingTicks(from, length);
    if (close >= 0) {
      this.#pieces.push(nodeOf('code-span', {}, [codeText(this.#text.slice(from, close))]), 1);
      this.#at = close + length;
    } else if (this.#live && this.#text.length - from <= LONGEST_REPAIR && length <= 3) {
      this.#openFrom = Math.min(this.#openFrom, this.#at);
      if (from < this.#text.length)
        this.#pieces.push(nodeOf('code-span', {}, [codeText(this.#text.slice(from))]), 1);
      this.#at = this.#text.length;
    } else {
      if (this.#live) this.#openFrom = Math.min(this.#openFrom, this.#at);
      this.#literal('`'.repeat(length));
    }
  }

  #closingTicks(from: number, length: number): number {
    this.#lastTicks ??= lastTickRuns(this.#text);
    if ((this.#lastTicks.get(length) ?? -1) < from) return -1;
    let at = this.#text.indexOf('`', from);
    while (at >= 0) {
      const found = runLength(this.#text, at, '`');
      if (found === length) return at;
      at = this.#text.indexOf('`', at + found);
    }
    return -1;
  }

  #delimiterRun(mark: string): void {
    const at = this.#at;
    const count = runLength(this.#text, at, mark);
    const sides = flanking(this.#text, at, at + count, mark);
    this.#literal(mark.repeat(count));
    if (mark === '~' && count > 2) return;
    if (!sides.opens && !sides.closes) return;
    const delimiter = { piece: this.#pieces.tail, at, mark, count, length: count, ...sides };
    if (this.#brackets.length > 0) this.#delimiters.wait(delimiter);
    else this.#delimiters.resolve(delimiter);
  }

  #insideLink(): boolean {
    return this.#brackets.some((bracket) => bracket.active && !bracket.image) && this.#closesAsLink();
  }

  /** Bare addresses inside a link's text stay text; whether the bracket becomes a link is seen from its end. */
  #closesAsLink(): boolean {
    const ahead = this.#text.slice(this.#at, this.#at + LONGEST_REPAIR);
    const after = ahead[ahead.indexOf(']') + 1];
    return ahead.includes(']') && (after === '(' || after === '[');
  }

  #openBracket(image: boolean): void {
    const footnote = image
      ? undefined
      : /^\[\^([^\]\s]{1,64})\](?!:)/.exec(this.#text.slice(this.#at, this.#at + 70));
    const label = footnote?.[1];
    if (footnote && label !== undefined && this.#isFootnote(label)) {
      this.#pieces.push(nodeOf('footnote-mark', { label }), 1);
      this.#at += footnote[0].length;
      return;
    }
    this.#literal(image ? '![' : '[');
    this.#brackets.push({
      piece: this.#pieces.tail,
      at: this.#at,
      image,
      active: true,
      delimiters: this.#delimiters.height,
    });
  }

  #isFootnote(label: string): boolean {
    if (this.#context.footnotes.has(label)) return true;
    this.#missing = 'assumed';
    return !this.#context.complete;
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (bracket === undefined) return this.#literal(']');
    const target = bracket.active ? this.#targetAfter(bracket) : undefined;
    if (target === undefined) {
      this.#literal(']');
      if (this.#brackets.length === 0) this.#delimiters.settle();
      return;
    }
    this.#finishLink(bracket, target.attributes);
    this.#at = target.end;
    if (target.open) this.#openFrom = Math.min(this.#openFrom, bracket.at - 1);
  }

  #finishLink(bracket: Bracket, attributes: Attributes): void {
    this.#delimiters.settleFrom(bracket.delimiters);
    this.#delimiters.shrink(bracket.delimiters);
    if (bracket.image) {
      const alt = textOf(this.#pieces.takeAfter(bracket.piece));
      bracket.piece.child = nodeOf('image', { ...attributes, alt });
      bracket.piece.depth = 1;
    } else {
      this.#pieces.enclose(bracket.piece, undefined, 'link', attributes);
      bracket.piece.child = '';
      for (const outer of this.#brackets) if (!outer.image) outer.active = false;
    }
    if (this.#brackets.length === 0) this.#delimiters.settle();
  }

  #targetAfter(bracket: Bracket): { attributes: Attributes; end: number; open: boolean } | undefined {
    const after = this.#at + 1;
    const label = this.#text.slice(bracket.at, this.#at);
    if (this.#text[after] === '(') {
      const target = linkTargetAt(this.#text, after);
      if (target === 'open' && this.#live) return { attributes: {}, end: this.#text.length, open: true };
      if (target !== undefined && target !== 'open')
        return { attributes: linkAttributes(target), end: target.end, open: false };
    }
    if (label.length > 999) return undefined;
    const full =
      this.#text[after] === '['
        ? /^\[((?:\\.|[^[\]\\]){0,999})(\]?)/s.exec(this.#text.slice(after, after + 1_002))
        : null;
    if (full !== null && full[2] === '' && this.#live && after + full[0].length >= this.#text.length) {
      return { attributes: {}, end: this.#text.length, open: true };
    }
    const name = full?.[2] === ']' && full[1] !== '' ? (full[1] ?? '') : label;
    const end = full?.[2] === ']' ? after + full[0].length : after;
    const reference = this.#context.references.get(normalLabel(name));
    if (reference !== undefined) return { attributes: linkAttributes(reference), end, open: false };
    this.#missing ??= 'text';
    if (this.#context.complete) return undefined;
    const wordBefore = /\w/.test(this.#text[bracket.at - 2] ?? ' ');
    if (!wordBefore && full?.[2] === ']' && full[1] !== '') {
      this.#missing = 'assumed';
      return { attributes: {}, end, open: false };
    }
    return this.#live && after >= this.#text.length && !wordBefore
      ? { attributes: {}, end: after, open: true }
      : undefined;
  }

  #angle(): void {
    const link = autolinkAt(this.#text, this.#at);
    if (link !== undefined) {
      this.#pieces.push(nodeOf('link', { href: link.href }, [link.label]), 1);
      this.#at = link.end;
      return;
    }
    const end = htmlTagEnd(this.#text, this.#at);
    if (end !== undefined) return this.#literal(this.#text.slice(this.#at, end));
    if (this.#live && /[a-zA-Z/!?]/.test(this.#text[this.#at + 1] ?? 'a'))
      this.#openFrom = Math.min(this.#openFrom, this.#at);
    this.#literal('<');
  }

  #entity(): void {
    const written = /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/.exec(
      this.#text.slice(this.#at, this.#at + 36),
    )?.[0];
    this.#pieces.push(written === undefined ? '&' : decodeEntities(written));
    this.#at += written?.length ?? 1;
  }

  /** Closes what the end of a growing text leaves open, as it will most likely be closed. */
  #repair(): void {
    const earliest = this.#text.length - LONGEST_REPAIR;
    const bracket = this.#brackets.pop();
    if (bracket !== undefined) {
      const near = bracket.at >= earliest;
      const wordBefore = /\w/.test(this.#text[bracket.at - 2] ?? ' ') && !bracket.image;
      this.#brackets = [];
      if (near && !wordBefore) {
        this.#delimiters.settleFrom(bracket.delimiters);
        this.#delimiters.closeOpen(bracket.delimiters, earliest);
        this.#finishLink(bracket, {});
      } else this.#delimiters.settle();
    }
    this.#delimiters.closeOpen(0, earliest);
  }
}

function linkAttributes(target: { href: string; title: string | undefined }): Attributes {
  const href = decodeEntities(target.href);
  return target.title ? { href, title: decodeEntities(target.title) } : { href };
}

function runLength(text: string, at: number, character: string): number {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}

/** For each length of a run of backticks, where the last one of that length begins. */
function lastTickRuns(text: string): Map<number, number> {
  const last = new Map<number, number>();
  for (const match of text.matchAll(/`+/g)) last.set(match[0].length, match.index);
  return last;
}

/** CommonMark §6.1: line ends become spaces, and one space at both ends goes. */
function codeText(text: string): string {
  const line = text.replace(/\n/g, ' ');
  return line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line) ? line.slice(1, -1) : line;
}
