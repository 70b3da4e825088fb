const marker = '[DONE]';

/**
 * True for the data `[DONE]`, which most gateways send last (§6.8 leaves the end open), also as the last
 * line of an event whose blank line is missing.
 */
export function isDoneMarker(data: string): boolean {
  // Every other event ends so, and there are many.
  if (data.endsWith('}')) return false;
  const text = data.trimEnd();
  if (!text.endsWith(marker)) return false;
  const textBefore = text.slice(0, -marker.length).trimEnd();
  return textBefore === '' || text.slice(textBefore.length, -marker.length).includes('\n');
}
