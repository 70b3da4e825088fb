import { describe, expect, it } from 'vitest';

import { SourcedResponse, getByteSource, type ByteSource } from './byte-source.ts';

/** A source with these bytes, which fails at the end where it is given an error; it notes what is asked of it. */
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
  if (body === null) throw new Error('It has no body');
  return body.getReader();
}

describe('the body of a response with a source', () => {
  it('asks the source only when it is asked itself, and ends with it', async () => {
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

  it('breaks after all that came before, and lets go of the source', async () => {
    const failure = new Error('broken');
    const source = createSource([1], failure);
    const reader = getReader(source);
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    await expect(reader.read()).rejects.toBe(failure);
    expect(source.cancelReasons).toEqual([failure]);
  });

  it('tells the source that nobody wants more', async () => {
    const source = createSource([1, 2]);
    await getReader(source).cancel('enough');
    expect(source.cancelReasons).toEqual(['enough']);
  });
});

describe('the source of a response', () => {
  it('is the very one that the response was made of', () => {
    const source = createSource([]);
    expect(getByteSource(new SourcedResponse(source, {}))).toBe(source);
  });

  it('is the reader of the body of any other response', async () => {
    const source = getByteSource(new Response('ab'));
    expect(await source?.next()).toEqual(new TextEncoder().encode('ab'));
    expect(await source?.next()).toBeUndefined();
    expect(getByteSource(new Response(null))).toBeUndefined();
  });

  it('passes on that nobody wants more, and does not mind where that fails', async () => {
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
