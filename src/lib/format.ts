/** Formatted number with a separate unit, which can be shown in smaller type. */
export interface Measure {
  number: string;
  unit: string;
}

const wholeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compactFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const oneDecimalFormat = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const twoDecimalsFormat = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
// British English has no comma before "and".
const listFormats = {
  and: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
  or: new Intl.ListFormat('en-GB', { type: 'disjunction' }),
};

/** Formats 1234 as "1,234". */
export function formatCount(value: number): string {
  return wholeFormat.format(value);
}

const shortFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** Formats 853,720 as "854k", and counts below 100,000 in full. */
export function formatShortCount(value: number): string {
  return value < 99_999.5 ? formatCount(value) : shortFormat.format(value).replace('K', 'k');
}

/** Formats a round number of tokens as in model names: 8k, 128k, 1M; others with separators. */
export function formatContext(value: number): string {
  if (value >= 1_000_000) return `${compactFormat.format(value / 1_000_000)}M`;
  return value >= 1_000
    ? `${compactFormat.format(value / (value % 1_024 === 0 ? 1_024 : 1_000))}k`
    : formatCount(value);
}

/**
 * Formats a duration: ms below one second, seconds with two decimals below one minute, otherwise minutes and seconds.
 */
export function formatDuration(ms: number): Measure {
  const clampedMs = Math.max(0, ms);
  if (clampedMs < 999.5) return { number: wholeFormat.format(clampedMs), unit: 'ms' };
  if (clampedMs < 59_995) return { number: twoDecimalsFormat.format(clampedMs / 1000), unit: 's' };
  const seconds = Math.round(clampedMs / 1000);
  return {
    number: `${wholeFormat.format(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`,
    unit: 'min',
  };
}

/** Formats a speed, with one decimal below 100. */
export function formatSpeed(tokensPerSecond: number): Measure {
  const number =
    tokensPerSecond < 100 ? oneDecimalFormat.format(tokensPerSecond) : wholeFormat.format(tokensPerSecond);
  return { number, unit: 'tok/s' };
}

/** Formats a running time in seconds with one decimal: "3.2 s". */
export function formatSeconds(ms: number): string {
  return `${oneDecimalFormat.format(Math.max(0, ms) / 1000)} s`;
}

/** Formats a count with its noun: "1 token", "61 tokens". */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** Joins items: "a", "a and b", "a, b and c" or "a, b or c". */
export function formatList(items: readonly string[], joinedBy: 'and' | 'or' = 'and'): string {
  return listFormats[joinedBy].format(items);
}

/** Formats bytes in decimal units, such as "84 KB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${wholeFormat.format(bytes / 1000)} KB`;
  return `${oneDecimalFormat.format(bytes / 1_000_000)} MB`;
}
