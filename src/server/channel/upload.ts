/** A request body that arrives in frames. */
export interface FrameUpload {
  /** Can be read once, no faster than it arrives. */
  body: ReadableStream<Uint8Array>;
  /** Returns the number of bytes received. */
  getReceivedBytes: () => number;
  /** Adds bytes. Returns false if more arrive than announced. */
  push: (bytes: Uint8Array) => boolean;
  /** Fails the body because the rest will not arrive. */
  fail: (reason: Error) => void;
}

/** Creates a body with the given number of bytes. Bytes that are no longer read are dropped. */
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
