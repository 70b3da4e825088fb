import { createHash } from 'node:crypto';

import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';

import { computeSha256 } from './sha256.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['crypto.subtle', globalThis.crypto],
  ['@noble/hashes on insecure origins', {}],
])('returns the same hash as Node with %s', async (_, crypto) => {
  vi.stubGlobal('crypto', crypto);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const expectedHash = createHash('sha256').update(bytes).digest('hex');
      expect(await computeSha256(new Uint8Array(bytes))).toBe(expectedHash);
    }),
  );
});
