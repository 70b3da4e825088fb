import type { DraftImage } from '../../../conversation/session/draft.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { Attachments } from '../attachments/attachments.tsx';
import { ImageByUrl } from '../attachments/image-by-url.tsx';
import { PastedTexts } from '../attachments/pasted-texts.tsx';
import { useImageNote } from '../attachments/use-image-note.ts';
import { VariablesTable } from '../variables/variables-table.tsx';

interface Props {
  /** All words that the message would hold. */
  words: string;
  pasted: readonly string[];
  onEditPasted: (text: string) => void;
  onRemovePasted: (text: string) => void;
  images: readonly DraftImage[];
  onImages: (change: (images: readonly DraftImage[]) => readonly DraftImage[]) => void;
  targets: readonly LaneId[];
  isLinking: boolean;
  onLinked: () => void;
}

/** What stands above the field: pasted texts, images and where they go, an address to add, values for {{names}}. */
export function ComposerTop(props: Props) {
  const { words, pasted, onEditPasted, onRemovePasted, images, onImages, targets, isLinking, onLinked } =
    props;
  const { note, warning } = useImageNote(images, targets);
  return (
    <>
      <PastedTexts texts={pasted} onEdit={onEditPasted} onRemove={onRemovePasted} />
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
      <VariablesTable text={words} laneIds={targets} />
    </>
  );
}
