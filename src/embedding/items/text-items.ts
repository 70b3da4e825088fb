/** Parses typed or pasted inputs of §2.6: one text, or the token numbers of one text, per line. */

export interface TextItem {
  /** Text shown to users. */
  text: string;
  /** Set if token numbers are embedded instead. */
  tokens?: number[];
  label?: string;
}

export interface ParsedTexts {
  items: TextItem[];
  /** Number of lines or rows without text, which are left out. */
  blanks: number;
  /** Unreadable lines, with their numbers from 1. */
  problems: { line: number; message: string }[];
}

/** Matches a line with `# ` and a name: the group of the lines below. */
const groupLinePattern = /^#\s+(\S.*)$/;

/** Parses one text per line. A line `# Name` assigns a group to the lines below. */
export function parseTextLines(source: string): ParsedTexts {
  const items: TextItem[] = [];
  let blanks = 0;
  let label: string | undefined;
  const lines = splitSourceLines(source);
  // The empty end after a final line break is not a line.
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

/** With line feeds only, splitting at a character is four times as fast as with a regular expression. */
function splitSourceLines(source: string): string[] {
  return source.includes('\r') ? source.split(/\r\n|\r|\n/) : source.split('\n');
}

/** Counts items that repeat an earlier text; repeated texts are shown but not sent again. */
export function countDuplicates(items: readonly TextItem[]): number {
  return items.length - new Set(items.map((item) => item.text)).size;
}

/** Returns the label names in the order of their first appearance. */
export function listGroups(items: readonly TextItem[]): string[] {
  return [...new Set(items.flatMap((item) => item.label ?? []))];
}

/** Parses one input per line: token numbers separated by commas or spaces, with or without brackets. */
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
