import { isEqual } from 'es-toolkit';

import type { DraftImage } from '../../conversation/session/draft.ts';
import { ImageRow } from './image-row.tsx';

interface Props {
  images: readonly DraftImage[];
  onChange: (change: (images: readonly DraftImage[]) => readonly DraftImage[]) => void;
  /** Note on the target lanes, after the last image. */
  note?: string;
}

/** Images of a message, each with its size, detail and controls. */
export function Attachments({ images, onChange, note }: Props) {
  return images.map((image, index) => (
    <ImageRow
      key={`${index} ${image.original?.url ?? image.url}`}
      image={image}
      note={index === images.length - 1 ? note : undefined}
      onChange={(next) => onChange((current) => withImageReplaced(current, image, next))}
      onRemove={() => onChange((current) => withImageReplaced(current, image))}
    />
  ));
}

/** Replaces an image, compared by value because the stored images may have been reloaded since the last render. */
function withImageReplaced(images: readonly DraftImage[], image: DraftImage, ...replacements: DraftImage[]) {
  const index = images.findIndex((existing) => isEqual(existing, image));
  return index < 0 ? images : images.toSpliced(index, 1, ...replacements);
}
