import { describe, expect, it } from 'vitest';

import type { ByteSource } from './byte-source.ts';
import { redactBody } from './redact-body.ts';
import type { Redactor } from './redactor.ts';

/** Creates a redactor that holds everything back until the end. */
function createBufferingRedactor(): Redactor {
  const buffered: Buffer[] = [];
  return {
    push(bytes) {
      buffered.push(bytes);
      return Buffer.alloc(0);
    },
    flush: () => Buffer.concat(buffered),
  };
}

function redactTestBody(
  pieces: readonly string[],
  options: { redactor?: Redactor; maxBytes?: number; failure?: Error } = {},
) {
  const { redactor, maxBytes = 100, failure } = options;
  const remaining = pieces.map((piece) => Buffer.from(piece));
  const events: unknown[] = [];
  const abortController = new AbortController();
  const body: ByteSource = {
    async next() {
      const piece = remaining.shift();
      if (piece === undefined && failure !== undefined) throw failure;
      return piece;
    },
    cancel: (reason) => void events.push(['cancelled', reason]),
  };
  const clean = redactBody(body, {
    redactor,
    maxBytes,
    abortController,
    finish: () => events.push('finished'),
  });
  return { clean, events, stop: abortController };
}

/** Returns the readable text and the reason why it broke off. */
async function readAll(source: ByteSource): Promise<[words: string, failure: string | undefined]> {
  let text = '';
  try {
    for (let bytes = await source.next(); bytes !== undefined; bytes = await source.next())
      text += Buffer.from(bytes).toString();
    return [text, undefined];
  } catch (error) {
    return [text, error instanceof Error ? error.message : 'no error'];
  }
}

describe('redacted body of a response', () => {
  it('passes the bytes through and calls finish once', async () => {
    const { clean, events } = redactTestBody(['Hel', 'lo'], { maxBytes: 5 });
    expect(await readAll(clean)).toEqual(['Hello', undefined]);
    expect(events).toEqual(['finished']);
  });

  it('breaks off at the maximum size, after the earlier bytes', async () => {
    const { clean, stop } = redactTestBody(['Hel', 'lo!'], { maxBytes: 5 });
    expect(await readAll(clean)).toEqual(['Hello', 'The response is larger than this server allows.']);
    expect(stop.signal.aborted).toBe(true);
  });

  it('omits held-back bytes when the body is cut, since they may be part of a secret', async () => {
    const redactor: Redactor = {
      push: (bytes) => bytes.subarray(0, -1),
      flush: () => Buffer.from('kept'),
    };
    const { clean, events } = redactTestBody(['Hel', 'lo!'], { maxBytes: 3, redactor });
    expect((await readAll(clean))[0]).toBe('Hel');
    expect(events).toContain('finished');
  });

  it('emits held-back bytes before the body ends or breaks', async () => {
    const complete = redactTestBody(['Hel', 'lo'], { redactor: createBufferingRedactor() });
    expect(await readAll(complete.clean)).toEqual(['Hello', undefined]);
    expect(complete.events).toEqual(['finished']);
    const first = await redactTestBody(['Hel', 'lo'], { redactor: createBufferingRedactor() }).clean.next();
    expect(Buffer.from(first ?? []).toString(), 'empty chunks are skipped').toBe('Hello');
    const broken = redactTestBody(['Hel', 'lo'], {
      redactor: createBufferingRedactor(),
      failure: new Error('reset'),
    });
    expect(await readAll(broken.clean)).toEqual(['Hello', 'reset']);
  });

  it('stops the source by its signal and by cancellation when the body is no longer needed', async () => {
    const { clean, events, stop } = redactTestBody(['Hel', 'lo']);
    await clean.next();
    clean.cancel('left');
    expect(stop.signal.reason).toBe('left');
    expect(events).toEqual([['cancelled', 'left'], 'finished']);
  });
});
