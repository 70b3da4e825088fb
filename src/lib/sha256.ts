/** The SHA-256 of these bytes as 64 hexadecimal digits. Insecure origins have no `crypto.subtle`: there it is counted here. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Absent on insecure origins, whatever the types say.
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  return hexOf(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : digestOf(bytes));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const blockBytes = 64;

/** FIPS 180-4, section 6.2. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  const { first, rounds } = constants();
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(first);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += blockBytes) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(offset + at * 4);
    mix(state, words, rounds);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, at) => out.setUint32(at * 4, word));
  return digest;
}

function mix(state: Uint32Array, words: Uint32Array, rounds: Uint32Array): void {
  const word = (at: number): number => words[at] ?? 0;
  for (let at = 16; at < 64; at += 1) {
    const [one, other] = [word(at - 15), word(at - 2)];
    const small = turned(one, 7) ^ turned(one, 18) ^ (one >>> 3);
    const large = turned(other, 17) ^ turned(other, 19) ^ (other >>> 10);
    words[at] = word(at - 16) + small + word(at - 7) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const upper = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + upper + ((e & f) ^ (~e & g)) + (rounds[at] ?? 0) + word(at)) | 0;
    const lower = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const other = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => (state[at] = (state[at] ?? 0) + value));
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractions of square and cube roots of the first primes, as the standard defines them. */
function constants(): { first: Uint32Array; rounds: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return {
    first: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}
