/** Cosine of two vectors of one length, -1 to 1; undefined where one of them is all zero. */
export function cosineOf(one: Float32Array, other: Float32Array): number | undefined {
  let dot = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (let index = 0; index < one.length; index++) {
    const a = one[index] ?? 0;
    const b = other[index] ?? 0;
    dot += a * b;
    oneSquared += a * a;
    otherSquared += b * b;
  }
  const size = Math.sqrt(oneSquared * otherSquared);
  // Rounding may carry a vector's cosine with itself over 1.
  return size === 0 ? undefined : Math.max(-1, Math.min(1, dot / size));
}

/** Every text against every other; row and column in the order of the vectors. */
export function similaritiesOf(vectors: readonly Float32Array[]): (number | undefined)[][] {
  return vectors.map((one) => vectors.map((other) => cosineOf(one, other)));
}

/** Lowest and highest similarity of two different texts, or undefined where there are none. */
export function rangeOf(
  rows: readonly (readonly (number | undefined)[])[],
): { low: number; high: number } | undefined {
  const values = rows.flatMap((row, index) => row.slice(index + 1)).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  // Not spread into Math.min: a hundred texts are five thousand pairs.
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  return { low, high };
}

/** The texts of a field, one a line; blank lines are none. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
