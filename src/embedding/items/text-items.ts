/** What people type or paste, as inputs of §2.6: one text, or the numbers of its tokens, per line. */

export interface TextItem {
  /** What people read. */
  text: string;
  /** Set where token numbers are embedded instead. */
  tokens?: number[];
  label?: string;
}

export interface ParsedTexts {
  items: TextItem[];
  /** Lines or rows without a text: left out. */
  blanks: number;
  /** What could not be read, each with its line from 1. */
  problems: { line: number; message: string }[];
}

/** `# ` and a name in a line of its own: the group of the lines below. */
const groupLinePattern = /^#\s+(\S.*)$/;

/** One text per line. A line `# Name` gives the lines below it a group. */
export function parseTextLines(source: string): ParsedTexts {
  const items: TextItem[] = [];
  let blanks = 0;
  let label: string | undefined;
  const lines = splitSourceLines(source);
  // The empty end of a text that ends with a line break is not a line.
  if (lines.at(-1)?.trim() === '') lines.pop();
  for (const line of lines) {
    const text = line.trim();
    if (text === '') blanks += 1;
    else {
      const name = text.startsWith('#') ? groupLinePattern.exec(text)?.[1] : undefined;
      if (name === undefined) items.push(label === undefined ? { text } : { text, label });
      else label = name;
    }
  }
  return { items, blanks, problems: [] };
}

/** Where only line feeds part them, a search for one letter is four times as fast as an expression. */
function splitSourceLines(source: string): string[] {
  return source.includes('\r') ? source.split(/\r\n|\r|\n/) : source.split('\n');
}

/** How many have the text of an item before them: shown, and sent once. */
export function countDuplicates(items: readonly TextItem[]): number {
  return items.length - new Set(items.map((item) => item.text)).size;
}

/** Names of the labels in the order in which they first appear. */
export function listGroups(items: readonly TextItem[]): string[] {
  return [...new Set(items.flatMap((item) => item.label ?? []))];
}

/** One input per line: its token numbers with commas or blanks between them, in brackets or not. */
export function parseTokenLines(source: string): ParsedTexts {
  const items: TextItem[] = [];
  const problems: ParsedTexts['problems'] = [];
  let blanks = 0;
  const lines = splitSourceLines(source);
  for (const [lineIndex, line] of lines.entries()) {
    const parts = line
      .trim()
      .replace(/^\[(.*)\],?$/, '$1')
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    const tokens = parts.map(Number);
    if (parts.length === 0) blanks += lineIndex < lines.length - 1 ? 1 : 0;
    else if (tokens.every((token) => Number.isSafeInteger(token) && token >= 0)) {
      items.push({ text: tokens.join(', '), tokens });
    } else {
      const invalidPart = parts.find((_, index) => !isToken(tokens[index])) ?? '';
      problems.push({
        line: lineIndex + 1,
        message: `“${invalidPart.slice(0, 40)}” is not a token ID. Use whole numbers from 0.`,
      });
    }
  }
  return { items, blanks, problems };
}

function isToken(value: number | undefined): boolean {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
