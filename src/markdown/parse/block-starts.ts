import { readDefinitions } from './definitions.ts';
import { decodeEntities } from './entities.ts';
import { unescaped } from './inline-syntax.ts';
import type { LineCursor } from './line-cursor.ts';
import { indentOf, isBlank, skipCharacters, skipIndent } from './line-cursor.ts';
import { mathBlockClosing } from './math-syntax.ts';

/** What a line, or what is left of it, begins. */
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
  | { type: 'html'; end: RegExp | undefined }
  | { type: 'indented'; cursor: LineCursor }
  | { type: 'definition' }
  | { type: 'text' }
  /** The line is not complete and more of it decides. */
  | { type: 'undecided' };

interface StartContext {
  /** The line has come to its end. */
  complete: boolean;
  /** A paragraph is open that the line would carry on. */
  paragraph: boolean;
  /** The line belongs to the same containers as that paragraph, so it can be its underline. */
  underline: boolean;
  /** A list is open whose next item this could be. */
  inList: boolean;
  /** It may be a formula. */
  formulas: boolean;
}

const UNDECIDED: BlockStart = { type: 'undecided' };
const TEXT: BlockStart = { type: 'text' };
/** What is longer is read as if it would go on, whether it has ended or not: how a text is split makes no difference. */
export const LONGEST_UNDECIDED = 4_000;

/** The block that begins at the cursor (CommonMark §4 and §5, GFM's task items, footnotes, display math). */
export function blockStartAt(at: LineCursor, line: StartContext): BlockStart {
  const indent = indentOf(at);
  if (indent >= 4) return line.paragraph ? TEXT : { type: 'indented', cursor: skipIndent(at, 4) };
  const cursor = skipIndent(at, indent);
  const { rest } = cursor;
  const isShort = rest.length < LONGEST_UNDECIDED;
  const undecided = !line.complete && isShort;
  const context = isShort ? line : { ...line, complete: false };
  if (undecided && isBlank(rest)) return UNDECIDED;
  switch (rest[0]) {
    case '>':
      return quoteStart(cursor, undecided);
    case '#':
      return headingStart(rest, undecided);
    case '=':
      return underlineStart(rest, context, undecided);
    case '-':
    case '+':
    case '*':
    case '_':
      return ruleOrItemStart(cursor, indent, context, undecided);
    case '`':
    case '~':
      return fenceStart(rest, indent, undecided);
    case '<':
      return htmlStart(rest, context, undecided);
    case '[':
      return bracketStart(cursor, context, undecided);
    case '$':
    case '\\':
      return context.formulas ? mathStart(rest, undecided) : TEXT;
    case ':':
      return undecided && context.paragraph && /^[:\-| \t]*$/.test(rest) ? UNDECIDED : TEXT;
    case '|':
      return undecided && context.paragraph && /^[:\-| \t]*$/.test(rest) ? UNDECIDED : TEXT;
    default:
      return /^\d/.test(rest) ? itemStart(cursor, indent, context, undecided) : TEXT;
  }
}

function quoteStart(cursor: LineCursor, undecided: boolean): BlockStart {
  if (undecided && cursor.rest === '>') return UNDECIDED;
  return { type: 'quote', cursor: skipIndent(skipCharacters(cursor, 1), 1) };
}

function headingStart(rest: string, undecided: boolean): BlockStart {
  if (undecided && /^#{1,6}[ \t]*$/.test(rest)) return UNDECIDED;
  const match = /^(#{1,6})(?:[ \t]+(.*)|$)/s.exec(rest);
  if (match === null) return TEXT;
  return { type: 'heading', level: match[1]?.length ?? 1, text: match[2] ?? '' };
}

function underlineStart(rest: string, context: StartContext, undecided: boolean): BlockStart {
  if (!context.paragraph || !context.underline || !/^=+[ \t]*$/.test(rest)) return TEXT;
  if (undecided) return UNDECIDED;
  // A line that is too long to be waited for may still go on with words, which a short form would drop.
  return context.complete ? { type: 'setext', level: 1 } : TEXT;
}

function ruleOrItemStart(
  cursor: LineCursor,
  indent: number,
  context: StartContext,
  undecided: boolean,
): BlockStart {
  const { rest } = cursor;
  if (undecided && /^([-_*])[ \t]*(?:\1[ \t]*)*$/.test(rest)) return UNDECIDED;
  if (undecided && context.paragraph && /^[:\-| \t]*$/.test(rest)) return UNDECIDED;
  if (context.complete && context.paragraph && context.underline && /^-+[ \t]*$/.test(rest))
    return { type: 'setext', level: 2 };
  if (context.complete && /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(rest))
    return { type: 'rule' };
  return itemStart(cursor, indent, context, undecided);
}

function itemStart(
  cursor: LineCursor,
  indent: number,
  context: StartContext,
  undecided: boolean,
): BlockStart {
  const { rest } = cursor;
  const match = /^(?:[-+*]|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(rest);
  if (match === null) return undecided && /^\d{1,9}$/.test(rest) ? UNDECIDED : TEXT;
  const marker = match[0];
  const behind = skipCharacters(cursor, marker.length);
  const empty = isBlank(behind.rest);
  if (undecided && empty) return UNDECIDED;
  const start = match[1] === undefined ? undefined : Number(match[1]);
  if (context.paragraph && !context.inList && (empty || (start !== undefined && start !== 1))) return TEXT;
  const space = indentOf(behind);
  const padding = empty || space > 4 ? 1 : space;
  const content = skipIndent(behind, padding);
  if (undecided && /^\[[ xX]?\]?[ \t]*$/.test(content.rest)) return UNDECIDED;
  const task = /^\[([ xX])\][ \t]+(?=\S)/.exec(content.rest);
  return {
    type: 'item',
    cursor: task === null ? content : skipCharacters(content, task[0].length),
    marker: match[2] ?? marker,
    start,
    indent: indent + marker.length + padding,
    checked: task === null ? undefined : task[1] !== ' ',
  };
}

function fenceStart(rest: string, indent: number, undecided: boolean): BlockStart {
  if (undecided && /^(?:`{1,2}|~{1,2})$/.test(rest)) return UNDECIDED;
  const match = /^(`{3,})([^`]*)$|^(~{3,})(.*)/s.exec(rest.slice(0, LONGEST_UNDECIDED));
  if (match === null) return TEXT;
  if (undecided) return UNDECIDED;
  const mark = match[1] ?? match[3] ?? '';
  return {
    type: 'fence',
    mark: mark[0] ?? '`',
    length: mark.length,
    indent,
    language: languageOf(match[2] ?? match[4]),
  };
}

/** The first word after a fence, which names the language; undefined where there is none. */
export function languageOf(info: string | undefined): string | undefined {
  const word = /^\S+/.exec((info ?? '').trim())?.[0];
  return word === undefined ? undefined : decodeEntities(unescaped(word));
}

const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|' +
  'tr|track|ul';
/** CommonMark §4.6, conditions 1 to 6: how a block of HTML begins, and what in a line ends it (else a blank line). */
const HTML_STARTS: readonly [begin: RegExp, end: RegExp | undefined][] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${BLOCK_TAGS})(?:[ \\t]|/?>|$)`, 'i'), undefined],
];
const WHOLE_TAG =
  /^(?:<[a-z][a-z0-9-]*(?:[ \t]+[a-z:_][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s"'=<>`]+))?)*[ \t]*\/?>|<\/[a-z][a-z0-9-]*\s*>)[ \t]*$/i;
const MAY_BE_WHOLE_TAG =
  /^<\/?[a-z][\w-]*(?:[\s/](?:[^>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?)?(?:>[ \t]*)?$/i;

function htmlStart(rest: string, context: StartContext, undecided: boolean): BlockStart {
  if (undecided && /^<[a-z0-9/!?[-]*$/i.test(rest)) return UNDECIDED;
  const found = HTML_STARTS.find(([begin]) => begin.test(rest));
  if (found !== undefined) return { type: 'html', end: found[1] };
  if (context.paragraph || !/^<\/?[a-z]/i.test(rest)) return TEXT;
  if (undecided) return MAY_BE_WHOLE_TAG.test(rest) ? UNDECIDED : TEXT;
  if (/^<(?:script|pre|style|textarea)(?![a-z0-9-])/i.test(rest)) return TEXT;
  return context.complete && WHOLE_TAG.test(rest) ? { type: 'html', end: undefined } : TEXT;
}

function bracketStart(cursor: LineCursor, context: StartContext, undecided: boolean): BlockStart {
  const { rest } = cursor;
  const footnote = /^\[\^([^\]\s]{1,64})\]:/.exec(rest);
  if (footnote?.[1] !== undefined) {
    const behind = skipCharacters(cursor, footnote[0].length);
    if (undecided && isBlank(behind.rest)) return UNDECIDED;
    return { type: 'footnote', cursor: skipIndent(behind, indentOf(behind)), label: footnote[1] };
  }
  if (undecided && /^\[(?:\^[^\]\s]{0,64}\]?)?$/.test(rest)) return UNDECIDED;
  if (context.paragraph) return TEXT;
  if (undecided) return /^\[(?:\\.|[^[\]\\]){0,999}(?:\\|\](?::.*)?)?$/.test(rest) ? UNDECIDED : TEXT;
  // Part of an address leads elsewhere.
  if (!context.complete) return TEXT;
  const { end, open } = readDefinitions(rest, false);
  return end > 0 || open ? { type: 'definition' } : TEXT;
}

function mathStart(rest: string, undecided: boolean): BlockStart {
  if (undecided && /^(?:\$|\\)$/.test(rest)) return UNDECIDED;
  const opening = mathBlockClosing(rest.slice(0, LONGEST_UNDECIDED));
  if (opening === undefined) return TEXT;
  return undecided
    ? UNDECIDED
    : { type: 'math', open: rest.slice(0, 2), close: opening, rest: rest.slice(2) };
}
