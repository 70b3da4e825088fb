/** Long texts: when only their start is shown, and which part that is. */

/** Longer ones are folded; a line without end counts as the lines that it fills. */
const maxLines = 40;
const collapsedLines = 12;
const charsPerLine = 200;

export interface CollapsedText {
  /** The first lines. */
  start: string;
  /** Of the whole text, as UTF-8. */
  bytes: number;
}

/** The start of a text that is too long to be shown at once; undefined where it is short. */
export function collapseText(text: string): CollapsedText | undefined {
  if (findLineEnd(text, maxLines) >= text.length) return undefined;
  const start = text.slice(0, findLineEnd(text, collapsedLines)).trimEnd();
  return { start: `${start}…`, bytes: new TextEncoder().encode(text).length };
}

/** Where so many lines end. */
function findLineEnd(text: string, lineCount: number): number {
  let offset = 0;
  for (let line = 0; line < lineCount && offset < text.length; line += 1) {
    const end = text.indexOf('\n', offset);
    const maxOffset = offset + charsPerLine;
    offset = end < 0 ? Math.min(maxOffset, text.length) : Math.min(maxOffset, end + 1);
  }
  return alignToChar(text, offset);
}

/** Not between the halves of a letter that takes two places. */
function alignToChar(text: string, offset: number): number {
  const code = text.charCodeAt(offset - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? offset + 1 : offset;
}
