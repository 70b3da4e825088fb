/**
 * Minimum length of a long word in characters. Browsers with kerning re-examine the rest of a word at each line break:
 * 60,000 characters without a space took 15 s to lay out, 2,000 take no noticeable time.
 */
const minLongWordChars = 2000;

/** Returns a function that accepts a text in pieces and returns true once the text contains a long word. */
export function createLongWordDetector(): (piece: string) => boolean {
  let length = 0;
  let isFound = false;
  return (piece) => {
    if (isFound) return true;
    let start = -length;
    for (const space of piece.matchAll(/\s/g)) {
      isFound ||= space.index - start >= minLongWordChars;
      start = space.index + 1;
    }
    length = piece.length - start;
    isFound ||= length >= minLongWordChars;
    return isFound;
  };
}

/** Returns true if the text has a word so long that layout with kerning is slow. */
export function hasLongWord(text: string): boolean {
  return text.length >= minLongWordChars && createLongWordDetector()(text);
}
