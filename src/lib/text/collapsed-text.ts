/** Long texts: when only their start is shown, and which part that is. */

/** Longer ones are folded; a line without end counts as the lines that it fills. */
const mostLines = 40;
const shownLines = 12;
const lettersALine = 200;

export interface Fold {
  /** The first lines. */
  start: string;
  /** Of the whole text, as UTF-8. */
  bytes: number;
}

/** The start of a text that is too long to be shown at once; undefined where it is short. */
export function foldOf(text: string): Fold | undefined {
  if (lineEnd(text, mostLines) >= text.length) return undefined;
  const start = text.slice(0, lineEnd(text, shownLines)).trimEnd();
  return { start: `${start}…`, bytes: new TextEncoder().encode(text).length };
}

/** Where so many lines end. */
function lineEnd(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines && at < text.length; line += 1) {
    const end = text.indexOf('\n', at);
    const most = at + lettersALine;
    at = end < 0 ? Math.min(most, text.length) : Math.min(most, end + 1);
  }
  return withoutHalfLetter(text, at);
}

/** Not between the halves of a letter that takes two places. */
function withoutHalfLetter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? at + 1 : at;
}
