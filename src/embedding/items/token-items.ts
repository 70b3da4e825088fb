import { duplicatesIn, type TextItem, type TextReading } from './text-items.ts';

/** One input per line: its token numbers with commas or blanks between them, in brackets or not. */
export function readTokenLines(source: string): TextReading {
  const items: TextItem[] = [];
  const problems: TextReading['problems'] = [];
  let blanks = 0;
  const lines = source.split(/\r\n|\r|\n/);
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
  return { items, blanks, duplicates: duplicatesIn(items), problems };
}

function isToken(value: number | undefined): boolean {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}
