/**
 * Creates a generator of uniform numbers in [0, 1) that is deterministic for the seed: sfc32, initialized with a hash
 * of its text. Stored trials contain only their seed, so the numbers for a seed must never change.
 */
export function createSeededRandom(seed: string | number): () => number {
  const text = String(seed);
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let counter = 1;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x85ebca6b);
    b = Math.imul(b ^ unit, 0xc2b2ae35);
    c = Math.imul(c ^ unit, 0x27d4eb2f);
  }
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers still correlate with the seed.
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** Returns the items in random order (Fisher–Yates, from the last position down). */
export function toShuffled<T>(items: readonly T[], random: () => number): T[] {
  const list = [...items];
  for (let lastIndex = list.length - 1; lastIndex > 0; lastIndex -= 1) {
    const chosenIndex = Math.floor(random() * (lastIndex + 1));
    const chosenItem = list[chosenIndex];
    const lastItem = list[lastIndex];
    if (chosenItem === undefined || lastItem === undefined) continue;
    list[lastIndex] = chosenItem;
    list[chosenIndex] = lastItem;
  }
  return list;
}

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a random string of letters and digits. */
export function drawAlphanumerics(length: number, random: () => number): string {
  return Array.from({ length }, () => alphanumerics[Math.floor(random() * alphanumerics.length)] ?? 'A').join(
    '',
  );
}
