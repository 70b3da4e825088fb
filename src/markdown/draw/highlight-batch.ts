// A statement rarely reaches further back than this; a comment or string that does is put right when the block ends.
const MOST_CONTEXT = 80;
const LEAST_CONTEXT = 8;
const MOST_NEW_LINES = 400;

/** The lines for one request: from `start` for context, colours wanted from `from` to before `end`. */
interface HighlightBatch {
  start: number;
  from: number;
  end: number;
}

/**
 * Which lines to colour next when `done` of them are coloured: whole lines, once each. Colouring starts some lines
 * earlier, where possible at a line without indent, so that what is open there is seen.
 */
export function nextBatch(lines: readonly string[], done: number): HighlightBatch {
  const end = Math.min(lines.length, done + MOST_NEW_LINES);
  const earliest = Math.max(0, done - MOST_CONTEXT);
  let start = Math.max(0, done - LEAST_CONTEXT);
  while (start > earliest && /^\s|^$|^[)}\]]/.test(lines[start] ?? '')) start -= 1;
  return { start, from: done, end };
}
