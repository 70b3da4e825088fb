/** What people type or paste, as inputs of §2.6: one text, or the numbers of its tokens, per line. */

export interface TextItem {
  /** What people read. */
  text: string;
  /** Set where token numbers are embedded instead. */
  tokens?: number[];
  label?: string;
}

export interface TextReading {
  items: TextItem[];
  /** Lines or rows without a text: left out. */
  blanks: number;
  /** What could not be read, each with its line from 1. */
  problems: { line: number; message: string }[];
}

/** `# ` and a name in a line of its own: the group of the lines below. */
const groupLine = /^#\s+(\S.*)$/;

/** One text per line. A line `# Name` gives the lines below it a group. */
export function readTextLines(source: string): TextReading {
  const items: TextItem[] = [];
  let blanks = 0;
  let label: string | undefined;
  const lines = linesOf(source);
  // The empty end of a text that ends with a line break is not a line.
  if (lines.at(-1)?.trim() === '') lines.pop();
  for (const line of lines) {
    const text = line.trim();
    if (text === '') blanks += 1;
    else {
      const name = text.startsWith('#') ? groupLine.exec(text)?.[1] : undefined;
      if (name === undefined) items.push(label === undefined ? { text } : { text, label });
      else label = name;
    }
  }
  return { items, blanks, problems: [] };
}

/** Where only line feeds part them, a search for one letter is four times as fast as an expression. */
function linesOf(source: string): string[] {
  return source.includes('\r') ? source.split(/\r\n|\r|\n/) : source.split('\n');
}

/** How many have the text of an item before them: shown, and sent once. */
export function duplicatesIn(items: readonly TextItem[]): number {
  return items.length - new Set(items.map((item) => item.text)).size;
}

/** Names of the labels in the order in which they first appear. */
export function groupsOf(items: readonly TextItem[]): string[] {
  return [...new Set(items.flatMap((item) => item.label ?? []))];
}

/** One input per line: its token numbers with commas or blanks between them, in brackets or not. */
export function readTokenLines(source: string): TextReading {
  const items: TextItem[] = [];
  const problems: TextReading['problems'] = [];
  let blanks = 0;
  const lines = linesOf(source);
  for (const [at, line] of lines.entries()) {
    const words = line
      .trim()
      .replace(/^\[(.*)\],?$/, '$1')
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    const tokens = words.map(Number);
    if (words.length === 0) blanks += at < lines.length - 1 ? 1 : 0;
    else if (tokens.every((token) => Number.isSafeInteger(token) && token >= 0)) {
      items.push({ text: tokens.join(', '), tokens });
    } else {
      const wrong = words.find((_, index) => !isToken(tokens[index])) ?? '';
      problems.push({
        line: at + 1,
        message: `"${wrong.slice(0, 40)}" is not a token: tokens are whole numbers from 0.`,
      });
    }
  }
  return { items, blanks, problems };
}

function isToken(value: number | undefined): boolean {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
