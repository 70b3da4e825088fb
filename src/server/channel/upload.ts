/** The body of a request that comes in frames. */
export interface Upload {
  /** Read once, no faster than it comes. */
  body: ReadableStream<Uint8Array>;
  /** Bytes that have come. */
  received: () => number;
  /** False where more comes than was announced. */
  push: (bytes: Uint8Array) => boolean;
  /** The rest will not come. */
  fail: (reason: Error) => void;
}

/** A body of so many bytes. What nobody reads any more is dropped. */
export function createUpload(announced: number): Upload {
  let waiting: Uint8Array[] = [];
  let received = 0;
  let isWanted = true;
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const bytes = waiting.shift();
          if (bytes !== undefined) return controller.enqueue(bytes);
          if (received === announced) return controller.close();
          if (failure !== undefined) throw failure;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      cancel() {
        isWanted = false;
        waiting = [];
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    received: () => received,
    push(bytes) {
      received += bytes.length;
      if (isWanted) waiting.push(bytes);
      wake();
      return received <= announced;
    },
    fail(reason) {
      failure = reason;
      wake();
    },
  };
}
