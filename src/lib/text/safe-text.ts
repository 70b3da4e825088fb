/** Escapes untrusted text for sentences, HTML and spreadsheets. */
const maxQuotedChars = 80;
/** Control characters, and characters that change the text direction (such as U+202E). */
const unsafePattern = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Characters of right-to-left scripts. */
const rightToLeftPattern = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Sanitizes untrusted text for a sentence: short, on one line, and without effect on the direction of surrounding text.
 */
export function sanitizeForSentence(text: string, maxChars = maxQuotedChars): string {
  // Truncates by code points, so that no surrogate pair is split.
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

/** Escapes text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Matches cells that a spreadsheet would evaluate, with or without leading apostrophes, so that escaping can be
 * reversed.
 */
const formulaPattern = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Prefixes a cell with an apostrophe if a spreadsheet would evaluate it. */
export function escapeCsvFormula(text: string): string {
  return formulaPattern.test(text) ? `'${text}` : text;
}

/** Reverses `escapeCsvFormula`. */
export function unescapeCsvFormula(cell: string): string {
  return cell.startsWith("'") && formulaPattern.test(cell) ? cell.slice(1) : cell;
}

/** Quotes a CSV field if necessary (RFC 4180). */
export function formatCsvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
