/** Which lanes an image goes to, in words, before anything is sent. */
export interface LaneSight {
  letter: string;
  /** marked: a person said so. listed: the model's record says so. */
  textOnly?: 'marked' | 'listed';
}

/**
 * "Goes to A and B. C is marked text-only, so it gets the words without the image." Nothing where there is
 * one lane and it takes the image.
 */
export function routingSentence(lanes: readonly LaneSight[], images: number): string {
  const what = images === 1 ? 'the image' : 'the images';
  const takers = lanes.filter((lane) => lane.textOnly === undefined).map((lane) => lane.letter);
  const sentences = (['marked', 'listed'] as const).flatMap((why) => {
    const letters = lanes.filter((lane) => lane.textOnly === why).map((lane) => lane.letter);
    if (letters.length === 0) return [];
    const [who, get] = letters.length === 1 ? ['is', 'it gets'] : ['are', 'they get'];
    const names = lanes.length === 1 ? 'This model' : listOf(letters);
    return [`${names} ${who} ${why} text-only, so ${get} the words without ${what}.`];
  });
  if (lanes.length > 1 && takers.length > 0) sentences.unshift(`Goes to ${listOf(takers)}.`);
  return sentences.join(' ');
}

function listOf(letters: readonly string[]): string {
  if (letters.length < 2) return letters[0] ?? '';
  return `${letters.slice(0, -1).join(', ')} and ${letters.at(-1) ?? ''}`;
}
