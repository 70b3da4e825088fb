const page = 10;

/** The row that a key moves to, or undefined for a key that moves nowhere. Without a row, arrows start at the first. */
export function rowAfterKey(key: string, row: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const clamp = (next: number) => Math.max(0, Math.min(count - 1, next));
  switch (key) {
    case 'ArrowDown':
      return clamp(row + 1);
    case 'ArrowUp':
      return clamp(row - 1);
    case 'PageDown':
      return clamp(row + page);
    case 'PageUp':
      return clamp(row - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
