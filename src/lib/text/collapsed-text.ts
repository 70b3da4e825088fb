/** Determines when a long text is collapsed and which part of it is shown. */

/** Maximum number of lines shown at once. A long line counts as the lines that it fills. */
const maxLines = 40;
const collapsedLines = 12;
const charsPerLine = 200;

export interface CollapsedText {
  /** First lines of the text. */
  start: string;
  /** Size of the whole text in UTF-8 bytes. */
  bytes: number;
}

/** Returns the collapsed form of a long text, `undefined` if the text is short. */
export function collapseText(text: string): CollapsedText | undefined {
  if (findLineEnd(text, maxLines) >= text.length) return undefined;
  const start = text.slice(0, findLineEnd(text, collapsedLines)).trimEnd();
  return { start: `${start}…`, bytes: new TextEncoder().encode(text).length };
}

/** Returns the offset after this number of lines. */
function findLineEnd(text: string, lineCount: number): number {
  let offset = 0;
  for (let line = 0; line < lineCount && offset < text.length; line += 1) {
    const end = text.indexOf('\n', offset);
    const maxOffset = offset + charsPerLine;
    offset = end < 0 ? Math.min(maxOffset, text.length) : Math.min(maxOffset, end + 1);
  }
  return alignToChar(text, offset);
}

/** Moves the offset out of a surrogate pair. */
function alignToChar(text: string, offset: number): number {
  const code = text.charCodeAt(offset - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? offset + 1 : offset;
}
