import type { ByteSource } from './byte-source.ts';
import type { Redactor } from './redactor.ts';

export interface RedactBodyOptions {
  redactor: Redactor | undefined;
  maxBytes: number;
  /** What is longer ends there, where else it breaks off. */
  shouldTruncate?: boolean;
  /** Aborted when nobody wants the answer any more. */
  abortController: AbortController;
  /** Called when nothing more will come; may be called twice. */
  finish: () => void;
}

/** The gateway's bytes without secrets. What the redactor keeps back comes out before an end or a failure that is not ours. */
export function redactBody(
  source: ByteSource,
  { redactor, maxBytes, shouldTruncate = false, abortController, finish }: RedactBodyOptions,
): ByteSource {
  let length = 0;
  let outcome: { failure?: unknown } | undefined;

  const cancel = (reason: unknown) => {
    // Both: a gateway over HTTP hears the signal, one in this process may hear only this.
    abortController.abort(reason);
    source.cancel(reason);
    finish();
  };

  /** The next clean bytes; possibly none yet, while what came may be the beginning of a secret. */
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
        // Without what the redactor keeps back, which may be a part of a secret.
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
