/** "95.8%" */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** Bytes in binary units, as vectors are sized: 4,096 numbers are 16 KB. */
export function bytesWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${size < 10 && size % 1 !== 0 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** A cosine with so many decimals; never "-0.00". */
export function cosineWords(value: number, decimals: 2 | 3): string {
  const words = value.toFixed(decimals);
  return Number(words) === 0 ? (0).toFixed(decimals) : words;
}
