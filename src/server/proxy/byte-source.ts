/** Source of a response's bytes for readers in this process. */
export interface ByteSource {
  /** Resolves with the next bytes, or undefined at the end. Rejects if the response breaks, after all earlier bytes. */
  next: () => Promise<Uint8Array | undefined>;
  /** Stops reading. Also called after a failure. */
  cancel: (reason: unknown) => void;
}

/**
 * A response that exposes its byte source. Reading the source instead of the body takes one step per piece, while a web
 * stream needs about ten; with 1,000 streams, these steps delay every event.
 */
export class SourcedResponse extends Response {
  readonly source: ByteSource;

  constructor(source: ByteSource, init: ResponseInit) {
    super(createStream(source), init);
    this.source = source;
  }
}

/** Returns the byte source of a response, for one reader; `undefined` without a body. */
export function getByteSource(response: Response): ByteSource | undefined {
  if (response instanceof SourcedResponse) return response.source;
  const reader = response.body?.getReader();
  return (
    reader && {
      async next() {
        const { done, value } = await reader.read();
        return done ? undefined : value;
      },
      cancel(reason) {
        reader.cancel(reason).catch(() => undefined);
      },
    }
  );
}

/**
 * Creates a stream that pulls only on demand and buffers nothing: backpressure reaches the source, and an error never
 * overtakes earlier bytes. The internal queue of a stream would drop them.
 */
function createStream(source: ByteSource): ReadableStream<Uint8Array> {
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
