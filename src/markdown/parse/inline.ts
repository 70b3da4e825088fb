import type { Attributes, MarkdownChild } from '../tree/markdown-tree.ts';
import { mergeTextNodes, createNode, getInlineText } from '../tree/markdown-tree.ts';
import { decodeEntities } from './entities.ts';
import type { InlineContext, InlineItem } from './inline-delimiters.ts';
import { DelimiterStack, InlineList } from './inline-delimiters.ts';
import type { BareLink } from './inline-syntax.ts';
import {
  parseAutolink,
  findBareLinks,
  getFlanking,
  findHtmlTagEnd,
  parseLinkTarget,
  normalizeLabel,
} from './inline-syntax.ts';
import { parseInlineMath } from './math-syntax.ts';

export interface InlineResult {
  children: MarkdownChild[];
  /** Everything before this offset is final; a space precedes it, or it is 0. */
  safeEnd: number;
  /** Number of `children` before `safeEnd`. */
  safeChildCount: number;
  /** Undefined reference in the text, parsed as if it were defined (`assumed`) or as text. */
  missingReference: MissingReference;
}

export type MissingReference = 'assumed' | 'text' | undefined;

interface Bracket {
  item: InlineItem;
  /** Offset after the bracket. */
  offset: number;
  isImage: boolean;
  isActive: boolean;
  delimiterHeight: number;
}

const MAX_ADDRESS_CHARS = 2_000;
// Unclosed markup further back than this is probably not markup: a lone asterisk does not make the rest italic.
const MAX_REPAIR_CHARS = 400;

const PLAIN = /[^\\`*_~[\]!<&$\n]+/y;
// The end of a growing text that may begin markup is held back until more is known.
const MAX_UNDECIDED_END_CHARS = 100;
const UNDECIDED_END = /(?:\*{1,3}|_{1,3}|~{1,2}|(?<!`)`+|!?\[|\\\n?|&#?\w{0,31}|(?<![ \t\n])[ \t\n]+)$/;

/**
 * Parses inline Markdown (CommonMark §6 with GFM strikethrough and bare links, math and footnotes), reading each
 * character a bounded number of times. `isLive` means that more text follows: unclosed markup is closed in the most
 * likely way.
 */
export function parseInline(text: string, context: InlineContext, isLive: boolean): InlineResult {
  return new InlineParser(isLive ? trimUndecidedEnd(text) : text, context, isLive).parse();
}

function trimUndecidedEnd(text: string): string {
  const end = text.slice(-MAX_UNDECIDED_END_CHARS);
  return text.slice(0, text.length - end.length) + end.replace(UNDECIDED_END, '');
}

class InlineParser {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #live: boolean;
  readonly #items: InlineList;
  readonly #delimiters: DelimiterStack;
  #brackets: Bracket[] = [];
  #lastTickOffsets: Map<number, number> | undefined;
  #offset = 0;
  /** Offset of the first unclosed markup; nothing after it is final. */
  #openOffset = Number.POSITIVE_INFINITY;
  #safeEnd = 0;
  #safeItem: InlineItem | undefined;
  #missing: MissingReference;

  constructor(text: string, context: InlineContext, isLive: boolean) {
    this.#text = text;
    this.#context = context;
    this.#live = isLive;
    this.#items = new InlineList(context);
    this.#delimiters = new DelimiterStack(this.#items);
  }

  parse(): InlineResult {
    while (this.#offset < this.#text.length && !this.#context.exceedsLimits) this.#readNext();
    if (this.#live) this.#closeOpenMarkup();
    else this.#delimiters.resolveDeferred();
    const [safePart, unsafePart] = this.#items.split(this.#safeItem);
    const children = mergeTextNodes(safePart);
    const safeChildCount = children.length;
    return {
      children: children.concat(mergeTextNodes(unsafePart)),
      safeEnd: this.#safeEnd,
      safeChildCount,
      missingReference: this.#missing,
    };
  }

  #readNext(): void {
    const character = this.#text[this.#offset] ?? '';
    switch (character) {
      case '\n':
        return this.#readLineEnd();
      case '\\':
        return this.#readBackslash();
      case '`':
        return this.#readCodeSpan();
      case '*':
      case '_':
      case '~':
        return this.#readDelimiterRun(character);
      case '[':
        return this.#openBracket(false);
      case '!':
        return this.#text[this.#offset + 1] === '[' ? this.#openBracket(true) : this.#pushLiteral('!');
      case ']':
        return this.#closeBracket();
      case '<':
        return this.#readAngle();
      case '&':
        return this.#readEntity();
      case '$':
        return this.#readDollar();
      default:
        return this.#readPlain();
    }
  }

  #pushLiteral(text: string): void {
    this.#items.push(text);
    this.#offset += text.length;
  }

  #markSafe(offset: number): void {
    if (this.#delimiters.height > 0 || this.#brackets.length > 0 || offset > this.#openOffset) return;
    this.#safeEnd = offset;
    this.#safeItem = this.#items.tail;
  }

  #readPlain(): void {
    PLAIN.lastIndex = this.#offset;
    const plainText = PLAIN.exec(this.#text)?.[0] ?? this.#text[this.#offset] ?? '';
    const start = this.#offset;
    this.#offset += plainText.length;
    // A URL may contain markup characters, so it is searched for in the original text.
    const candidates = this.#findLinks(start, plainText);
    const links = candidates.length > 0 && this.#isInsideLink() ? [] : candidates;
    let linkEnd = start;
    for (const link of links) {
      this.#pushPlain(linkEnd, link.from);
      const label = this.#text.slice(link.from, link.to);
      this.#items.push(createNode('link', { href: link.href }, [label]), 1);
      linkEnd = link.to;
    }
    this.#offset = Math.max(this.#offset, linkEnd);
    this.#pushPlain(linkEnd, this.#offset);
  }

  /** Finds bare links that begin in plain text; they may extend beyond it. */
  #findLinks(from: number, plainText: string): BareLink[] {
    const end = from + plainText.length;
    const lookahead = this.#text.slice(end, end + MAX_ADDRESS_CHARS);
    const hasMail =
      plainText.includes('@') ||
      (/[\w.+-]$/.test(plainText) && lookahead.startsWith('_') && lookahead.slice(0, 64).includes('@'));
    if (!hasMail && !plainText.includes('://') && !/www\./i.test(plainText)) return [];
    const stopOffset = lookahead.search(/[\s<`]/);
    const start = Math.max(0, from - 1);
    const searchText = this.#text.slice(start, stopOffset < 0 ? end + MAX_ADDRESS_CHARS : end + stopOffset);
    return findBareLinks(searchText)
      .map((link) => ({ from: link.from + start, to: link.to + start, href: link.href }))
      .filter((link) => link.from >= from && link.from < end);
  }

  /** Adds plain text. Everything before its last space may be final. */
  #pushPlain(from: number, to: number): void {
    if (to <= from) return;
    const text = this.#text.slice(from, to);
    const spaceIndex = /[ \t][^ \t]*$/.exec(text)?.index ?? -1;
    const start = spaceIndex < 0 ? -1 : text.slice(0, spaceIndex).trimEnd().length;
    if (start > 0 || (start === 0 && from > 0)) {
      if (start > 0) this.#items.push(text.slice(0, start));
      this.#markSafe(from + start);
      this.#items.push(text.slice(start));
    } else this.#items.push(text);
  }

  #readLineEnd(): void {
    const lineEndOffset = this.#offset;
    const spaceCount = this.#items.dropEndSpaces();
    this.#skipIndent(lineEndOffset + 1);
    if (spaceCount >= 2 && this.#offset < this.#text.length) this.#items.push(createNode('break'), 1);
    else {
      if (spaceCount === 0 && lineEndOffset > 0) this.#markSafe(lineEndOffset);
      this.#items.push('\n');
    }
  }

  #skipIndent(from: number): void {
    this.#offset = from;
    while (this.#text[this.#offset] === ' ' || this.#text[this.#offset] === '\t') this.#offset += 1;
  }

  #readBackslash(): void {
    const nextCharacter = this.#text[this.#offset + 1];
    const math = this.#readMath();
    if (math) return;
    if (nextCharacter === '\n') {
      this.#skipIndent(this.#offset + 2);
      this.#items.push(createNode('break'), 1);
    } else if (nextCharacter !== undefined && /[!-/:-@[-`{-~]/.test(nextCharacter)) {
      if ((nextCharacter === '(' || nextCharacter === '[') && this.#live)
        this.#openOffset = Math.min(this.#openOffset, this.#offset);
      this.#items.push(nextCharacter);
      this.#offset += 2;
    } else this.#pushLiteral('\\');
  }

  #readMath(): boolean {
    const math = parseInlineMath(this.#text, this.#offset);
    if (math === undefined) return false;
    this.#items.push(createNode('math', { display: math.display }, [math.tex]), 1);
    this.#offset += math.length;
    return true;
  }

  #readDollar(): void {
    if (this.#readMath()) return;
    if (this.#live && /\S/.test(this.#text[this.#offset + 1] ?? 'x'))
      this.#openOffset = Math.min(this.#openOffset, this.#offset);
    this.#pushLiteral('$');
  }

  #readCodeSpan(): void {
    const tickCount = measureRun(this.#text, this.#offset, '`');
    const from = this.#offset + tickCount;
    const closeOffset = this.#findClosingTicks(from, tickCount);
    if (closeOffset >= 0) {
      this.#items.push(
        createNode('code-span', {}, [normalizeCodeText(this.#text.slice(from, closeOffset))]),
        1,
      );
      this.#offset = closeOffset + tickCount;
    } else if (this.#live && this.#text.length - from <= MAX_REPAIR_CHARS && tickCount <= 3) {
      this.#openOffset = Math.min(this.#openOffset, this.#offset);
      if (from < this.#text.length)
        this.#items.push(createNode('code-span', {}, [normalizeCodeText(this.#text.slice(from))]), 1);
      this.#offset = this.#text.length;
    } else {
      if (this.#live) this.#openOffset = Math.min(this.#openOffset, this.#offset);
      this.#pushLiteral('`'.repeat(tickCount));
    }
  }

  #findClosingTicks(from: number, tickCount: number): number {
    this.#lastTickOffsets ??= findLastTickRuns(this.#text);
    if ((this.#lastTickOffsets.get(tickCount) ?? -1) < from) return -1;
    let offset = this.#text.indexOf('`', from);
    while (offset >= 0) {
      const runTickCount = measureRun(this.#text, offset, '`');
      if (runTickCount === tickCount) return offset;
      offset = this.#text.indexOf('`', offset + runTickCount);
    }
    return -1;
  }

  #readDelimiterRun(mark: string): void {
    const offset = this.#offset;
    const count = measureRun(this.#text, offset, mark);
    const flanks = getFlanking(this.#text, offset, offset + count, mark);
    this.#pushLiteral(mark.repeat(count));
    if (mark === '~' && count > 2) return;
    if (!flanks.canOpen && !flanks.canClose) return;
    const delimiter = { item: this.#items.tail, offset, mark, count, length: count, ...flanks };
    if (this.#brackets.length > 0) this.#delimiters.defer(delimiter);
    else this.#delimiters.resolve(delimiter);
  }

  #isInsideLink(): boolean {
    return this.#brackets.some((bracket) => bracket.isActive && !bracket.isImage) && this.#willBecomeLink();
  }

  /** Bare links inside the text of a link stay text; the end of the bracket shows whether it becomes a link. */
  #willBecomeLink(): boolean {
    const lookahead = this.#text.slice(this.#offset, this.#offset + MAX_REPAIR_CHARS);
    const charAfterBracket = lookahead[lookahead.indexOf(']') + 1];
    return lookahead.includes(']') && (charAfterBracket === '(' || charAfterBracket === '[');
  }

  #openBracket(isImage: boolean): void {
    const footnoteMatch = isImage
      ? undefined
      : /^\[\^([^\]\s]{1,64})\](?!:)/.exec(this.#text.slice(this.#offset, this.#offset + 70));
    const label = footnoteMatch?.[1];
    if (footnoteMatch && label !== undefined && this.#isFootnote(label)) {
      this.#items.push(createNode('footnote-mark', { label }), 1);
      this.#offset += footnoteMatch[0].length;
      return;
    }
    this.#pushLiteral(isImage ? '![' : '[');
    this.#brackets.push({
      item: this.#items.tail,
      offset: this.#offset,
      isImage,
      isActive: true,
      delimiterHeight: this.#delimiters.height,
    });
  }

  #isFootnote(label: string): boolean {
    if (this.#context.footnoteLabels.has(label)) return true;
    this.#missing = 'assumed';
    return !this.#context.hasAllDefinitions;
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (bracket === undefined) return this.#pushLiteral(']');
    const target = bracket.isActive ? this.#findTarget(bracket) : undefined;
    if (target === undefined) {
      this.#pushLiteral(']');
      if (this.#brackets.length === 0) this.#delimiters.resolveDeferred();
      return;
    }
    this.#finishLink(bracket, target.attributes);
    this.#offset = target.end;
    if (target.isOpen) this.#openOffset = Math.min(this.#openOffset, bracket.offset - 1);
  }

  #finishLink(bracket: Bracket, attributes: Attributes): void {
    this.#delimiters.resolveFrom(bracket.delimiterHeight);
    this.#delimiters.discardFrom(bracket.delimiterHeight);
    if (bracket.isImage) {
      const alt = getInlineText(this.#items.removeAfter(bracket.item));
      bracket.item.child = createNode('image', { ...attributes, alt });
      bracket.item.depth = 1;
    } else {
      this.#items.enclose(bracket.item, undefined, 'link', attributes);
      bracket.item.child = '';
      for (const outer of this.#brackets) if (!outer.isImage) outer.isActive = false;
    }
    if (this.#brackets.length === 0) this.#delimiters.resolveDeferred();
  }

  #findTarget(bracket: Bracket): { attributes: Attributes; end: number; isOpen: boolean } | undefined {
    const bracketEnd = this.#offset + 1;
    const label = this.#text.slice(bracket.offset, this.#offset);
    if (this.#text[bracketEnd] === '(') {
      const target = parseLinkTarget(this.#text, bracketEnd);
      if (target === 'open' && this.#live) return { attributes: {}, end: this.#text.length, isOpen: true };
      if (target !== undefined && target !== 'open')
        return { attributes: toLinkAttributes(target), end: target.end, isOpen: false };
    }
    if (label.length > 999) return undefined;
    const labelMatch =
      this.#text[bracketEnd] === '['
        ? /^\[((?:\\.|[^[\]\\]){0,999})(\]?)/s.exec(this.#text.slice(bracketEnd, bracketEnd + 1_002))
        : null;
    if (
      labelMatch !== null &&
      labelMatch[2] === '' &&
      this.#live &&
      bracketEnd + labelMatch[0].length >= this.#text.length
    ) {
      return { attributes: {}, end: this.#text.length, isOpen: true };
    }
    const referenceLabel = labelMatch?.[2] === ']' && labelMatch[1] !== '' ? (labelMatch[1] ?? '') : label;
    const end = labelMatch?.[2] === ']' ? bracketEnd + labelMatch[0].length : bracketEnd;
    const reference = this.#context.references.get(normalizeLabel(referenceLabel));
    if (reference !== undefined) return { attributes: toLinkAttributes(reference), end, isOpen: false };
    this.#missing ??= 'text';
    if (this.#context.hasAllDefinitions) return undefined;
    const hasWordBefore = /\w/.test(this.#text[bracket.offset - 2] ?? ' ');
    if (!hasWordBefore && labelMatch?.[2] === ']' && labelMatch[1] !== '') {
      this.#missing = 'assumed';
      return { attributes: {}, end, isOpen: false };
    }
    return this.#live && bracketEnd >= this.#text.length && !hasWordBefore
      ? { attributes: {}, end: bracketEnd, isOpen: true }
      : undefined;
  }

  #readAngle(): void {
    const link = parseAutolink(this.#text, this.#offset);
    if (link !== undefined) {
      this.#items.push(createNode('link', { href: link.href }, [link.label]), 1);
      this.#offset = link.end;
      return;
    }
    const end = findHtmlTagEnd(this.#text, this.#offset);
    if (end !== undefined) return this.#pushLiteral(this.#text.slice(this.#offset, end));
    if (this.#live && /[a-zA-Z/!?]/.test(this.#text[this.#offset + 1] ?? 'a'))
      this.#openOffset = Math.min(this.#openOffset, this.#offset);
    this.#pushLiteral('<');
  }

  #readEntity(): void {
    const entityText = /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/.exec(
      this.#text.slice(this.#offset, this.#offset + 36),
    )?.[0];
    this.#items.push(entityText === undefined ? '&' : decodeEntities(entityText));
    this.#offset += entityText?.length ?? 1;
  }

  /** Closes markup at the end of a growing text in the most likely way. */
  #closeOpenMarkup(): void {
    const minOffset = this.#text.length - MAX_REPAIR_CHARS;
    const bracket = this.#brackets.pop();
    if (bracket !== undefined) {
      const isNear = bracket.offset >= minOffset;
      const hasWordBefore = /\w/.test(this.#text[bracket.offset - 2] ?? ' ') && !bracket.isImage;
      this.#brackets = [];
      if (isNear && !hasWordBefore) {
        this.#delimiters.resolveFrom(bracket.delimiterHeight);
        this.#delimiters.closeOpeners(bracket.delimiterHeight, minOffset);
        this.#finishLink(bracket, {});
      } else this.#delimiters.resolveDeferred();
    }
    this.#delimiters.closeOpeners(0, minOffset);
  }
}

function toLinkAttributes(target: { href: string; title: string | undefined }): Attributes {
  const href = decodeEntities(target.href);
  return target.title ? { href, title: decodeEntities(target.title) } : { href };
}

function measureRun(text: string, offset: number, character: string): number {
  let end = offset;
  while (text[end] === character) end += 1;
  return end - offset;
}

/** Returns the offset of the last run of backticks of each length. */
function findLastTickRuns(text: string): Map<number, number> {
  const lastOffsets = new Map<number, number>();
  for (const match of text.matchAll(/`+/g)) lastOffsets.set(match[0].length, match.index);
  return lastOffsets;
}

/** CommonMark §6.1: line ends become spaces, and one space is removed at both ends. */
function normalizeCodeText(text: string): string {
  const line = text.replace(/\n/g, ' ');
  return line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line) ? line.slice(1, -1) : line;
}
