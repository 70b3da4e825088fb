/** The body of a request that comes in frames. */
export interface FrameUpload {
  /** Read once, no faster than it comes. */
  body: ReadableStream<Uint8Array>;
  /** Bytes that have come. */
  getReceivedBytes: () => number;
  /** False where more comes than was announced. */
  push: (bytes: Uint8Array) => boolean;
  /** The rest will not come. */
  fail: (reason: Error) => void;
}

/** A body of so many bytes. What nobody reads any more is dropped. */
export function createUpload(declaredBytes: number): FrameUpload {
  let pendingChunks: Uint8Array[] = [];
  let receivedBytes = 0;
  let isReaderAttached = true;
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const bytes = pendingChunks.shift();
          if (bytes !== undefined) return controller.enqueue(bytes);
          if (receivedBytes === declaredBytes) return controller.close();
          if (failure !== undefined) throw failure;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
      cancel() {
        isReaderAttached = false;
        pendingChunks = [];
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    getReceivedBytes: () => receivedBytes,
    push(bytes) {
      receivedBytes += bytes.length;
      if (isReaderAttached) pendingChunks.push(bytes);
      wake();
      return receivedBytes <= declaredBytes;
    },
    fail(reason) {
      failure = reason;
      wake();
    },
  };
}
