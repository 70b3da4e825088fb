const mark = '[DONE]';

/**
 * True for the data `[DONE]`, which most gateways send last (§6.8 leaves the end open), also as the last
 * line of an event whose blank line is missing.
 */
export function isDoneMark(data: string): boolean {
  // Every other event ends so, and there are many.
  if (data.endsWith('}')) return false;
  const text = data.trimEnd();
  if (!text.endsWith(mark)) return false;
  const before = text.slice(0, -mark.length).trimEnd();
  return before === '' || text.slice(before.length, -mark.length).includes('\n');
}
