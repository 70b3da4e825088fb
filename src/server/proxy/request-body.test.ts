import { describe, expect, it } from 'vitest';

import { readBody, createTooLargeError } from './request-body.ts';

/** Creates an upload of these pieces; `isCancelled` returns true once the rest has been rejected. */
function createTestUpload(pieces: readonly string[], headers: Record<string, string> = {}) {
  let isCancelled = false;
  const remaining = pieces.map((piece) => Buffer.from(piece));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = remaining.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' };
  return { request: new Request('http://x/', init), isCancelled: () => isCancelled };
}

describe('request body', () => {
  it('joins a request body however it arrives', async () => {
    const bytes = await readBody(createTestUpload(['He', '', 'llo']).request, 5);
    expect(Buffer.from(bytes).toString()).toBe('Hello');
    expect(await readBody(new Request('http://x/', { method: 'POST' }), 5)).toEqual(new Uint8Array(0));
  });

  it('rejects a body that exceeds the limit and stops reading', async () => {
    const large = createTestUpload(['Hel', 'lo!', 'more']);
    expect(await readBody(large.request, 5)).toBe('too large');
    expect(large.isCancelled()).toBe(true);
  });

  it('rejects an announced size above the limit without reading', async () => {
    const large = createTestUpload(['Hello'], { 'content-length': '6' });
    expect(await readBody(large.request, 5)).toBe('too large');
    expect(large.request.bodyUsed).toBe(false);
    expect(await readBody(createTestUpload(['Hello'], { 'content-length': '5' }).request, 5)).toHaveLength(5);
  });

  it("rejects a body that exceeds the server's capacity, checked per piece", async () => {
    const requestedBytes: number[] = [];
    const large = createTestUpload(['Hel', 'lo', 'more']);
    const reserveBytes = (bytes: number) => requestedBytes.push(bytes) < 2;
    expect(await readBody(large.request, 100, reserveBytes)).toBe('over capacity');
    expect(requestedBytes).toEqual([3, 2]);
    expect(large.isCancelled()).toBe(true);
  });

  it('reserves an announced length before reading, and only what exceeds it afterwards', async () => {
    const requestedBytes: number[] = [];
    const reserveBytes = (bytes: number) => requestedBytes.push(bytes) < 3;
    const announced = { 'content-length': '6' };
    const upload = createTestUpload(['Hel', 'lo', 'more'], announced);
    expect(Buffer.from(await readBody(upload.request, 100, reserveBytes)).toString()).toBe('Hellomore');
    expect(requestedBytes).toEqual([6, 3]);
    const rejected = createTestUpload(['Hello', '!'], announced);
    expect(await readBody(rejected.request, 100, reserveBytes)).toBe('over capacity');
    expect([requestedBytes, rejected.isCancelled()]).toEqual([[6, 3, 6], true]);
  });

  it('reports the size limit in whole megabytes', () => {
    expect(createTooLargeError(2.5 * 1024 * 1024).message).toBe(
      'The request is larger than 2 MB, the limit of this server.',
    );
  });
});
