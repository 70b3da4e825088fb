import type { ServerError } from './error-response.ts';

/** Maximum request body size. */
export const MAX_BODY_BYTES = 20 * 1024 * 1024;

export function createTooLargeError(maxBytes: number): ServerError {
  return {
    type: 'request_too_large',
    message: `The request is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB, the limit of this server.`,
  };
}

/**
 * Reads a request body as one piece, or returns an error if it is too large. Counts received bytes regardless of the
 * announced length. `reserveBytes` is called with the announced length before anything is read, so that a rejected
 * upload occupies no memory, and with the size of each piece beyond it. It returns false if the server's capacity is
 * exceeded.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | 'too large'>;
export async function readBody(
  request: Request,
  maxBytes: number,
  reserveBytes: (bytes: number) => boolean,
): Promise<Uint8Array<ArrayBuffer> | 'too large' | 'over capacity'>;
export async function readBody(
  request: Request,
  maxBytes: number,
  reserveBytes: (bytes: number) => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer> | 'too large' | 'over capacity'> {
  const announcedBytes = Number(request.headers.get('content-length') ?? 0);
  if (announcedBytes > maxBytes) return 'too large';
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let reservedBytes = 0;
  for (;;) {
    const neededBytes = Math.max(announcedBytes, length);
    const isReserved = neededBytes <= reservedBytes || reserveBytes(neededBytes - reservedBytes);
    reservedBytes = neededBytes;
    if (length > maxBytes || !isReserved) {
      // Not awaited: the rest of an endless upload must not delay the response.
      void reader.cancel().catch(() => undefined);
      return length > maxBytes ? 'too large' : 'over capacity';
    }
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.byteLength;
  }
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}
