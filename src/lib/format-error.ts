/**
 * Returns the message of a caught value: that of an Error, its name if the message is empty (such as for a full disk),
 * or the value as a string.
 */
export function formatError(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
