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
  return new ReadableStream<Uint8Array>(
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
}
