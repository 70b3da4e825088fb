/** A formula in running text: how many characters it takes with its delimiters, and what stands between them. */
interface InlineMath {
  length: number;
  tex: string;
  display: boolean;
}

/** Longer ones are prose between two stray dollars, or a bomb. */
const LONGEST_FORMULA = 2_000;

/**
 * The formula that begins at `at`, or undefined. `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. After the opening dollar and
 * before the closing one stands no space, no letter or digit follows the closing one, and amounts are text.
 */
export function inlineMathAt(text: string, at: number): InlineMath | undefined {
  const first = text[at];
  const second = text[at + 1];
  if (first === '$' && second === '$') return delimited(text, at, '$$', true);
  if (first === '$') return singleDollar(text, at);
  if (first === '\\' && second === '(') return delimited(text, at, '\\)', false);
  if (first === '\\' && second === '[') return delimited(text, at, '\\]', true);
  return undefined;
}

function delimited(text: string, at: number, close: string, display: boolean): InlineMath | undefined {
  const window = text.slice(at + 2, at + 2 + LONGEST_FORMULA);
  const end = window.indexOf(close);
  const tex = window.slice(0, Math.max(end, 0)).trim();
  if (tex === '' || /\n[ \t]*\n/.test(tex)) return undefined;
  return { length: end + 4, tex, display };
}

function singleDollar(text: string, at: number): InlineMath | undefined {
  if (!/[^\s$]/.test(text[at + 1] ?? ' ')) return undefined;
  const last = Math.min(text.length, at + LONGEST_FORMULA);
  for (let end = at + 1; end < last; end += 1) {
    const character = text[end];
    if (character === '\\') end += 1;
    else if (character === '`') return undefined;
    else if (character === '$') {
      const closes =
        !/\s/.test(text[end - 1] ?? ' ') && !/^(?:[\w$]|\.\d)/.test(text.slice(end + 1, end + 3));
      const tex = text.slice(at + 1, end);
      if (!closes || isMoney(tex, text.slice(Math.max(0, at - 2), at))) return undefined;
      return { length: end - at + 1, tex, display: false };
    } else if (character === '\n' && text[end + 1] === '\n') return undefined;
  }
  return undefined;
}

const startsInProse = /^(?:[,;:!?)\]}]|\.(?!\d))/;
const startsAsFormula = /^[A-Za-z\\^_{(]/;
const afterAmount = /\d[kKmMbB]?$|[A-Z]$/;
/** A word of running text: names of functions and units in formulas stand behind a backslash or in braces. */
const proseWord = /(?:^|[\s/(-])[A-Za-z]{2,}/;

/** True for text between the dollars of two amounts: `5$, 10$`, `$5 or 10$`, `$5, which is 7 US$`. */
function isMoney(tex: string, before: string): boolean {
  if (startsInProse.test(tex)) return true;
  const endsInDigit = /\d$/.test(tex);
  if (afterAmount.test(before)) return !startsAsFormula.test(tex) || (endsInDigit && /\s/.test(tex));
  if (!/^\.?\d/.test(tex)) return false;
  return /[-–/=(,;]$|(?:^|[^A-Za-z\\])[A-Z]{2,3}$/.test(tex) || (endsInDigit && proseWord.test(tex));
}

/** The delimiter that closes, at the end of a line, the block of display math that this line opens. */
export function mathBlockClosing(line: string): '$$' | '\\]' | undefined {
  const close = line.startsWith('$$') ? '$$' : line.startsWith('\\[') ? '\\]' : undefined;
  const inside = close === undefined ? -1 : line.indexOf(close, 2);
  if (inside >= 0) return line.slice(inside + 2).trim() === '' ? close : undefined;
  // `\[a](b)` is neither a link nor a formula.
  return close === '\\]' && closesMoreThanItOpens(line.slice(2)) ? undefined : close;
}

function closesMoreThanItOpens(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1;
    if (depth < 0) return true;
  }
  return false;
}
