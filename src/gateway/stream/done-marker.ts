const marker = '[DONE]';

/**
 * Returns true for the data `[DONE]`, which most gateways send last (§6.8 leaves the end open), even as the last line
 * of an event without its blank line.
 */
export function isDoneMarker(data: string): boolean {
  // Fast path: almost every other event ends like this.
  if (data.endsWith('}')) return false;
  const text = data.trimEnd();
  if (!text.endsWith(marker)) return false;
  const textBefore = text.slice(0, -marker.length).trimEnd();
  return textBefore === '' || text.slice(textBefore.length, -marker.length).includes('\n');
}
