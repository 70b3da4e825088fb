/** Patterns and small parsers for inline Markdown. Each of them examines its part of the text only once. */

const PUNCTUATION = /[\p{P}\p{S}]/u;
const WHITESPACE = /\s/;

/** Returns whether a run of delimiters can open and close, from the characters around it (CommonMark §6.2). */
export function getFlanking(
  text: string,
  from: number,
  to: number,
  mark: string,
): { canOpen: boolean; canClose: boolean } {
  const charBefore = getCharacterBefore(text, from);
  const charAfter = getCharacterAt(text, to);
  const hasSpaceBefore = charBefore === '' || WHITESPACE.test(charBefore);
  const hasSpaceAfter = charAfter === '' || WHITESPACE.test(charAfter);
  const hasPunctuationBefore = PUNCTUATION.test(charBefore);
  const hasPunctuationAfter = PUNCTUATION.test(charAfter);
  const isLeftFlanking = !hasSpaceAfter && (!hasPunctuationAfter || hasSpaceBefore || hasPunctuationBefore);
  const isRightFlanking = !hasSpaceBefore && (!hasPunctuationBefore || hasSpaceAfter || hasPunctuationAfter);
  if (mark !== '_') return { canOpen: isLeftFlanking, canClose: isRightFlanking };
  return {
    canOpen: isLeftFlanking && (!isRightFlanking || hasPunctuationBefore),
    canClose: isRightFlanking && (!isLeftFlanking || hasPunctuationAfter),
  };
}

function getCharacterAt(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}

function getCharacterBefore(text: string, offset: number): string {
  const codeUnit = text.charCodeAt(offset - 1);
  return offset > 1 && codeUnit >= 0xdc00 && codeUnit <= 0xdfff
    ? text.slice(offset - 2, offset)
    : text.slice(Math.max(offset - 1, 0), offset);
}

const ATTRIBUTE = '\\s+[a-zA-Z:_][\\w.:-]*(?:\\s*=\\s*"[^"]*"|\\s*=\\s*\'[^\']*\'|\\s*=\\s*[^\\s"\'=<>`]+)?';
const TAG = new RegExp(`<[a-zA-Z][a-zA-Z0-9-]*(?:${ATTRIBUTE})*?\\s*/?>|</[a-zA-Z][a-zA-Z0-9-]*\\s*>`, 'y');
const AUTOLINK =
  /<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s\p{Cc}<>]*|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+)>/uy;

/** Parses `<https://…>` or `<me@example.com>` at `offset`. */
export function parseAutolink(
  text: string,
  offset: number,
): { end: number; label: string; href: string } | undefined {
  AUTOLINK.lastIndex = offset;
  const label = AUTOLINK.exec(text)?.[1];
  if (label === undefined) return undefined;
  const href = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(label) ? label : `mailto:${label}`;
  return { end: offset + label.length + 2, label, href };
}

/**
 * Returns the end of the HTML tag, comment or instruction at `offset`, which is shown as text but parsed as one piece.
 */
export function findHtmlTagEnd(text: string, offset: number): number | undefined {
  const nextCharacter = text[offset + 1];
  if (nextCharacter === '!' || nextCharacter === '?') return findHtmlSpecialEnd(text, offset);
  TAG.lastIndex = offset;
  return TAG.test(text) ? TAG.lastIndex : undefined;
}

function findHtmlSpecialEnd(text: string, offset: number): number | undefined {
  const emptyComment = /^<!--(?:-?>)/.exec(text.slice(offset, offset + 6))?.[0];
  if (emptyComment !== undefined) return offset + emptyComment.length;
  const closer = text.startsWith('<!--', offset)
    ? '-->'
    : text.startsWith('<![CDATA[', offset)
      ? ']]>'
      : text.startsWith('<?', offset)
        ? '?>'
        : /^<![a-zA-Z]+\s/.test(text.slice(offset, offset + 40))
          ? '>'
          : undefined;
  if (closer === undefined) return undefined;
  const end = text.slice(offset + 2, offset + MAX_HTML_TAG_CHARS).indexOf(closer);
  return end < 0 ? undefined : offset + 2 + end + closer.length;
}

// Limits the search for the end of an unclosed comment, which would otherwise be repeated for every later comment.
const MAX_HTML_TAG_CHARS = 2_000;

const BARE_LINK =
  /(?:(?:https?|ftp):\/\/|www\.)[a-zA-Z0-9-][^\s<]*|(?:mailto:|xmpp:)?[A-Za-z0-9._+-]{1,64}@[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]*[a-zA-Z0-9])+(?![\w-])/gi;

/** A URL or email address without brackets in plain text (GFM's autolink extension). */
export interface BareLink {
  from: number;
  to: number;
  href: string;
}

export function findBareLinks(text: string): BareLink[] {
  if (!text.includes('://') && !text.includes('@') && !/www\./i.test(text)) return [];
  const links: BareLink[] = [];
  for (const match of text.matchAll(BARE_LINK)) {
    const matchedAddress = match[0];
    const isMail = matchedAddress.includes('@') && !/^(?:https?:|ftp:|www\.)/i.test(matchedAddress);
    const charBefore = text[match.index - 1] ?? ' ';
    if (/^www\./i.test(matchedAddress) && !/[\s*_~(]/.test(charBefore)) continue;
    const label = isMail ? matchedAddress : trimAddress(matchedAddress);
    if (label === '') continue;
    const scheme = isMail
      ? /^(?:mailto|xmpp):/i.test(label)
        ? ''
        : 'mailto:'
      : /^www\./i.test(label)
        ? 'http://'
        : '';
    links.push({ from: match.index, to: match.index + label.length, href: scheme + label });
  }
  return links;
}

/** Removes trailing punctuation, unbalanced closing brackets and entities from a URL. */
function trimAddress(address: string): string {
  let end = address.length;
  let openParentheses = 0;
  for (const character of address) openParentheses += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (;;) {
    const last = address[end - 1] ?? '';
    if (last === ')' && openParentheses < 0) openParentheses += 1;
    else if (last === ';' && /&[a-zA-Z0-9]+;$/.test(address.slice(Math.max(0, end - 34), end))) {
      end = address.lastIndexOf('&', end);
      continue;
    } else if (last === '' || !'?!.,:;*_\'"~'.includes(last)) return address.slice(0, end);
    end -= 1;
  }
}

/** The part after the text of a link: URL, title and end; `open` if the text ends inside it. */
type LinkTarget = { end: number; href: string; title: string | undefined } | 'open' | undefined;

// CommonMark §6.3 allows a limit on nested parentheses in a URL; cmark uses 32.
const MAX_PARENTHESES_DEPTH = 32;
const BLANK = /[ \t\n]*/y;

/** Parses `(url "title")` at `offset`, which must be the parenthesis. */
export function parseLinkTarget(text: string, offset: number): LinkTarget {
  let index = skipBlank(text, offset + 1);
  let href: string;
  if (text[index] === '<') {
    const match = /^<((?:\\.|[^\n<>\\])*)(>?)/.exec(text.slice(index, index + 4_000));
    if (match?.[2] !== '>')
      return match !== null && index + match[0].length >= text.length ? 'open' : undefined;
    href = match[1] ?? '';
    index += match[0].length;
  } else {
    const end = findAddressEnd(text, index);
    if (end === undefined) return undefined;
    href = text.slice(index, end);
    index = end;
  }
  const hrefEnd = index;
  index = skipBlank(text, index);
  if (index >= text.length) return 'open';
  if (text[index] === ')') return { end: index + 1, href: unescapeText(href), title: undefined };
  if (index === hrefEnd) return undefined;
  return parseTargetWithTitle(text, index, href);
}

function parseTargetWithTitle(text: string, offset: number, href: string): LinkTarget {
  const mark = text[offset] ?? '';
  const closer = mark === '(' ? ')' : mark;
  if (!'"\'('.includes(mark)) return undefined;
  let end = offset + 1;
  while (end < text.length && text[end] !== closer) end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return 'open';
  const title = unescapeText(text.slice(offset + 1, end));
  const closeOffset = skipBlank(text, end + 1);
  if (closeOffset >= text.length) return 'open';
  return text[closeOffset] === ')' ? { end: closeOffset + 1, href: unescapeText(href), title } : undefined;
}

function skipBlank(text: string, offset: number): number {
  BLANK.lastIndex = offset;
  BLANK.test(text);
  return BLANK.lastIndex;
}

function findAddressEnd(text: string, offset: number): number | undefined {
  let depth = 0;
  let index = offset;
  for (; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\\') index += 1;
    else if (character === '(') {
      depth += 1;
      if (depth > MAX_PARENTHESES_DEPTH) return undefined;
    } else if (character === ')') {
      if (depth === 0) return index;
      depth -= 1;
    } else if (character <= ' ') break;
  }
  return depth === 0 || index >= text.length ? Math.min(index, text.length) : undefined;
}

/** Removes the backslashes that escape punctuation. */
export function unescapeText(text: string): string {
  return text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text;
}

/** Returns the normalised form in which reference labels are compared. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}
