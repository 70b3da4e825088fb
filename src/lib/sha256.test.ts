import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';

import { computeSha256Fallback, computeSha256 } from './sha256.ts';

afterEach(() => vi.unstubAllGlobals());

const toBytes = (text: string) => new TextEncoder().encode(text);

it('returns the hashes of the standard examples', async () => {
  expect(await computeSha256(toBytes(''))).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  expect(await computeSha256(toBytes('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

it('returns the same hash on insecure origins without crypto.subtle', async () => {
  const subtle = globalThis.crypto.subtle;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const copy = new Uint8Array(bytes);
      expect(Array.from(computeSha256Fallback(copy))).toEqual(
        Array.from(new Uint8Array(await subtle.digest('SHA-256', copy))),
      );
    }),
  );
  vi.stubGlobal('crypto', {});
  expect(await computeSha256(toBytes('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
