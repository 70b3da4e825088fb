/** The visitor's X-Request-ID where it is safe to log and forward, else a new one. */
export function requestIdOf(given: string | null | undefined, newId: () => string): string {
  return given !== null && given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId();
}
