/** What a caught value says: the message of an error, or whatever else was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
