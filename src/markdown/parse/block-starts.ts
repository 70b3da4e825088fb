import { readDefinitions } from './definitions.ts';
import { decodeEntities } from './entities.ts';
import { unescapeText } from './inline-syntax.ts';
import type { LineCursor } from './line-cursor.ts';
import { measureIndent, isBlank, skipCharacters, skipIndent } from './line-cursor.ts';
import { getMathBlockCloser } from './math-syntax.ts';

/** Block that begins with a line or with the rest of a line. */
export type BlockStart =
  | { type: 'quote'; cursor: LineCursor }
  | {
      type: 'item';
      cursor: LineCursor;
      marker: string;
      start: number | undefined;
      indent: number;
      checked: boolean | undefined;
    }
  | { type: 'footnote'; cursor: LineCursor; label: string }
  | { type: 'heading'; level: number; text: string }
  | { type: 'setext'; level: number }
  | { type: 'rule' }
  | { type: 'fence'; mark: string; length: number; indent: number; language: string | undefined }
  | { type: 'math'; open: string; close: string; rest: string }
  | { type: 'html'; endPattern: RegExp | undefined }
  | { type: 'indented'; cursor: LineCursor }
  | { type: 'definition' }
  | { type: 'text' }
  /** The line is incomplete, and only its rest will determine the kind. */
  | { type: 'undecided' };

interface StartContext {
  /** The line has ended. */
  isComplete: boolean;
  /** An open paragraph could continue with this line. */
  hasOpenParagraph: boolean;
  /** The line is in the same containers as that paragraph, so it may underline it. */
  canUnderline: boolean;
  /** A list is open, and the line could be its next item. */
  isInList: boolean;
  /** The line may be a formula. */
  allowsFormulas: boolean;
}

const UNDECIDED: BlockStart = { type: 'undecided' };
const TEXT: BlockStart = { type: 'text' };
/**
 * A longer line is parsed as if it continued, even if it has ended, so the result does not depend on how the text is
 * split.
 */
export const MAX_UNDECIDED_CHARS = 4_000;

/** Parses the block at the cursor (CommonMark §4 and §5, GFM task items, footnotes, display math). */
export function parseBlockStart(lineCursor: LineCursor, lineContext: StartContext): BlockStart {
  const indent = measureIndent(lineCursor);
  if (indent >= 4)
    return lineContext.hasOpenParagraph ? TEXT : { type: 'indented', cursor: skipIndent(lineCursor, 4) };
  const cursor = skipIndent(lineCursor, indent);
  const { rest } = cursor;
  const isShort = rest.length < MAX_UNDECIDED_CHARS;
  const canDefer = !lineContext.isComplete && isShort;
  const context = isShort ? lineContext : { ...lineContext, isComplete: false };
  if (canDefer && isBlank(rest)) return UNDECIDED;
  switch (rest[0]) {
    case '>':
      return parseQuoteStart(cursor, canDefer);
    case '#':
      return parseHeadingStart(rest, canDefer);
    case '=':
      return parseUnderlineStart(rest, context, canDefer);
    case '-':
    case '+':
    case '*':
    case '_':
      return parseRuleOrItemStart(cursor, indent, context, canDefer);
    case '`':
    case '~':
      return parseFenceStart(rest, indent, canDefer);
    case '<':
      return parseHtmlStart(rest, context, canDefer);
    case '[':
      return parseBracketStart(cursor, context, canDefer);
    case '$':
    case '\\':
      return context.allowsFormulas ? parseMathStart(rest, canDefer) : TEXT;
    case ':':
      return canDefer && context.hasOpenParagraph && /^[:\-| \t]*$/.test(rest) ? UNDECIDED : TEXT;
    case '|':
      return canDefer && context.hasOpenParagraph && /^[:\-| \t]*$/.test(rest) ? UNDECIDED : TEXT;
    default:
      return /^\d/.test(rest) ? parseItemStart(cursor, indent, context, canDefer) : TEXT;
  }
}

function parseQuoteStart(cursor: LineCursor, canDefer: boolean): BlockStart {
  if (canDefer && cursor.rest === '>') return UNDECIDED;
  return { type: 'quote', cursor: skipIndent(skipCharacters(cursor, 1), 1) };
}

function parseHeadingStart(rest: string, canDefer: boolean): BlockStart {
  if (canDefer && /^#{1,6}[ \t]*$/.test(rest)) return UNDECIDED;
  const match = /^(#{1,6})(?:[ \t]+(.*)|$)/s.exec(rest);
  if (match === null) return TEXT;
  return { type: 'heading', level: match[1]?.length ?? 1, text: match[2] ?? '' };
}

function parseUnderlineStart(rest: string, context: StartContext, canDefer: boolean): BlockStart {
  if (!context.hasOpenParagraph || !context.canUnderline || !/^=+[ \t]*$/.test(rest)) return TEXT;
  if (canDefer) return UNDECIDED;
  // A line that is too long to wait for its end may continue with text, which would be lost if it were read as an
  // underline.
  return context.isComplete ? { type: 'setext', level: 1 } : TEXT;
}

function parseRuleOrItemStart(
  cursor: LineCursor,
  indent: number,
  context: StartContext,
  canDefer: boolean,
): BlockStart {
  const { rest } = cursor;
  if (canDefer && /^([-_*])[ \t]*(?:\1[ \t]*)*$/.test(rest)) return UNDECIDED;
  if (canDefer && context.hasOpenParagraph && /^[:\-| \t]*$/.test(rest)) return UNDECIDED;
  if (context.isComplete && context.hasOpenParagraph && context.canUnderline && /^-+[ \t]*$/.test(rest))
    return { type: 'setext', level: 2 };
  if (context.isComplete && /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(rest))
    return { type: 'rule' };
  return parseItemStart(cursor, indent, context, canDefer);
}

function parseItemStart(
  cursor: LineCursor,
  indent: number,
  context: StartContext,
  canDefer: boolean,
): BlockStart {
  const { rest } = cursor;
  const match = /^(?:[-+*]|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(rest);
  if (match === null) return canDefer && /^\d{1,9}$/.test(rest) ? UNDECIDED : TEXT;
  const marker = match[0];
  const afterMarker = skipCharacters(cursor, marker.length);
  const isEmpty = isBlank(afterMarker.rest);
  if (canDefer && isEmpty) return UNDECIDED;
  const start = match[1] === undefined ? undefined : Number(match[1]);
  if (context.hasOpenParagraph && !context.isInList && (isEmpty || (start !== undefined && start !== 1)))
    return TEXT;
  const spaceWidth = measureIndent(afterMarker);
  const padding = isEmpty || spaceWidth > 4 ? 1 : spaceWidth;
  const contentCursor = skipIndent(afterMarker, padding);
  if (canDefer && /^\[[ xX]?\]?[ \t]*$/.test(contentCursor.rest)) return UNDECIDED;
  const taskMatch = /^\[([ xX])\][ \t]+(?=\S)/.exec(contentCursor.rest);
  return {
    type: 'item',
    cursor: taskMatch === null ? contentCursor : skipCharacters(contentCursor, taskMatch[0].length),
    marker: match[2] ?? marker,
    start,
    indent: indent + marker.length + padding,
    checked: taskMatch === null ? undefined : taskMatch[1] !== ' ',
  };
}

function parseFenceStart(rest: string, indent: number, canDefer: boolean): BlockStart {
  if (canDefer && /^(?:`{1,2}|~{1,2})$/.test(rest)) return UNDECIDED;
  const match = /^(`{3,})([^`]*)$|^(~{3,})(.*)/s.exec(rest.slice(0, MAX_UNDECIDED_CHARS));
  if (match === null) return TEXT;
  if (canDefer) return UNDECIDED;
  const mark = match[1] ?? match[3] ?? '';
  return {
    type: 'fence',
    mark: mark[0] ?? '`',
    length: mark.length,
    indent,
    language: parseLanguage(match[2] ?? match[4]),
  };
}

/** Returns the first word after a fence, which names the language; `undefined` if there is none. */
export function parseLanguage(info: string | undefined): string | undefined {
  const word = /^\S+/.exec((info ?? '').trim())?.[0];
  return word === undefined ? undefined : decodeEntities(unescapeText(word));
}

const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|' +
  'tr|track|ul';
/** CommonMark §4.6, conditions 1 to 6: how an HTML block begins, and how it ends (by default, with a blank line). */
const HTML_STARTS: readonly [begin: RegExp, end: RegExp | undefined][] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${BLOCK_TAGS})(?:[ \\t]|/?>|$)`, 'i'), undefined],
];
const COMPLETE_TAG =
  /^(?:<[a-z][a-z0-9-]*(?:[ \t]+[a-z:_][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s"'=<>`]+))?)*[ \t]*\/?>|<\/[a-z][a-z0-9-]*\s*>)[ \t]*$/i;
const POSSIBLE_TAG = /^<\/?[a-z][\w-]*(?:[\s/](?:[^>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?)?(?:>[ \t]*)?$/i;

function parseHtmlStart(rest: string, context: StartContext, canDefer: boolean): BlockStart {
  if (canDefer && /^<[a-z0-9/!?[-]*$/i.test(rest)) return UNDECIDED;
  const match = HTML_STARTS.find(([begin]) => begin.test(rest));
  if (match !== undefined) return { type: 'html', endPattern: match[1] };
  if (context.hasOpenParagraph || !/^<\/?[a-z]/i.test(rest)) return TEXT;
  if (canDefer) return POSSIBLE_TAG.test(rest) ? UNDECIDED : TEXT;
  if (/^<(?:script|pre|style|textarea)(?![a-z0-9-])/i.test(rest)) return TEXT;
  return context.isComplete && COMPLETE_TAG.test(rest) ? { type: 'html', endPattern: undefined } : TEXT;
}

function parseBracketStart(cursor: LineCursor, context: StartContext, canDefer: boolean): BlockStart {
  const { rest } = cursor;
  const footnoteMatch = /^\[\^([^\]\s]{1,64})\]:/.exec(rest);
  if (footnoteMatch?.[1] !== undefined) {
    const afterLabel = skipCharacters(cursor, footnoteMatch[0].length);
    if (canDefer && isBlank(afterLabel.rest)) return UNDECIDED;
    return {
      type: 'footnote',
      cursor: skipIndent(afterLabel, measureIndent(afterLabel)),
      label: footnoteMatch[1],
    };
  }
  if (canDefer && /^\[(?:\^[^\]\s]{0,64}\]?)?$/.test(rest)) return UNDECIDED;
  if (context.hasOpenParagraph) return TEXT;
  if (canDefer) return /^\[(?:\\.|[^[\]\\]){0,999}(?:\\|\](?::.*)?)?$/.test(rest) ? UNDECIDED : TEXT;
  // Part of a URL would lead to a different page.
  if (!context.isComplete) return TEXT;
  const { end, canContinue } = readDefinitions(rest, false);
  return end > 0 || canContinue ? { type: 'definition' } : TEXT;
}

function parseMathStart(rest: string, canDefer: boolean): BlockStart {
  if (canDefer && /^(?:\$|\\)$/.test(rest)) return UNDECIDED;
  const closer = getMathBlockCloser(rest.slice(0, MAX_UNDECIDED_CHARS));
  if (closer === undefined) return TEXT;
  return canDefer ? UNDECIDED : { type: 'math', open: rest.slice(0, 2), close: closer, rest: rest.slice(2) };
}
