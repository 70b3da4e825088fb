/**
 * Returns the SHA-256 of the bytes as 64 hexadecimal digits. Insecure origins lack `crypto.subtle` and use the fallback
 * below.
 */
export async function computeSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Missing on insecure origins, although the type is not optional.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return toHex(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : computeSha256Fallback(bytes));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const blockBytes = 64;

/** Computes SHA-256 (FIPS 180-4, section 6.2). */
export function computeSha256Fallback(bytes: Uint8Array): Uint8Array {
  const { initialHash, roundConstants } = computeConstants();
  const paddedBytes = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  paddedBytes.set(bytes);
  paddedBytes[bytes.length] = 0x80;
  const view = new DataView(paddedBytes.buffer);
  view.setBigUint64(paddedBytes.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(initialHash);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < paddedBytes.length; offset += blockBytes) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
    compressBlock(state, words, roundConstants);
  }
  const digest = new Uint8Array(32);
  const digestView = new DataView(digest.buffer);
  state.forEach((word, index) => digestView.setUint32(index * 4, word));
  return digest;
}

function compressBlock(state: Uint32Array, words: Uint32Array, roundConstants: Uint32Array): void {
  const getWord = (index: number): number => words[index] ?? 0;
  for (let index = 16; index < 64; index += 1) {
    const [w15, w2] = [getWord(index - 15), getWord(index - 2)];
    const sigma0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3);
    const sigma1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10);
    words[index] = getWord(index - 16) + sigma0 + getWord(index - 7) + sigma1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const upper = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const temp1 = (h + upper + ((e & f) ^ (~e & g)) + (roundConstants[index] ?? 0) + getWord(index)) | 0;
    const lower = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const temp2 = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + temp1) | 0, c, b, a, (temp1 + temp2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] ?? 0) + value));
}

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/**
 * Computes the constants of the standard: the first 32 bits of the fractional parts of square and cube roots of the
 * first primes.
 */
function computeConstants(): { initialHash: Uint32Array; roundConstants: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return {
    initialHash: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    roundConstants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}
