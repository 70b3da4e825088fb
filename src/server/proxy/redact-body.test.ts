import { describe, expect, it } from 'vitest';

import type { ByteSource } from './byte-source.ts';
import { cleanBody } from './redact-body.ts';
import type { Redactor } from './redactor.ts';

/** Keeps everything back until the end. */
function keeping(): Redactor {
  const kept: Buffer[] = [];
  return {
    push(bytes) {
      kept.push(bytes);
      return Buffer.alloc(0);
    },
    flush: () => Buffer.concat(kept),
  };
}

function cleaned(
  pieces: readonly string[],
  options: { redactor?: Redactor; maxBytes?: number; failure?: Error } = {},
) {
  const { redactor, maxBytes = 100, failure } = options;
  const rest = pieces.map((piece) => Buffer.from(piece));
  const heard: unknown[] = [];
  const stop = new AbortController();
  const body: ByteSource = {
    async next() {
      const piece = rest.shift();
      if (piece === undefined && failure !== undefined) throw failure;
      return piece;
    },
    cancel: (reason) => void heard.push(['cancelled', reason]),
  };
  const clean = cleanBody(body, { redactor, maxBytes, stop, finish: () => heard.push('finished') });
  return { clean, heard, stop };
}

/** What of it can be read, and why it broke off. */
async function readAll(source: ByteSource): Promise<[words: string, failure: string | undefined]> {
  let words = '';
  try {
    for (let bytes = await source.next(); bytes !== undefined; bytes = await source.next())
      words += Buffer.from(bytes).toString();
    return [words, undefined];
  } catch (error) {
    return [words, error instanceof Error ? error.message : 'no error'];
  }
}

describe('the body of an answer', () => {
  it('passes, and says once that it is over', async () => {
    const { clean, heard } = cleaned(['Hel', 'lo'], { maxBytes: 5 });
    expect(await readAll(clean)).toEqual(['Hello', undefined]);
    expect(heard).toEqual(['finished']);
  });

  it('breaks off beyond the most that may pass, after what came before', async () => {
    const { clean, stop } = cleaned(['Hel', 'lo!'], { maxBytes: 5 });
    expect(await readAll(clean)).toEqual(['Hello', 'The answer is larger than this server allows.']);
    expect(stop.signal.aborted).toBe(true);
  });

  it('gives nothing of what was kept back where it is cut: that may be a part of a secret', async () => {
    const redactor: Redactor = {
      push: (bytes) => bytes.subarray(0, -1),
      flush: () => Buffer.from('kept'),
    };
    const { clean, heard } = cleaned(['Hel', 'lo!'], { maxBytes: 3, redactor });
    expect((await readAll(clean))[0]).toBe('Hel');
    expect(heard).toContain('finished');
  });

  it('gives what was kept back before its end, and before it breaks', async () => {
    const ended = cleaned(['Hel', 'lo'], { redactor: keeping() });
    expect(await readAll(ended.clean)).toEqual(['Hello', undefined]);
    expect(ended.heard).toEqual(['finished']);
    const first = await cleaned(['Hel', 'lo'], { redactor: keeping() }).clean.next();
    expect(Buffer.from(first ?? []).toString(), 'no piece is empty').toBe('Hello');
    const broken = cleaned(['Hel', 'lo'], { redactor: keeping(), failure: new Error('reset') });
    expect(await readAll(broken.clean)).toEqual(['Hello', 'reset']);
  });

  it('that nobody wants any more is stopped at its source, by its signal and by its own word', async () => {
    const { clean, heard, stop } = cleaned(['Hel', 'lo']);
    await clean.next();
    clean.cancel('left');
    expect(stop.signal.reason).toBe('left');
    expect(heard).toEqual([['cancelled', 'left'], 'finished']);
  });
});
