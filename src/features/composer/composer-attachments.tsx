import type { DraftImage } from '../../conversation/session/draft.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { AttachmentLine } from '../attachments/attachment-row.tsx';
import { Attachments } from '../attachments/attachments.tsx';
import { ImageByUrl } from '../attachments/image-by-url.tsx';
import { PastedTexts } from '../attachments/pasted-texts.tsx';
import { ScaleDown } from '../attachments/scale-down.tsx';
import { useImageNote } from '../attachments/use-image-note.ts';
import { VariablesTable } from '../conversation/variables-table.tsx';
import { formatLaneNames } from '../tools/format-missing-results.ts';
import { messageField } from '../workspace/playground-focus-targets.ts';

interface Props {
  /** Complete text of the message. */
  messageText: string;
  pasted: readonly string[];
  onEditPasted: (text: string) => void;
  onRemovePasted: (text: string) => void;
  images: readonly DraftImage[];
  onImagesChange: (change: (images: readonly DraftImage[]) => readonly DraftImage[]) => void;
  targets: readonly LaneId[];
  /** Receives the reason if the images are too large for one request. */
  onTooLarge: (reason: string | undefined) => void;
  isLinking: boolean;
  onLinkClose: () => void;
}

/** Attachments above the field: pasted texts, images and their target lanes, an image URL, values for {{names}}. */
export function ComposerAttachments(props: Props) {
  const { messageText, pasted, onEditPasted, onRemovePasted, images, onImagesChange, onTooLarge, targets } =
    props;
  const { isLinking, onLinkClose } = props;
  const { note, warning, lanesWithoutVision, visionModel } = useImageNote(images, targets, onTooLarge);
  return (
    <>
      <PastedTexts texts={pasted} onEdit={onEditPasted} onRemove={onRemovePasted} />
      <Attachments images={images} onChange={onImagesChange} note={note} />
      {lanesWithoutVision.length > 0 && visionModel !== undefined && (
        <SwitchToVisionModel laneIds={lanesWithoutVision} model={visionModel} />
      )}
      {warning !== undefined && (
        <AttachmentLine>
          <span className="text-warn-ink">{warning}</span>
          <ScaleDown
            images={images}
            onScaled={(scaled) =>
              onImagesChange((current) => current.map((image) => scaled.get(image.url) ?? image))
            }
          />
        </AttachmentLine>
      )}
      {isLinking && (
        <ImageByUrl
          onAdd={(image) => {
            onImagesChange((current) => [...current, image]);
            onLinkClose();
          }}
          onCancel={onLinkClose}
        />
      )}
      <VariablesTable text={messageText} laneIds={targets} />
    </>
  );
}

/** Button that switches lanes whose models reject images to a model that accepts them. */
function SwitchToVisionModel({ laneIds, model }: { laneIds: readonly LaneId[]; model: string }) {
  const { actions } = useSessionServices();
  const announce = useAnnounce();
  const allLaneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const letters = laneIds.map((laneId) => getLaneLetter(allLaneIds.indexOf(laneId)));
  const laneSuffix = allLaneIds.length > 1 ? ` in ${formatLaneNames(letters)}` : '';
  const switchModel = () => {
    actions.changeSetups(laneIds, (setup) => ({ ...setup, model }));
    messageField.focus();
    announce(`Now using ${model}${laneSuffix}. Nothing was sent.`);
  };
  return (
    <AttachmentLine>
      <Button size="small" onClick={switchModel}>
        Use {model}
        {laneSuffix}
      </Button>
    </AttachmentLine>
  );
}
