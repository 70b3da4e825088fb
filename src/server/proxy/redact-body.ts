import type { ByteSource } from './byte-source.ts';
import type { Redactor } from './redactor.ts';

export interface RedactBodyOptions {
  redactor: Redactor | undefined;
  maxBytes: number;
  /** A longer body ends at the limit; by default it breaks off there. */
  shouldTruncate?: boolean;
  /** Aborted when the response is no longer needed. */
  abortController: AbortController;
  /** Called when no more data will arrive; may be called twice. */
  finish: () => void;
}

/**
 * Removes secrets from the gateway's bytes. Bytes that the redactor holds back are emitted before the gateway's
 * response ends or fails.
 */
export function redactBody(
  source: ByteSource,
  { redactor, maxBytes, shouldTruncate = false, abortController, finish }: RedactBodyOptions,
): ByteSource {
  let length = 0;
  let outcome: { failure?: unknown } | undefined;

  const cancel = (reason: unknown) => {
    // Both are necessary: an HTTP gateway follows the signal, an in-process gateway may detect only the cancellation.
    abortController.abort(reason);
    source.cancel(reason);
    finish();
  };

  /** Returns the next clean bytes; empty while the received bytes may be the beginning of a secret. */
  const readNext = async (): Promise<Uint8Array> => {
    try {
      const bytes = await source.next();
      if (bytes !== undefined) {
        const redacted = redactor === undefined ? bytes : redactor.push(toBuffer(bytes));
        const remainingBytes = maxBytes - length;
        length += redacted.byteLength;
        if (redacted.byteLength <= remainingBytes) return redacted;
        const failure = new Error('The response is larger than this server allows.');
        outcome = shouldTruncate ? {} : { failure };
        cancel(failure);
        // Omits bytes held back by the redactor, which may be part of a secret.
        return redacted.subarray(0, remainingBytes);
      }
      outcome = {};
    } catch (failure) {
      outcome = { failure };
    }
    finish();
    return redactor?.flush() ?? new Uint8Array(0);
  };

  return {
    async next() {
      for (;;) {
        if (outcome !== undefined && 'failure' in outcome) throw outcome.failure;
        if (outcome !== undefined) return undefined;
        const bytes = await readNext();
        if (bytes.byteLength > 0) return bytes;
      }
    },
    cancel,
  };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
