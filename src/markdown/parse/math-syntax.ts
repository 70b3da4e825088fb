/** A formula in running text: its length with delimiters, and its content. */
interface InlineMath {
  length: number;
  tex: string;
  display: boolean;
}

/** A longer formula is prose between two stray dollars, or malicious. */
const MAX_FORMULA_CHARS = 2_000;

/**
 * Parses the formula at `offset`, or returns undefined: `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. No space may follow the
 * opening dollar or precede the closing one, no letter or digit may follow the closing one, and amounts of money are
 * text.
 */
export function parseInlineMath(text: string, offset: number): InlineMath | undefined {
  const first = text[offset];
  const second = text[offset + 1];
  if (first === '$' && second === '$') return parseDelimited(text, offset, '$$', true);
  if (first === '$') return parseSingleDollar(text, offset);
  if (first === '\\' && second === '(') return parseDelimited(text, offset, '\\)', false);
  if (first === '\\' && second === '[') return parseDelimited(text, offset, '\\]', true);
  return undefined;
}

function parseDelimited(
  text: string,
  offset: number,
  closer: string,
  display: boolean,
): InlineMath | undefined {
  const lookahead = text.slice(offset + 2, offset + 2 + MAX_FORMULA_CHARS);
  const end = lookahead.indexOf(closer);
  const tex = lookahead.slice(0, Math.max(end, 0)).trim();
  if (tex === '' || /\n[ \t]*\n/.test(tex)) return undefined;
  return { length: end + 4, tex, display };
}

function parseSingleDollar(text: string, offset: number): InlineMath | undefined {
  if (!/[^\s$]/.test(text[offset + 1] ?? ' ')) return undefined;
  const maxEnd = Math.min(text.length, offset + MAX_FORMULA_CHARS);
  for (let end = offset + 1; end < maxEnd; end += 1) {
    const character = text[end];
    if (character === '\\') end += 1;
    else if (character === '`') return undefined;
    else if (character === '$') {
      const canClose =
        !/\s/.test(text[end - 1] ?? ' ') && !/^(?:[\w$]|\.\d)/.test(text.slice(end + 1, end + 3));
      const tex = text.slice(offset + 1, end);
      if (!canClose || isMoney(tex, text.slice(Math.max(0, offset - 2), offset))) return undefined;
      return { length: end - offset + 1, tex, display: false };
    } else if (character === '\n' && text[end + 1] === '\n') return undefined;
  }
  return undefined;
}

const proseStart = /^(?:[,;:!?)\]}]|\.(?!\d))/;
const formulaStart = /^[A-Za-z\\^_{(]/;
const amountEnd = /\d[kKmMbB]?$|[A-Z]$/;
/** Matches a word of running text: function names and units in formulas have a backslash or braces. */
const proseWord = /(?:^|[\s/(-])[A-Za-z]{2,}/;

/** Returns true for text between the dollars of two amounts: `5$, 10$`, `$5 or 10$`, `$5, which is 7 US$`. */
function isMoney(tex: string, textBefore: string): boolean {
  if (proseStart.test(tex)) return true;
  const endsInDigit = /\d$/.test(tex);
  if (amountEnd.test(textBefore)) return !formulaStart.test(tex) || (endsInDigit && /\s/.test(tex));
  if (!/^\.?\d/.test(tex)) return false;
  return /[-–/=(,;]$|(?:^|[^A-Za-z\\])[A-Z]{2,3}$/.test(tex) || (endsInDigit && proseWord.test(tex));
}

/** Returns the delimiter that must close, at the end of a line, the display math that begins on this line. */
export function getMathBlockCloser(line: string): '$$' | '\\]' | undefined {
  const closer = line.startsWith('$$') ? '$$' : line.startsWith('\\[') ? '\\]' : undefined;
  const closeOffset = closer === undefined ? -1 : line.indexOf(closer, 2);
  if (closeOffset >= 0) return line.slice(closeOffset + 2).trim() === '' ? closer : undefined;
  // `\[a](b)` is neither a link nor a formula.
  return closer === '\\]' && hasUnopenedBracket(line.slice(2)) ? undefined : closer;
}

function hasUnopenedBracket(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1;
    if (depth < 0) return true;
  }
  return false;
}
