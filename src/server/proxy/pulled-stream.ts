/** Where the bytes of a pulled stream come from. */
export interface ByteSource {
  /** The next bytes, or undefined at the end. Rejecting breaks the stream, after all that came before. */
  next: () => Promise<Uint8Array | undefined>;
  /** Nobody wants more. Also called after a failure. */
  cancel: (reason: unknown) => void;
}

/**
 * A stream that asks its source only when its reader asks, and so keeps nothing: backpressure reaches the
 * source, and an error never overtakes bytes that came before it (a stream's own queue drops them).
 */
export function pulledStream(source: ByteSource): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await source.next();
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
        } catch (error) {
          source.cancel(error);
          throw error;
        }
      },
      cancel(reason) {
        source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  sources.set(stream, source);
  return stream;
}

const sources = new WeakMap<ReadableStream, ByteSource>();

/**
 * What a stream's bytes come from, for its one reader in this process. Of a pulled stream that is its source itself: with
 * 1,000 streams each event waits for the steps of all others, and a stream takes about ten of them (faults.md L3).
 */
export function byteSourceOf(stream: ReadableStream<Uint8Array>): ByteSource {
  const source = sources.get(stream);
  if (source !== undefined) return source;
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? undefined : value;
    },
    cancel(reason) {
      reader.cancel(reason).catch(() => undefined);
    },
  };
}
