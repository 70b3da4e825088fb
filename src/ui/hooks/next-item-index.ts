/**
 * Returns the index of the menu item that a key moves to: arrow keys (wrapping around), Home, End, or the next item
 * that begins with the typed letter. `undefined` if the key does not move.
 */
export function getNextItemIndex(
  labels: readonly string[],
  current: number,
  key: string,
): number | undefined {
  const count = labels.length;
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return current <= 0 ? count - 1 : current - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  for (let offset = 1; offset <= count; offset += 1) {
    const index = (current + offset + count) % count;
    if (labels[index]?.toLowerCase().startsWith(letter)) return index;
  }
  return undefined;
}
