/** Returns the client's X-Request-ID if it is safe to log and forward, otherwise a new one. */
export function getOrCreateRequestId(requestId: string | null | undefined, createId: () => string): string {
  return requestId !== null && requestId !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(requestId)
    ? requestId
    : createId();
}
