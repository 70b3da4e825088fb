import { describe, expect, it } from 'vitest';

import { SourcedResponse, getByteSource, type ByteSource } from './byte-source.ts';

/** Creates a source of these bytes that may fail at the end, and records the calls. */
function createSource(
  bytes: number[],
  failure?: Error,
): ByteSource & { getReadCount: () => number; cancelReasons: unknown[] } {
  let readCount = 0;
  const cancelReasons: unknown[] = [];
  return {
    cancelReasons,
    getReadCount: () => readCount,
    async next() {
      const byte = bytes[readCount];
      readCount += 1;
      if (byte === undefined && failure) throw failure;
      return byte === undefined ? undefined : Uint8Array.of(byte);
    },
    cancel: (reason) => void cancelReasons.push(reason),
  };
}

function getReader(source: ByteSource): ReadableStreamDefaultReader<Uint8Array> {
  const { body } = new SourcedResponse(source, {});
  if (body === null) throw new Error('The response has no body');
  return body.getReader();
}

describe('body of a response with a source', () => {
  it('pulls from the byte source only on demand and ends with it', async () => {
    const source = createSource([1, 2]);
    const reader = getReader(source);
    await Promise.resolve();
    expect(source.getReadCount()).toBe(0);
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    expect(source.getReadCount()).toBe(1);
    expect((await reader.read()).value).toEqual(Uint8Array.of(2));
    expect((await reader.read()).done).toBe(true);
    expect(source.cancelReasons).toEqual([]);
  });

  it('breaks after all earlier bytes and releases the byte source', async () => {
    const failure = new Error('broken');
    const source = createSource([1], failure);
    const reader = getReader(source);
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    await expect(reader.read()).rejects.toBe(failure);
    expect(source.cancelReasons).toEqual([failure]);
  });

  it('cancels the byte source when the body is cancelled', async () => {
    const source = createSource([1, 2]);
    await getReader(source).cancel('enough');
    expect(source.cancelReasons).toEqual(['enough']);
  });
});

describe('source of a response', () => {
  it('returns the byte source from which the response was created', () => {
    const source = createSource([]);
    expect(getByteSource(new SourcedResponse(source, {}))).toBe(source);
  });

  it('reads the body of any other response', async () => {
    const source = getByteSource(new Response('ab'));
    expect(await source?.next()).toEqual(new TextEncoder().encode('ab'));
    expect(await source?.next()).toBeUndefined();
    expect(getByteSource(new Response(null))).toBeUndefined();
  });

  it('cancels the body and ignores a failed cancellation', async () => {
    const reasons: unknown[] = [];
    const stream = new ReadableStream<Uint8Array>({
      cancel(reason) {
        reasons.push(reason);
        throw new Error('no');
      },
    });
    getByteSource(new Response(stream))?.cancel('enough');
    await Promise.resolve();
    expect(reasons).toEqual(['enough']);
  });
});
