/**
 * Beyond this a word counts as long, in characters. A browser that kerns looks at the whole rest of a word again for
 * each line that it breaks it into: 60,000 letters without a space took 15 s to lay out, 2,000 take none worth a word.
 */
const minLongWordChars = 2000;

/** Takes a text in pieces; true once one word in it is long. */
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

/** True where a word of the text is long enough to be costly to lay out with kerning. */
export function hasLongWord(text: string): boolean {
  return text.length >= minLongWordChars && createLongWordDetector()(text);
}
