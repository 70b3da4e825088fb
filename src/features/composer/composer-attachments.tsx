import { useMemo } from 'react';

import { isTextFile } from '../../conversation/request/message-files.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, ModelChoice } from '../../conversation/session/types.ts';
import { withModelChoice } from '../../conversation/setup/model-key.ts';
import { mediaAbilities, withModelMark } from '../../conversation/setup/model-marks.ts';
import { useAppServices, useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { AttachedFiles } from '../attachments/attached-files.tsx';
import { AttachmentLine } from '../attachments/attachment-row.tsx';
import { Attachments } from '../attachments/attachments.tsx';
import { ImageByUrl } from '../attachments/image-by-url.tsx';
import { PastedTexts } from '../attachments/pasted-texts.tsx';
import { ScaleDown } from '../attachments/scale-down.tsx';
import { countJsonBytes, useAttachmentNotes } from '../attachments/use-attachment-notes.ts';
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
  const fileBytes = useMemo(
    () => files.filter(isTextFile).reduce((sum, { text }) => sum + countJsonBytes(text), 0),
    [files],
  );
  const textBytes = fileBytes + messageText.length;
  const { getNote, warning, rejections, suitableModel } = useAttachmentNotes(
    { images, files },
    targets,
    draft.setTooLargeReason,
    textBytes,
  );
  return (
    <>
      <div className="max-h-[30vh] [scrollbar-width:thin] overflow-y-auto">
        <PastedTexts texts={draft.pasted} onEdit={draft.editPasted} onRemove={draft.removePasted} />
        <AttachedFiles
          files={files}
          onInsert={draft.insertFile}
          onRemove={draft.removeFile}
          getNote={getNote}
        />
        <Attachments images={images} onChange={changeImages} note={getNote('image_url')} />
      </div>
      {rejections.length > 0 && <RejectionFixes rejections={rejections} suitableModel={suitableModel} />}
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

type RejectionFixesProps = Pick<ReturnType<typeof useAttachmentNotes>, 'rejections' | 'suitableModel'>;

/**
 * Buttons for lanes whose models reject attachments: one switches them to a model that accepts all of them, one sends
 * documents and sounds anyway, because some gateways read them for the model.
 */
function RejectionFixes({ rejections, suitableModel }: RejectionFixesProps) {
  const { actions, session } = useSessionServices();
  const { prefs, learnedModels } = useAppServices();
  const announce = useAnnounce();
  const allLaneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const laneIds = rejections.map(({ laneId }) => laneId);
  const letters = laneIds.map((laneId) => getLaneLetter(allLaneIds.indexOf(laneId)));
  const laneSuffix = allLaneIds.length > 1 ? ` in ${formatLaneNames(letters)}` : '';
  const switchModel = (choice: ModelChoice) => {
    actions.changeSetups(laneIds, (setup) => withModelChoice(setup, choice));
    messageField.focus();
    announce(`Now using ${choice.model}${laneSuffix}. Nothing was sent.`);
  };
  const fileRejections = rejections.flatMap(({ laneId, types }) =>
    types.flatMap((type) => (type === 'image_url' ? [] : [{ laneId, ability: mediaAbilities[type] }])),
  );
  const markAsAccepting = () => {
    const lanes = getCurrentSession(session.getState())?.lanes;
    const marks = fileRejections.reduce((current, { laneId, ability }) => {
      const setup = lanes?.[laneId]?.setup;
      return setup ? withModelMark(current, learnedModels.getKey(setup), ability, true) : current;
    }, prefs.getState().modelMarks ?? {});
    prefs.setState({ modelMarks: marks });
    messageField.focus();
    announce('Marked as accepted. Nothing was sent.');
  };
  return (
    <AttachmentLine>
      {suitableModel && (
        <Button size="small" onClick={() => switchModel(suitableModel)}>
          Use {suitableModel.model}
          {laneSuffix}
        </Button>
      )}
      {fileRejections.length > 0 && (
        <Button
          size="small"
          variant="ghost"
          title="Marks the model as accepting this kind of file"
          onClick={markAsAccepting}
        >
          Send anyway
        </Button>
      )}
    </AttachmentLine>
  );
}
