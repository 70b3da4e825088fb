/** Numbers as the screens show them. The unit comes apart, so that it can be set smaller. */

export interface Measure {
  number: string;
  unit: string;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 1234 → "1,234" */
export function formatCount(value: number): string {
  return whole.format(value);
}

/** Milliseconds below one second, else seconds with two decimals, from a minute on minutes and seconds. */
export function formatDuration(ms: number): Measure {
  const rounded = Math.max(0, ms);
  if (rounded < 999.5) return { number: whole.format(rounded), unit: 'ms' };
  if (rounded < 59_995) return { number: twoDecimals.format(rounded / 1000), unit: 's' };
  const seconds = Math.round(rounded / 1000);
  return {
    number: `${whole.format(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`,
    unit: 'min',
  };
}

/** One decimal below 100. */
export function formatSpeed(tokensPerSecond: number): Measure {
  const number = tokensPerSecond < 100 ? oneDecimal.format(tokensPerSecond) : whole.format(tokensPerSecond);
  return { number, unit: 'tok/s' };
}

/** Seconds with one decimal, for what is counted while one looks: "3.2 s". */
export function formatSeconds(ms: number): string {
  return `${oneDecimal.format(Math.max(0, ms) / 1000)} s`;
}

/** "1 token", "61 tokens" */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "a", "a and b", "a, b and c" */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** Bytes as "84 KB", decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${whole.format(bytes / 1000)} KB`;
  return `${oneDecimal.format(bytes / 1_000_000)} MB`;
}
