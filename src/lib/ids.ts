/**
 * Creates an ID of 26 lower-case letters and digits with 128 random bits, sortable by creation time. Does not need
 * `crypto.randomUUID`, which insecure origins lack.
 */
export function createRandomId(nowMs: number): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(36).padStart(9, '0');
  const random = crypto.getRandomValues(new Uint8Array(11));
  return (
    time +
    Array.from(random, (byte) => byte.toString(36).padStart(2, '0'))
      .join('')
      .slice(0, 17)
  );
}
