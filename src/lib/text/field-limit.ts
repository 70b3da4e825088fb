/** A browser lays out every line of a field, seen or not, and again for each new width: 10,000 short ones took half a second. */
const mostLines = 3_000;
/** It lays out so many letters in 0.1 s. */
export const mostLetters = 100_000;

/** True where a text would freeze the page as the value of a text field. */
export function isTooLongForField(text: string): boolean {
  return text.length > mostLetters || hasMoreLinesThan(mostLines, text);
}

function hasMoreLinesThan(most: number, text: string): boolean {
  let at = -1;
  for (let lines = 1; lines <= most; lines += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
  return true;
}
