/** Describes which lanes receive an image, before anything is sent. */
import { formatList } from '../../lib/format.ts';

export interface LaneImageSupport {
  letter: string;
  /** Reason why the model is text-only: `marked` by the user or `listed` in the model's record. */
  textOnlyReason?: 'marked' | 'listed';
}

/**
 * Returns "Sent to A and B. C is marked text-only, so the image will not be sent to it.", or an empty string if the
 * only lane accepts images.
 */
export function describeImageRouting(lanes: readonly LaneImageSupport[], imageCount: number): string {
  const imagesText = imageCount === 1 ? 'the image' : 'the images';
  const supportingLetters = lanes
    .filter((lane) => lane.textOnlyReason === undefined)
    .map((lane) => lane.letter);
  const sentences = (['marked', 'listed'] as const).flatMap((reason) => {
    const letters = lanes.filter((lane) => lane.textOnlyReason === reason).map((lane) => lane.letter);
    if (letters.length === 0) return [];
    const [markedVerb, acceptVerb, pronoun] =
      letters.length === 1 ? ['is marked', 'accepts', 'it'] : ['are marked', 'accept', 'them'];
    const names = lanes.length === 1 ? 'This model' : formatList(letters);
    const supportText = reason === 'marked' ? `${markedVerb} text-only` : `${acceptVerb} text only`;
    return [`${names} ${supportText}, so ${imagesText} will not be sent to ${pronoun}.`];
  });
  if (lanes.length > 1 && supportingLetters.length > 0)
    sentences.unshift(`Sent to ${formatList(supportingLetters)}.`);
  return sentences.join(' ');
}
