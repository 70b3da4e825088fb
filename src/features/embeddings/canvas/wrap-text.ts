/** Maximum number of characters that are examined; a card shows far fewer. */
const maxChars = 400;

/**
 * Breaks text into lines that fit, at spaces or, in scripts without them and in long words, between characters. What
 * does not fit into `maxLines` is replaced by an ellipsis.
 */
export function wrapText(text: string, maxLines: number, fits: (line: string) => boolean): string[] {
  let rest = Array.from(text.slice(0, maxChars).replaceAll(/\s+/g, ' ').trim());
  const lines: string[] = [];
  while (rest.length > 0 && lines.length < maxLines) {
    const isLastLine = lines.length === maxLines - 1;
    const ending = isLastLine && !fits(rest.join('')) ? '…' : '';
    let count = rest.length;
    while (count > 1 && !fits(rest.slice(0, count).join('') + ending)) count -= 1;
    const spaceIndex = count < rest.length ? rest.slice(0, count + 1).lastIndexOf(' ') : -1;
    const end = spaceIndex > 0 ? spaceIndex : count;
    lines.push(rest.slice(0, end).join('').trimEnd() + ending);
    rest = Array.from(rest.slice(end).join('').trimStart());
  }
  return lines;
}
