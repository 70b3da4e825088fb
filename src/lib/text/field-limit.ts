/** A browser lays out every line of a field, seen or not, and again for each new width: 10,000 short ones took half a second. */
const maxFieldLines = 3_000;
/** It lays out so many letters in 0.1 s. */
export const maxFieldChars = 100_000;

/** True where a text would freeze the page as the value of a text field. */
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
