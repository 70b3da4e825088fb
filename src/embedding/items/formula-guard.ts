/** faults.md T24: what a spreadsheet would compute has an apostrophe before it; one that stood there already makes two. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The text as a cell that no spreadsheet computes. */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text that `guarded` made the cell of. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
