// A statement rarely reaches back further than this; longer comments or strings are corrected when the block ends.
const MAX_CONTEXT_LINES = 80;
const MIN_CONTEXT_LINES = 8;
const MAX_NEW_LINES = 400;

/** Lines of one request: context from `start`, lines to highlight from `firstLine` to before `end`. */
interface HighlightBatch {
  start: number;
  firstLine: number;
  end: number;
}

/**
 * Returns the next lines to highlight after `doneCount` finished lines: whole lines, each only once. Highlighting
 * starts some lines earlier, if possible at a line without indentation, to include open constructs.
 */
export function getNextBatch(lines: readonly string[], doneCount: number): HighlightBatch {
  const end = Math.min(lines.length, doneCount + MAX_NEW_LINES);
  const minStart = Math.max(0, doneCount - MAX_CONTEXT_LINES);
  let start = Math.max(0, doneCount - MIN_CONTEXT_LINES);
  while (start > minStart && /^\s|^$|^[)}\]]/.test(lines[start] ?? '')) start -= 1;
  return { start, firstLine: doneCount, end };
}
