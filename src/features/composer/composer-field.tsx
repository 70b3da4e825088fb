import { clsx } from 'clsx';
import type { RefObject } from 'react';

import { shouldAttachPaste } from '../../conversation/request/pasted-text.ts';
import { useSessionServices } from '../../state/contexts.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { getPastedFiles, getPastedText, mayBeCopiedMessage } from '../attachments/pasted-files.ts';
import { editLastMessage } from '../conversation/message/edit-last-message.ts';
import { messageField } from '../workspace/playground-focus-targets.ts';
import type { ComposerDraft } from './use-composer-draft.ts';
import type { Sending } from './use-sending.ts';

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: ComposerDraft;
  sending: Sending;
  /** True if the field and the buttons share one line in a short window. */
  isCompact: boolean;
  /** True if the buttons overlay the field on phones. */
  isOneRow: boolean;
  /** Called when the field is pressed or gets text; a focus that the page gives it opens nothing. */
  onOpen: () => void;
}

/** Text field of the message, with its keys and what is pasted into it. */
export function ComposerField({ field, draft, sending, isCompact, isOneRow, onOpen }: Props) {
  const { session, view } = useSessionServices();
  const announce = useAnnounce();
  return (
    <TextArea
      ref={field}
      className={clsx(
        'block field-sizing-content min-h-9.5 resize-none text-[14px]/5.5 font-400 normal-nums outline-none',
        'max-phone:min-h-13 max-phone:text-[16px] max-phone:leading-6 max-phone:placeholder:truncate',
        isCompact
          ? 'order-1 max-h-9.5 w-0 flex-1 overflow-hidden p-2'
          : 'max-h-[40vh] w-full px-3.5 pt-2.5 pb-1 max-phone:py-3.5',
        !isCompact && (isOneRow ? 'max-phone:pr-30.5 max-phone:pl-12' : 'max-phone:px-3'),
      )}
      id="composer"
      data-region-home
      {...messageField.attributes}
      aria-label="Message"
      dir="auto"
      rows={1}
      autoFocus
      value={draft.text}
      placeholder={
        sending.pendingResults
          ? 'Add a message (optional)'
          : sending.targets.length > 1
            ? `Message ${sending.targets.length} lanes`
            : 'Write a message'
      }
      onText={(next) => {
        draft.setText(next);
        onOpen();
      }}
      onClick={onOpen}
      onPaste={(event) => {
        const files = getPastedFiles(event.clipboardData);
        const pastedText = getPastedText(event.clipboardData);
        const html = event.clipboardData.getData('text/html');
        const isCopiedMessage = files.length === 0 && mayBeCopiedMessage(pastedText, html);
        if (files.length === 0 && !isCopiedMessage && !shouldAttachPaste(pastedText)) return;
        event.preventDefault();
        if (files.length > 0) void draft.attach(files);
        else if (isCopiedMessage) void draft.pasteMessage(pastedText, html);
        else {
          draft.addPasted(pastedText);
          announce('Pasted text added as an attachment.');
        }
      }}
      {...draft.compositionHandlers}
      onKeyDown={(event) => {
        if (draft.undoByKey(event)) return;
        if (event.key === 'ArrowUp' && draft.text === '') editLastMessage({ session, view });
        if (!isSendKey(event)) return;
        event.preventDefault();
        if (!event.repeat) sending.sendByKey();
      }}
    />
  );
}

function isSendKey(event: React.KeyboardEvent): boolean {
  if (event.key !== 'Enter') return false;
  if (event.ctrlKey || event.metaKey) return true;
  const isTouch = matchMedia('(pointer: coarse) and (hover: none)').matches;
  return !event.shiftKey && !isTouch;
}
