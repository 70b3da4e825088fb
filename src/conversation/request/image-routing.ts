/** Which lanes an image goes to, in words, before anything is sent. */
export interface LaneSight {
  letter: string;
  /** marked: a person said so. listed: the model's record says so. */
  textOnly?: 'marked' | 'listed';
}

/**
 * "Sent to A and B. C is marked text-only, so the image will not be sent to it." Nothing where there is
 * one lane and it takes the image.
 */
export function routingSentence(lanes: readonly LaneSight[], images: number): string {
  const what = images === 1 ? 'the image' : 'the images';
  const takers = lanes.filter((lane) => lane.textOnly === undefined).map((lane) => lane.letter);
  const sentences = (['marked', 'listed'] as const).flatMap((why) => {
    const letters = lanes.filter((lane) => lane.textOnly === why).map((lane) => lane.letter);
    if (letters.length === 0) return [];
    const [marked, listed, it] =
      letters.length === 1 ? ['is marked', 'accepts', 'it'] : ['are marked', 'accept', 'them'];
    const names = lanes.length === 1 ? 'This model' : listOf(letters);
    const takes = why === 'marked' ? `${marked} text-only` : `${listed} text only`;
    return [`${names} ${takes}, so ${what} will not be sent to ${it}.`];
  });
  if (lanes.length > 1 && takers.length > 0) sentences.unshift(`Sent to ${listOf(takers)}.`);
  return sentences.join(' ');
}

function listOf(letters: readonly string[]): string {
  if (letters.length < 2) return letters[0] ?? '';
  return `${letters.slice(0, -1).join(', ')} and ${letters.at(-1) ?? ''}`;
}
