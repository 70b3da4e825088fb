/**
 * Maximum number of lines in a field. Browsers lay out every line, visible or not, and do so again for each new width:
 * 10,000 short lines took half a second.
 */
const maxFieldLines = 3_000;
/** Maximum number of characters in a field; laying out this many takes 0.1 s. */
export const maxFieldChars = 100_000;

/** Returns true if a text would freeze the page as the value of a text field. */
export function isTooLongForField(text: string): boolean {
  return text.length > maxFieldChars || hasMoreLinesThan(maxFieldLines, text);
}

function hasMoreLinesThan(maxLines: number, text: string): boolean {
  let offset = -1;
  for (let lines = 1; lines <= maxLines; lines += 1) {
    offset = text.indexOf('\n', offset + 1);
    if (offset < 0) return false;
  }
  return true;
}
