import { createPreloadableImport } from './lazy-import.ts';

// Preloaded, because an insecure origin may be offline when it needs a hash.
const loadSha256 = createPreloadableImport(async () => {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  return sha256;
});

/** Returns the SHA-256 of the bytes as 64 hexadecimal digits. */
export async function computeSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Missing on insecure origins, although the type is not optional.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : (await loadSha256())(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
