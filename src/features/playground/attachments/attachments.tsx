import type { DraftImage } from '../../../state/drafts/images.ts';
import { ImageRow } from './image-row.tsx';

import './attachments.css';

interface Props {
  images: readonly DraftImage[];
  onChange: (change: (images: readonly DraftImage[]) => readonly DraftImage[]) => void;
  /** Where the images go, behind the last of them. */
  note?: string;
}

/** The images that go with a message: each with its size and detail, and how to change or remove it. */
export function Attachments({ images, onChange, note }: Props) {
  return images.map((image, index) => (
    <ImageRow
      key={`${index} ${image.original?.url ?? image.url}`}
      image={image}
      note={index === images.length - 1 ? note : undefined}
      onChange={(next) => onChange((known) => known.map((each) => (each === image ? next : each)))}
      onRemove={() => onChange((known) => known.filter((each) => each !== image))}
    />
  ));
}
