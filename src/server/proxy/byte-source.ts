/** Where the bytes of an answer come from, for whoever reads them in this process. */
export interface ByteSource {
  /** The next bytes, or undefined at the end. Rejects where the answer breaks, after all that came before. */
  next: () => Promise<Uint8Array | undefined>;
  /** Nobody wants more. Also called after a failure. */
  cancel: (reason: unknown) => void;
}

/**
 * A response that shows the source of its bytes: who reads that instead of the body has each piece in one step. With 1,000
 * streams each event waits for the steps of all others, and a web stream takes about ten of them.
 */
export class SourcedResponse extends Response {
  readonly source: ByteSource;

  constructor(source: ByteSource, init: ResponseInit) {
    super(createStream(source), init);
    this.source = source;
  }
}

/** What a response's bytes come from, for one reader; undefined where it has no body. */
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
 * A stream that asks its source only when its reader asks, and so keeps nothing: backpressure reaches the
 * source, and an error never overtakes bytes that came before it (a stream's own queue drops them).
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
