// A statement rarely reaches further back than this; a comment or string that does is put right when the block ends.
const MAX_CONTEXT_LINES = 80;
const MIN_CONTEXT_LINES = 8;
const MAX_NEW_LINES = 400;

/** The lines of one request: context from `start`, lines to colour from `firstLine` to before `end`. */
interface HighlightBatch {
  start: number;
  firstLine: number;
  end: number;
}

/**
 * Returns the lines to colour next after `doneCount` coloured ones: whole lines, once each. Colouring starts some lines
 * earlier, where possible at a line without indent, so that what is open there is seen.
 */
export function getNextBatch(lines: readonly string[], doneCount: number): HighlightBatch {
  const end = Math.min(lines.length, doneCount + MAX_NEW_LINES);
  const minStart = Math.max(0, doneCount - MAX_CONTEXT_LINES);
  let start = Math.max(0, doneCount - MIN_CONTEXT_LINES);
  while (start > minStart && /^\s|^$|^[)}\]]/.test(lines[start] ?? '')) start -= 1;
  return { start, firstLine: doneCount, end };
}
