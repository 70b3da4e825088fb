/** Describes which lanes receive an image, document or sound, before anything is sent. */
import { formatList } from '../../lib/format.ts';
import type { MediaType } from './message-images.ts';

export interface LaneMediaSupport {
  letter: string;
  /** Reason why the model does not receive the part: `marked` by the user or `listed` in the model's record. */
  rejectedBy?: 'marked' | 'listed';
  /** True if the model is marked or listed as accepting it. */
  isConfirmed?: boolean;
}

const nouns: Readonly<Record<MediaType, readonly [one: string, many: string]>> = {
  image_url: ['the image', 'the images'],
  file: ['the file', 'the files'],
  input_audio: ['the audio', 'the audio files'],
};

/** Verbs for models that reject the part, for one lane and for several. */
const rejections: Readonly<Record<MediaType, Record<'marked' | 'listed', readonly [string, string]>>> = {
  image_url: {
    marked: ['is marked text-only', 'are marked text-only'],
    listed: ['accepts text only', 'accept text only'],
  },
  file: {
    marked: ['is marked as not accepting files', 'are marked as not accepting files'],
    listed: ['does not accept files', 'do not accept files'],
  },
  input_audio: {
    marked: ['is marked as not accepting audio', 'are marked as not accepting audio'],
    listed: ['does not accept audio', 'do not accept audio'],
  },
};

/**
 * Returns "Sent to A and B. C is marked text-only, so the image will not be sent to it.", or an empty string if the
 * only lane accepts the part. Documents and sounds are passed through to models that are not known to accept them;
 * images are simply sent, because most models of unknown abilities accept them.
 */
export function describeMediaRouting(
  lanes: readonly LaneMediaSupport[],
  type: MediaType,
  count: number,
): string {
  const [noun, nounPlural] = nouns[type];
  const isOnlyLane = lanes.length === 1;
  const listLetters = (isIncluded: (lane: LaneMediaSupport) => boolean) =>
    lanes.filter(isIncluded).map(({ letter }) => letter);
  const isUncertain = (lane: LaneMediaSupport) =>
    type !== 'image_url' && lane.rejectedBy === undefined && lane.isConfirmed !== true;
  const confirmed = listLetters((lane) => lane.rejectedBy === undefined && !isUncertain(lane));
  const uncertain = listLetters(isUncertain);
  const uncertainText = isOnlyLane ? 'Passed through' : `Passed through to ${formatList(uncertain)}`;
  const rejectionTexts = (['marked', 'listed'] as const).flatMap((reason) => {
    const letters = listLetters((lane) => lane.rejectedBy === reason);
    if (letters.length === 0) return [];
    const [verb, pronoun] =
      letters.length === 1 ? [rejections[type][reason][0], 'it'] : [rejections[type][reason][1], 'them'];
    const names = isOnlyLane ? 'This model' : formatList(letters);
    return [`${names} ${verb}, so ${count === 1 ? noun : nounPlural} will not be sent to ${pronoun}.`];
  });
  return [
    ...(confirmed.length > 0 && !isOnlyLane ? [`Sent to ${formatList(confirmed)}.`] : []),
    ...(uncertain.length > 0 ? [`${uncertainText}; support varies.`] : []),
    ...rejectionTexts,
  ].join(' ');
}
