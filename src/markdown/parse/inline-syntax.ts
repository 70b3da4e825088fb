/** Patterns and small readers of inline markdown. Each looks at its own stretch of text once. */

const PUNCTUATION = /[\p{P}\p{S}]/u;
const WHITESPACE = /\s/;

/** Whether a run of delimiters can open and close, by what stands before and after it (CommonMark §6.2). */
export function flanking(
  text: string,
  from: number,
  to: number,
  mark: string,
): { opens: boolean; closes: boolean } {
  const before = characterBefore(text, from);
  const after = characterAt(text, to);
  const spaceBefore = before === '' || WHITESPACE.test(before);
  const spaceAfter = after === '' || WHITESPACE.test(after);
  const markBefore = PUNCTUATION.test(before);
  const markAfter = PUNCTUATION.test(after);
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  if (mark !== '_') return { opens: left, closes: right };
  return { opens: left && (!right || markBefore), closes: right && (!left || markAfter) };
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return at > 1 && unit >= 0xdc00 && unit <= 0xdfff
    ? text.slice(at - 2, at)
    : text.slice(Math.max(at - 1, 0), at);
}

const ATTRIBUTE = '\\s+[a-zA-Z:_][\\w.:-]*(?:\\s*=\\s*"[^"]*"|\\s*=\\s*\'[^\']*\'|\\s*=\\s*[^\\s"\'=<>`]+)?';
const TAG = new RegExp(`<[a-zA-Z][a-zA-Z0-9-]*(?:${ATTRIBUTE})*?\\s*/?>|</[a-zA-Z][a-zA-Z0-9-]*\\s*>`, 'y');
const AUTOLINK =
  /<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s\p{Cc}<>]*|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+)>/uy;

/** `<https://…>` or `<me@example.com>` at `at`. */
export function autolinkAt(
  text: string,
  at: number,
): { end: number; label: string; href: string } | undefined {
  AUTOLINK.lastIndex = at;
  const label = AUTOLINK.exec(text)?.[1];
  if (label === undefined) return undefined;
  const href = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(label) ? label : `mailto:${label}`;
  return { end: at + label.length + 2, label, href };
}

/** The end of the HTML tag, comment or instruction that begins at `at`; it is shown as text, but read as one piece. */
export function htmlTagEnd(text: string, at: number): number | undefined {
  const second = text[at + 1];
  if (second === '!' || second === '?') return htmlSpecialEnd(text, at);
  TAG.lastIndex = at;
  return TAG.test(text) ? TAG.lastIndex : undefined;
}

function htmlSpecialEnd(text: string, at: number): number | undefined {
  const short = /^<!--(?:-?>)/.exec(text.slice(at, at + 6))?.[0];
  if (short !== undefined) return at + short.length;
  const close = text.startsWith('<!--', at)
    ? '-->'
    : text.startsWith('<![CDATA[', at)
      ? ']]>'
      : text.startsWith('<?', at)
        ? '?>'
        : /^<![a-zA-Z]+\s/.test(text.slice(at, at + 40))
          ? '>'
          : undefined;
  if (close === undefined) return undefined;
  const end = text.slice(at + 2, at + LONGEST_HTML).indexOf(close);
  return end < 0 ? undefined : at + 2 + end + close.length;
}

// A comment without an end must not be searched to the end of the text again at each further one.
const LONGEST_HTML = 2_000;

const BARE_LINK =
  /(?:(?:https?|ftp):\/\/|www\.)[a-zA-Z0-9-][^\s<]*|(?:mailto:|xmpp:)?[A-Za-z0-9._+-]{1,64}@[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]*[a-zA-Z0-9])+(?![\w-])/gi;

/** An address written without brackets, found in a stretch of plain text (GFM's autolink extension). */
export interface BareLink {
  from: number;
  to: number;
  href: string;
}

export function bareLinks(plain: string): BareLink[] {
  if (!plain.includes('://') && !plain.includes('@') && !/www\./i.test(plain)) return [];
  const links: BareLink[] = [];
  for (const match of plain.matchAll(BARE_LINK)) {
    const found = match[0];
    const mail = found.includes('@') && !/^(?:https?:|ftp:|www\.)/i.test(found);
    const before = plain[match.index - 1] ?? ' ';
    if (/^www\./i.test(found) && !/[\s*_~(]/.test(before)) continue;
    const label = mail ? found : trimmedAddress(found);
    if (label === '') continue;
    const scheme = mail
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

/** Punctuation at the end, a closing bracket without an opening one and an entity are not part of an address. */
function trimmedAddress(address: string): string {
  let end = address.length;
  let open = 0;
  for (const character of address) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (;;) {
    const last = address[end - 1] ?? '';
    if (last === ')' && open < 0) open += 1;
    else if (last === ';' && /&[a-zA-Z0-9]+;$/.test(address.slice(Math.max(0, end - 34), end))) {
      end = address.lastIndexOf('&', end);
      continue;
    } else if (last === '' || !'?!.,:;*_\'"~'.includes(last)) return address.slice(0, end);
    end -= 1;
  }
}

/** What follows a link's text: its address and title, and where it ends; `open` when the text ends inside. */
type LinkTarget = { end: number; href: string; title: string | undefined } | 'open' | undefined;

// CommonMark §6.3 lets an implementation limit how deep parentheses nest in an address; cmark's limit is 32.
const DEEPEST_PARENTHESES = 32;
const BLANK = /[ \t\n]*/y;

/** Reads `(address "title")` at `at`, which must be the parenthesis. */
export function linkTargetAt(text: string, at: number): LinkTarget {
  let index = afterBlank(text, at + 1);
  let href: string;
  if (text[index] === '<') {
    const match = /^<((?:\\.|[^\n<>\\])*)(>?)/.exec(text.slice(index, index + 4_000));
    if (match?.[2] !== '>')
      return match !== null && index + match[0].length >= text.length ? 'open' : undefined;
    href = match[1] ?? '';
    index += match[0].length;
  } else {
    const end = addressEnd(text, index);
    if (end === undefined) return undefined;
    href = text.slice(index, end);
    index = end;
  }
  const afterAddress = index;
  index = afterBlank(text, index);
  if (index >= text.length) return 'open';
  if (text[index] === ')') return { end: index + 1, href: unescaped(href), title: undefined };
  if (index === afterAddress) return undefined;
  return targetWithTitle(text, index, href);
}

function targetWithTitle(text: string, at: number, href: string): LinkTarget {
  const mark = text[at] ?? '';
  const close = mark === '(' ? ')' : mark;
  if (!'"\'('.includes(mark)) return undefined;
  let end = at + 1;
  while (end < text.length && text[end] !== close) end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return 'open';
  const title = unescaped(text.slice(at + 1, end));
  const last = afterBlank(text, end + 1);
  if (last >= text.length) return 'open';
  return text[last] === ')' ? { end: last + 1, href: unescaped(href), title } : undefined;
}

function afterBlank(text: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.test(text);
  return BLANK.lastIndex;
}

function addressEnd(text: string, at: number): number | undefined {
  let depth = 0;
  let index = at;
  for (; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\\') index += 1;
    else if (character === '(') {
      depth += 1;
      if (depth > DEEPEST_PARENTHESES) return undefined;
    } else if (character === ')') {
      if (depth === 0) return index;
      depth -= 1;
    } else if (character <= ' ') break;
  }
  return depth === 0 || index >= text.length ? Math.min(index, text.length) : undefined;
}

/** Without the backslashes that escape punctuation. */
export function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text;
}

/** The form in which labels of references are compared. */
export function normalLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}
