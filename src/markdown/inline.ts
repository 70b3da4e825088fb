import { decodeEntities } from './entities.ts';
import type { BareLink } from './inline-syntax.ts';
import { autolinkAt, bareLinks, flanking, htmlTagEnd, linkTargetAt, normalLabel } from './inline-syntax.ts';
import { inlineMathAt } from './math-syntax.ts';
import { textOf } from './reference-tree.ts';
import type { Attributes, MarkdownChild } from './tree.ts';
import { joinedChildren, nodeOf } from './tree.ts';

/**
 * What a message has defined so far, and whether it nests too deep to be drawn. A reference to what is not defined yet
 * is shown as if it were, since definitions mostly come last; the end of the text decides.
 */
export interface InlineContext {
  readonly references: ReadonlyMap<string, { href: string; title: string | undefined }>;
  tooDeep: boolean;
  /** About how many steps the reference parser would need for the text so far. */
  referenceSteps: number;
}

export interface InlineResult {
  children: MarkdownChild[];
  /** Everything before this offset is final whatever follows; a space stands there, or it is 0. */
  safe: number;
  /** How many of `children` belong to the part before `safe`. */
  safeChildren: number;
}

/** One element of the list that is being built: finished content, or a delimiter that may still become markup. */
interface Piece {
  child: MarkdownChild;
  depth: number;
  next: Piece | undefined;
}

interface Delimiter {
  piece: Piece;
  at: number;
  mark: string;
  count: number;
  length: number;
  opens: boolean;
  closes: boolean;
}

interface Bracket {
  piece: Piece;
  /** Offset after the bracket. */
  at: number;
  image: boolean;
  active: boolean;
  delimiters: number;
}

const DEEPEST = 64;
const LONGEST_ADDRESS = 2_000;
// Half-open markup further back than this is most likely none: a lone asterisk does not set the rest in italics.
const LONGEST_REPAIR = 400;
const MOST_REPAIRS = 12;

const PLAIN = /[^\\`*_~[\]!<&$\n]+/y;
// What a piece of markup may still begin with at the very end of a text that grows: it is held back until more is known.
const UNDECIDED_END = /(?:\*{1,3}|_{1,3}|~{1,2}|`+|!?\[|\\|&#?\w{0,31}|(?: {2,}|\\)\n|[ \t\n]+)$/;

/**
 * Reads inline markdown (CommonMark §6 with GFM's strikethrough and bare links, math and footnotes), each character a
 * bounded number of times. With `live`, the text goes on: half-open markup is read as it will most likely close.
 */
export function parseInline(text: string, context: InlineContext, live: boolean): InlineResult {
  return new InlineParser(live ? text.replace(UNDECIDED_END, '') : text, context, live).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #live: boolean;
  readonly #head: Piece = { child: '', depth: 0, next: undefined };
  #tail: Piece = this.#head;
  #delimiters: Delimiter[] = [];
  #brackets: Bracket[] = [];
  /** For a kind of closer, below which height of the stack no opener for it stands. */
  #floors = new Map<string, number>();
  /** How many delimiters of the stack have already tried to close something. */
  #resolved = 0;
  #lastTicks: Map<number, number> | undefined;
  #at = 0;
  /** From here on nothing is final: markup began that the end of the text left open. */
  #openFrom = Number.POSITIVE_INFINITY;
  #safe = 0;
  #safePiece: Piece = this.#head;

  constructor(text: string, context: InlineContext, live: boolean) {
    this.#text = text;
    this.#context = context;
    this.#live = live;
  }

  parse(): InlineResult {
    while (this.#at < this.#text.length && !this.#context.tooDeep) this.#step();
    if (this.#live) this.#repair();
    const safe: MarkdownChild[] = [];
    const rest: MarkdownChild[] = [];
    let target = this.#safePiece === this.#head ? rest : safe;
    for (let piece = this.#head.next; piece !== undefined; piece = piece.next) {
      target.push(piece.child);
      if (piece === this.#safePiece) target = rest;
    }
    const children = joinedChildren(safe);
    const safeChildren = children.length;
    return { children: children.concat(joinedChildren(rest)), safe: this.#safe, safeChildren };
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

  #push(child: MarkdownChild, depth = 0): Piece {
    const piece: Piece = { child, depth, next: undefined };
    this.#tail.next = piece;
    this.#tail = piece;
    return piece;
  }

  #literal(text: string): void {
    this.#push(text);
    this.#at += text.length;
  }

  #markSafe(offset: number): void {
    if (this.#delimiters.length > 0 || this.#brackets.length > 0 || offset > this.#openFrom) return;
    this.#safe = offset;
    this.#safePiece = this.#tail;
  }

  #plain(): void {
    PLAIN.lastIndex = this.#at;
    const plain = PLAIN.exec(this.#text)?.[0] ?? this.#text[this.#at] ?? '';
    const from = this.#at;
    this.#at += plain.length;
    // An address reaches over characters that are markup elsewhere, so it is looked for in the text itself.
    const links = this.#insideLink() ? [] : this.#linksFrom(from, plain);
    let done = from;
    for (const link of links) {
      this.#plainPiece(done, link.from);
      const label = this.#text.slice(link.from, link.to);
      this.#push(nodeOf('link', { href: link.href }, [label]), 1);
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
      if (start > 0) this.#push(text.slice(0, start));
      this.#markSafe(from + start);
      this.#push(text.slice(start));
    } else this.#push(text);
  }

  #lineEnd(): void {
    const at = this.#at;
    const previous = this.#tail.child;
    const spaces = typeof previous === 'string' ? (/ *$/.exec(previous)?.[0].length ?? 0) : 0;
    if (typeof previous === 'string') this.#tail.child = previous.replace(/[ \t]+$/, '');
    this.#skipIndent(at + 1);
    if (spaces >= 2 && this.#at < this.#text.length) this.#push(nodeOf('break'), 1);
    else {
      if (spaces === 0 && at > 0) this.#markSafe(at);
      this.#push('\n');
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
      this.#push(nodeOf('break'), 1);
    } else if (next !== undefined && /[!-/:-@[-`{-~]/.test(next)) {
      if ((next === '(' || next === '[') && this.#live) this.#openFrom = Math.min(this.#openFrom, this.#at);
      this.#push(next);
      this.#at += 2;
    } else this.#literal('\\');
  }

  #math(): boolean {
    const math = inlineMathAt(this.#text, this.#at);
    if (math === undefined) return false;
    this.#push(nodeOf('math', { display: math.display }, [math.tex]), 1);
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
      this.#push(nodeOf('code-span', {}, [codeText(this.#text.slice(from, close))]), 1);
      this.#at = close + length;
    } else if (this.#live && this.#text.length - from <= LONGEST_REPAIR && length <= 3) {
      this.#openFrom = Math.min(this.#openFrom, this.#at);
      if (from < this.#text.length)
        this.#push(nodeOf('code-span', {}, [codeText(this.#text.slice(from))]), 1);
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
    const delimiter = { piece: this.#tail, at, mark, count, length: count, ...sides };
    if (this.#brackets.length > 0) this.#delimiters.push(delimiter);
    else this.#resolve(delimiter, 0);
  }

  /** Lets a delimiter close what it can, down to `bottom` of the stack, and puts on the stack what may still open. */
  #resolve(closer: Delimiter, bottom: number): void {
    while (closer.closes && closer.count > 0) {
      const key = `${closer.mark}${closer.opens}${closer.length % 3}${closer.mark === '~' ? closer.count : ''}`;
      const floor = Math.max(bottom, Math.min(this.#floors.get(key) ?? 0, this.#delimiters.length));
      let index = this.#delimiters.length - 1;
      while (index >= floor && !matches(this.#delimiters[index], closer)) index -= 1;
      const opener = this.#delimiters[index];
      if (index < floor || opener === undefined) {
        this.#floors.set(key, this.#delimiters.length);
        break;
      }
      this.#wrap(opener, closer);
      this.#shrink(opener.count > 0 ? index + 1 : index);
    }
    if (closer.count > 0 && closer.opens) this.#delimiters.push(closer);
    if (bottom === 0) this.#resolved = this.#delimiters.length;
  }

  #shrink(height: number): void {
    this.#delimiters.length = height;
    this.#resolved = Math.min(this.#resolved, height);
    for (const [key, floor] of this.#floors) if (floor > height) this.#floors.set(key, height);
  }

  #wrap(opener: Delimiter, closer: Delimiter): void {
    const used = opener.mark === '~' ? closer.count : opener.count >= 2 && closer.count >= 2 ? 2 : 1;
    const kind = opener.mark === '~' ? 'deleted' : used === 2 ? 'strong' : 'emphasis';
    this.#enclose(opener.piece, closer.piece, kind, {});
    for (const delimiter of [opener, closer]) {
      delimiter.count -= used;
      delimiter.piece.child = delimiter.mark.repeat(delimiter.count);
    }
  }

  /** Makes one node of what stands between two pieces (to the end without the second). */
  #enclose(
    from: Piece,
    to: Piece | undefined,
    kind: 'deleted' | 'strong' | 'emphasis' | 'link',
    attributes: Attributes,
  ): void {
    const children: MarkdownChild[] = [];
    let depth = 0;
    for (let piece = from.next; piece !== to && piece !== undefined; piece = piece.next) {
      children.push(piece.child);
      depth = Math.max(depth, piece.depth);
    }
    if (depth >= DEEPEST) {
      this.#context.tooDeep = true;
      return;
    }
    const made: Piece = {
      child: nodeOf(kind, attributes, joinedChildren(children)),
      depth: depth + 1,
      next: to,
    };
    from.next = made;
    if (to === undefined) this.#tail = made;
  }

  #insideLink(): boolean {
    return this.#brackets.some((bracket) => bracket.active && !bracket.image) && this.#closesAsLink();
  }

  /** Bare addresses inside a link's text stay text; whether the bracket becomes a link is seen from its end. */
  #closesAsLink(): boolean {
    const close = this.#text.indexOf(']', this.#at);
    return (
      close >= 0 &&
      close - this.#at < LONGEST_REPAIR &&
      (this.#text[close + 1] === '(' || this.#text[close + 1] === '[')
    );
  }

  #openBracket(image: boolean): void {
    const footnote = image
      ? undefined
      : /^\[\^([^\]\s]{1,64})\](?!:)/.exec(this.#text.slice(this.#at, this.#at + 70));
    const label = footnote?.[1];
    if (footnote && label !== undefined) {
      this.#push(nodeOf('footnote-mark', { label }), 1);
      this.#at += footnote[0].length;
      return;
    }
    this.#literal(image ? '![' : '[');
    this.#brackets.push({
      piece: this.#tail,
      at: this.#at,
      image,
      active: true,
      delimiters: this.#delimiters.length,
    });
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (bracket === undefined) return this.#literal(']');
    const target = bracket.active ? this.#targetAfter(bracket) : undefined;
    if (target === undefined) {
      this.#literal(']');
      if (this.#brackets.length === 0) this.#settle();
      return;
    }
    this.#finishLink(bracket, target.attributes);
    this.#at = target.end;
    if (target.open) this.#openFrom = Math.min(this.#openFrom, bracket.at - 1);
  }

  #finishLink(bracket: Bracket, attributes: Attributes): void {
    this.#settleInside(bracket);
    this.#shrink(bracket.delimiters);
    if (bracket.image) {
      const inside: MarkdownChild[] = [];
      for (let piece = bracket.piece.next; piece !== undefined; piece = piece.next) inside.push(piece.child);
      bracket.piece.child = nodeOf('image', { ...attributes, alt: textOf(inside) });
      bracket.piece.depth = 1;
      bracket.piece.next = undefined;
      this.#tail = bracket.piece;
    } else {
      this.#enclose(bracket.piece, undefined, 'link', attributes);
      bracket.piece.child = '';
      for (const outer of this.#brackets) if (!outer.image) outer.active = false;
    }
    if (this.#brackets.length === 0) this.#settle();
  }

  /** Resolves the delimiters that waited for a bracket to close. */
  #settle(): void {
    const waiting = this.#delimiters.slice(this.#resolved);
    this.#shrink(this.#resolved);
    for (const delimiter of waiting) this.#resolve(delimiter, 0);
  }

  /** Resolves those inside a bracket that became a link, among themselves. */
  #settleInside(bracket: Bracket): void {
    const waiting = this.#delimiters.slice(bracket.delimiters);
    const outside = this.#floors;
    this.#delimiters.length = bracket.delimiters;
    this.#floors = new Map();
    for (const delimiter of waiting) this.#resolve(delimiter, bracket.delimiters);
    this.#floors = outside;
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
    const wordBefore = /\w/.test(this.#text[bracket.at - 2] ?? ' ');
    if (!wordBefore && full?.[2] === ']' && full[1] !== '') return { attributes: {}, end, open: false };
    return this.#live && after >= this.#text.length && !wordBefore
      ? { attributes: {}, end: after, open: true }
      : undefined;
  }

  #angle(): void {
    const link = autolinkAt(this.#text, this.#at);
    if (link !== undefined) {
      this.#push(nodeOf('link', { href: link.href }, [link.label]), 1);
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
    this.#push(written === undefined ? '&' : decodeEntities(written));
    this.#at += written?.length ?? 1;
  }

  /** Closes what the end of a growing text leaves open, as it will most likely be closed. */
  #repair(): void {
    const bracket = this.#brackets.pop();
    if (bracket !== undefined) {
      const near = this.#text.length - bracket.at <= LONGEST_REPAIR;
      const wordBefore = /\w/.test(this.#text[bracket.at - 2] ?? ' ') && !bracket.image;
      this.#brackets = [];
      if (near && !wordBefore) {
        this.#settleInside(bracket);
        this.#closeOpen(this.#delimiters.slice(bracket.delimiters));
        this.#shrink(bracket.delimiters);
        this.#finishLink(bracket, {});
      } else this.#settle();
    }
    this.#closeOpen(this.#delimiters);
  }

  #closeOpen(delimiters: readonly Delimiter[]): void {
    const recent = delimiters.filter((each) => each.opens && this.#text.length - each.at <= LONGEST_REPAIR);
    for (const opener of recent.slice(-MOST_REPAIRS).toReversed()) {
      if (opener.mark === '~' && opener.count < 2) continue;
      if (opener.piece.next === undefined) continue;
      while (opener.count > 0) {
        const used = Math.min(opener.count, 2);
        const kind = opener.mark === '~' ? 'deleted' : used === 2 ? 'strong' : 'emphasis';
        this.#enclose(opener.piece, undefined, kind, {});
        opener.count -= used;
      }
      opener.piece.child = '';
    }
  }
}

function matches(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener === undefined || opener.mark !== closer.mark || !opener.opens || opener.count === 0)
    return false;
  if (closer.mark === '~') return opener.count === closer.count;
  // CommonMark §6.2, rules 9 and 10: where one of both could open and close, multiples of three decide.
  const both = opener.closes || closer.opens;
  return (
    !both || (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
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
  return /^ .*[^ ].* $/.test(line) ? line.slice(1, -1) : line;
}
