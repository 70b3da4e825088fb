import { deflateRawSync, deflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import type { ByteSource } from './byte-source.ts';
import { decodedBody } from './decoded-body.ts';

/** A source of these pieces that is silent after the last one, or ends; it notes that it was left. */
function aSource(
  pieces: readonly Uint8Array[],
  end: 'ends' | 'is silent',
): ByteSource & { isLeft: () => boolean } {
  const rest = [...pieces];
  let isLeft = false;
  return {
    isLeft: () => isLeft,
    next: async () => {
      const piece = rest.shift();
      if (piece !== undefined || end === 'ends') return piece;
      return new Promise(() => undefined);
    },
    cancel: () => void (isLeft = true),
  };
}

async function textOf(source: ByteSource | undefined): Promise<string> {
  let words = '';
  for (let bytes = await source?.next(); bytes !== undefined; bytes = await source?.next())
    words += Buffer.from(bytes).toString();
  return words;
}

describe('a body that is called deflate', () => {
  it('is read with its header and without one, whatever its first bytes', async () => {
    for (let number = 0; number < 300; number += 1) {
      const text = `${number} and ${'again '.repeat(number % 7)}`;
      for (const bytes of [deflateSync(text), deflateRawSync(text)])
        expect(await textOf(await decodedBody(aSource([bytes], 'ends'), 'deflate'))).toBe(text);
    }
  });
});

it.each(['gzip', 'deflate', 'br', 'unknown'])(
  'a sign of life of eight letters passes at once in plain text that is called %s',
  async (encoding) => {
    const source = aSource([Buffer.from(': ping\n\n')], 'is silent');
    const body = await decodedBody(source, encoding);
    expect(Buffer.from((await body?.next()) ?? []).toString()).toBe(': ping\n\n');
  },
);

it.each(['', 'gzip', 'gzip, br'])(
  'a body that nobody wants any more is left before its first byte, also as %o',
  async (encoding) => {
    const source = aSource([], 'is silent');
    const body = await decodedBody(source, encoding);
    void body?.next();
    body?.cancel(new Error('left'));
    expect(source.isLeft()).toBe(true);
  },
);
