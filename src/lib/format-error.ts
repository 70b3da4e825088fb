/** What a caught value says: the message of an error, its name where it has no words (a full disk), or whatever else was thrown. */
export function formatError(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
