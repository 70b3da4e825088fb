import type { LaneId } from '../../../conversation/types.ts';
import type { DraftImage } from '../../../state/images.ts';
import { VariablesTable } from '../variables/variables-table.tsx';
import { Attachments } from './attachments.tsx';
import { ImageByUrl } from './image-by-url.tsx';
import { useImageNote } from './use-image-note.ts';

interface Props {
  text: string;
  images: readonly DraftImage[];
  onImages: (change: (images: readonly DraftImage[]) => readonly DraftImage[]) => void;
  targets: readonly LaneId[];
  isLinking: boolean;
  onLinked: () => void;
}

/** What stands above the words: images and where they go, an address to add, values for {{names}}. */
export function ComposerTop({ text, images, onImages, targets, isLinking, onLinked }: Props) {
  const { note, warning } = useImageNote(images, targets);
  return (
    <>
      <Attachments images={images} onChange={onImages} note={note} />
      {warning !== undefined && (
        <p className="cp-more">
          <span className="warn-text">{warning}</span>
        </p>
      )}
      {isLinking && (
        <ImageByUrl
          onAdd={(image) => {
            onImages((known) => [...known, image]);
            onLinked();
          }}
          onCancel={onLinked}
        />
      )}
      <VariablesTable text={text} laneIds={targets} />
    </>
  );
}
