/** Texts of others, made safe for where they go: a sentence of ours, a page, a spreadsheet. */
const maxQuotedChars = 80;
/** Control characters, and those that turn the direction of all that follows (U+202E among them). */
const unsafePattern = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Letters that are written from right to left. */
const rightToLeftPattern = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Words of others, made safe for a sentence of ours: short, on one line, and turning nothing around them. */
export function sanitizeForSentence(text: string, maxChars = maxQuotedChars): string {
  // Letters may take two units of text, and none may be cut in half.
  const chars = Array.from(text.slice(0, 2 * maxChars + 2));
  const isTruncated = chars.length > maxChars;
  const truncated = `${chars.slice(0, isTruncated ? maxChars - 1 : maxChars).join('')}${isTruncated ? '…' : ''}`;
  const sanitized = truncated.replaceAll(unsafePattern, '\uFFFD');
  return rightToLeftPattern.test(sanitized) ? `\u2068${sanitized}\u2069` : sanitized;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Puts an apostrophe before text that a spreadsheet would compute; one that stood there already makes two. */
const formulaPattern = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The text as a cell that no spreadsheet computes. */
export function escapeCsvFormula(text: string): string {
  return formulaPattern.test(text) ? `'${text}` : text;
}

/** The text that `escapeCsvFormula` made this cell of. */
export function unescapeCsvFormula(cell: string): string {
  return cell.startsWith("'") && formulaPattern.test(cell) ? cell.slice(1) : cell;
}

/** The text as a field of a CSV file (RFC 4180). */
export function formatCsvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
