import { describe, expect, it } from 'vitest';

import { byteSourceOf, pulledStream, type ByteSource } from './pulled-stream.ts';

/** A source with these bytes, which fails at the end where it is given an error; it notes what is asked of it. */
function aSource(
  bytes: number[],
  failure?: Error,
): ByteSource & { asked: () => number; cancelled: unknown[] } {
  let asked = 0;
  const cancelled: unknown[] = [];
  return {
    cancelled,
    asked: () => asked,
    async next() {
      const byte = bytes[asked];
      asked += 1;
      if (byte === undefined && failure) throw failure;
      return byte === undefined ? undefined : Uint8Array.of(byte);
    },
    cancel: (reason) => void cancelled.push(reason),
  };
}

describe('a pulled stream', () => {
  it('asks its source only when it is asked itself, and ends with it', async () => {
    const source = aSource([1, 2]);
    const reader = pulledStream(source).getReader();
    await Promise.resolve();
    expect(source.asked()).toBe(0);
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    expect(source.asked()).toBe(1);
    expect((await reader.read()).value).toEqual(Uint8Array.of(2));
    expect((await reader.read()).done).toBe(true);
    expect(source.cancelled).toEqual([]);
  });

  it('breaks after all that came before, and lets go of its source', async () => {
    const failure = new Error('broken');
    const source = aSource([1], failure);
    const reader = pulledStream(source).getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    await expect(reader.read()).rejects.toBe(failure);
    expect(source.cancelled).toEqual([failure]);
  });

  it('tells its source that nobody wants more', async () => {
    const source = aSource([1, 2]);
    await pulledStream(source).cancel('enough');
    expect(source.cancelled).toEqual(['enough']);
  });
});

describe('the source of the bytes of a stream', () => {
  it('is the very one that a pulled stream was made of', () => {
    const source = aSource([]);
    expect(byteSourceOf(pulledStream(source))).toBe(source);
  });

  it('is the reader of any other stream', async () => {
    const source = byteSourceOf(new Response('ab').body ?? new ReadableStream());
    expect(await source.next()).toEqual(new TextEncoder().encode('ab'));
    expect(await source.next()).toBeUndefined();
  });

  it('passes on that nobody wants more, and does not mind where that fails', async () => {
    const reasons: unknown[] = [];
    const stream = new ReadableStream<Uint8Array>({
      cancel(reason) {
        reasons.push(reason);
        throw new Error('no');
      },
    });
    byteSourceOf(stream).cancel('enough');
    await Promise.resolve();
    expect(reasons).toEqual(['enough']);
  });
});
