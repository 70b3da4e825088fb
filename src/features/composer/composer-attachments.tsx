import { useMemo } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, ModelChoice } from '../../conversation/session/types.ts';
import { withModelChoice } from '../../conversation/setup/model-key.ts';
import { useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { AttachedFiles } from '../attachments/attached-files.tsx';
import { AttachmentLine } from '../attachments/attachment-row.tsx';
import { Attachments } from '../attachments/attachments.tsx';
import { ImageByUrl } from '../attachments/image-by-url.tsx';
import { PastedTexts } from '../attachments/pasted-texts.tsx';
import { ScaleDown } from '../attachments/scale-down.tsx';
import { countJsonBytes, useImageNote } from '../attachments/use-image-note.ts';
import { VariablesTable } from '../conversation/variables-table.tsx';
import { formatLaneNames } from '../tools/format-missing-results.ts';
import { messageField } from '../workspace/playground-focus-targets.ts';
import type { ComposerDraft } from './use-composer-draft.ts';

interface Props {
  draft: ComposerDraft;
  targets: readonly LaneId[];
  isLinking: boolean;
  onLinkClose: () => void;
  /** True while the composer is a single line, which has no space for the values of variables. */
  isCompact: boolean;
}

/** Attachments above the field: pasted texts, files, images and their target lanes, an image URL, values for {{names}}. */
export function ComposerAttachments({ draft, targets, isLinking, onLinkClose, isCompact }: Props) {
  const { files, images, changeImages } = draft;
  const { messageText } = draft;
  const fileBytes = useMemo(() => files.reduce((sum, { text }) => sum + countJsonBytes(text), 0), [files]);
  const textBytes = fileBytes + messageText.length;
  const { note, warning, lanesWithoutVision, visionModel } = useImageNote(
    images,
    targets,
    draft.setTooLargeReason,
    textBytes,
  );
  return (
    <>
      <div className="max-h-[30vh] [scrollbar-width:thin] overflow-y-auto">
        <PastedTexts texts={draft.pasted} onEdit={draft.editPasted} onRemove={draft.removePasted} />
        <AttachedFiles files={files} onInsert={draft.insertFile} onRemove={draft.removeFile} />
        <Attachments images={images} onChange={changeImages} note={note} />
      </div>
      {lanesWithoutVision.length > 0 && visionModel !== undefined && (
        <SwitchToVisionModel laneIds={lanesWithoutVision} choice={visionModel} />
      )}
      {warning !== undefined && (
        <AttachmentLine>
          <span className="text-warn-ink">{warning}</span>
          <ScaleDown
            images={images}
            onScaled={(scaled) =>
              changeImages((current) => current.map((image) => scaled.get(image.url) ?? image))
            }
          />
        </AttachmentLine>
      )}
      {isLinking && (
        <ImageByUrl
          onAdd={(image) => {
            changeImages((current) => [...current, image]);
            onLinkClose();
          }}
          onCancel={onLinkClose}
        />
      )}
      {!isCompact && <VariablesTable text={draft.messageText} laneIds={targets} />}
    </>
  );
}

interface SwitchToVisionModelProps {
  laneIds: readonly LaneId[];
  choice: ModelChoice;
}

/** Button that switches lanes whose models reject images to a model that accepts them. */
function SwitchToVisionModel({ laneIds, choice }: SwitchToVisionModelProps) {
  const { actions } = useSessionServices();
  const announce = useAnnounce();
  const allLaneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const letters = laneIds.map((laneId) => getLaneLetter(allLaneIds.indexOf(laneId)));
  const laneSuffix = allLaneIds.length > 1 ? ` in ${formatLaneNames(letters)}` : '';
  const switchModel = () => {
    actions.changeSetups(laneIds, (setup) => withModelChoice(setup, choice));
    messageField.focus();
    announce(`Now using ${choice.model}${laneSuffix}. Nothing was sent.`);
  };
  return (
    <AttachmentLine>
      <Button size="small" onClick={switchModel}>
        Use {choice.model}
        {laneSuffix}
      </Button>
    </AttachmentLine>
  );
}
