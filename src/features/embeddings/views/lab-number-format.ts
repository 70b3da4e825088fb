/** Formats a share with one decimal, such as "95.8%". */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** Formats a share without decimals, such as "96%". */
export function formatWholePercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats bytes in binary units, as usual for vectors: 4,096 numbers are 16 KB. */
export function formatBinaryBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${size < 10 && size % 1 !== 0 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** Formats a cosine with a number of decimals; never "-0.00". */
export function formatCosine(value: number, decimals: 2 | 3): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
}

/**
 * Formats a share as a common fraction ("a quarter", "three eighths") or, if none fits, as a percentage such as "31%".
 */
export function formatFraction(share: number): string {
  const fractions: readonly [number, string][] = [
    [1 / 64, 'a 64th'],
    [1 / 40, 'a 40th'],
    [1 / 32, 'a 32nd'],
    [1 / 20, 'a 20th'],
    [1 / 16, 'a 16th'],
    [1 / 10, 'a tenth'],
    [1 / 8, 'an eighth'],
    [3 / 16, 'three sixteenths'],
    [1 / 5, 'a fifth'],
    [1 / 4, 'a quarter'],
    [3 / 8, 'three eighths'],
    [1 / 2, 'half'],
    [5 / 8, 'five eighths'],
    [3 / 4, 'three quarters'],
  ];
  return fractions.find(([value]) => Math.abs(value - share) < 1e-9)?.[1] ?? `${Math.round(share * 100)}%`;
}
