import { pulledStream } from './pulled-stream.ts';
import type { Redactor } from './redaction.ts';

export interface CleanBodyOptions {
  redactor: Redactor | undefined;
  /** The answer breaks off beyond it. */
  maxBytes: number;
  /** Aborted when nobody wants the answer any more. */
  stop: AbortController;
  /** Called when nothing more will come; may be called twice. */
  finish: () => void;
}

/** The gateway's bytes without secrets. What it keeps back comes out before an end or a failure. */
export function cleanBody(reader: ReadableStreamDefaultReader<Uint8Array>, { redactor, maxBytes, stop, finish }: CleanBodyOptions): ReadableStream<Uint8Array> {
  let length = 0;
  let end: { failure?: unknown } | undefined;
  const ended = (outcome: { failure?: unknown }): Uint8Array | undefined => {
    end = outcome;
    finish();
    const rest = redactor?.flush();
    return rest !== undefined && rest.length > 0 ? rest : undefined;
  };
  return pulledStream({
    async next() {
      while (end === undefined) {
        let rest: Uint8Array | undefined;
        try {
          const { done, value } = await reader.read();
          if (!done) {
            length += value.byteLength;
            if (length > maxBytes) throw new Error('The answer is larger than this server passes on.');
            const clean = redactor === undefined ? value : redactor.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
            if (clean.length > 0) return clean;
            continue;
          }
          rest = ended({});
        } catch (failure) {
          rest = ended({ failure });
        }
        if (rest !== undefined) return rest;
      }
      if ('failure' in end) throw end.failure;
      return undefined;
    },
    cancel(reason) {
      // Both: a gateway over HTTP hears the signal, one in this process may hear only its stream.
      stop.abort(reason);
      void reader.cancel(reason).catch(() => undefined);
      finish();
    },
  });
}
