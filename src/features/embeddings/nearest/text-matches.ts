export interface TextMatches {
  /** Places of the first texts that hold the words, in order. */
  first: number[];
  /** How many there are in all. */
  count: number;
}

/** The texts that hold these words as they stand, in any case of letters. Nothing is sent for it. */
export function matchesIn(
  texts: readonly { text: string }[],
  words: string,
  mostListed: number,
): TextMatches {
  const wanted = words.trim().toLocaleLowerCase();
  const first: number[] = [];
  let count = 0;
  if (wanted === '') return { first, count };
  for (const [place, { text }] of texts.entries()) {
    if (!text.toLocaleLowerCase().includes(wanted)) continue;
    if (count < mostListed) first.push(place);
    count++;
  }
  return { first, count };
}
