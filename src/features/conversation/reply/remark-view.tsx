import { clsx } from 'clsx';

import type { Turn } from '../../../conversation/session/types.ts';
import { isTooLongForField } from '../../../lib/text/field-limit.ts';
import { hasLongWord } from '../../../lib/text/long-word.ts';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { StatusLabel } from '../../../ui/display/status-label.tsx';
import { createFocusTarget, getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { X } from '../../../ui/icons.tsx';
import { anyMessage } from '../../workspace/playground-focus-targets.ts';
import { useMessageActions } from '../message/use-message-actions.ts';
import { remarkMarks } from './remark-marks.ts';

/** Button that opens the field for the note. */
const noteButton = createFocusTarget('edit note');

interface Props {
  turn: Turn;
  isEditing: boolean;
  onEditingChange: (editing: boolean) => void;
}

/** The user's mark and note on an answer. The note is saved while it is typed. */
export function RemarkView({ turn, isEditing, onEditingChange }: Props) {
  const { setRemark } = useMessageActions();
  const { mark, text } = turn.remark ?? {};
  if (mark === undefined && text === undefined && !isEditing) return null;
  const isTooLong = text !== undefined && isTooLongForField(text);
  const markInfo = mark === undefined ? undefined : remarkMarks[mark];
  return (
    <div
      className="mt-1.5 flex min-h-6 items-center gap-1.5 text-12 text-ink-2 normal-nums"
      role="group"
      aria-label="Remark"
    >
      {markInfo && (
        <StatusLabel
          tone={mark === 'good' ? 'ok' : mark === 'bad' ? 'err' : 'plain'}
          icon={<markInfo.icon aria-hidden />}
        >
          {markInfo.word}
        </StatusLabel>
      )}
      {isEditing || isTooLong ? (
        <TextArea
          variant="prose"
          className="max-w-130 flex-1"
          aria-label="Note"
          placeholder="Private note on this answer. Never sent."
          rows={1}
          dir="auto"
          autoFocus
          {...getNextFocusAttributes(noteButton, anyMessage)}
          value={text ?? ''}
          onFocus={(event) => event.currentTarget.setSelectionRange(text?.length ?? 0, text?.length ?? 0)}
          onText={(next) => setRemark(turn.id, { mark, text: next })}
          onBlur={() => onEditingChange(false)}
          onKeyDown={(event) => {
            const endsEditing = event.key === 'Escape' || (event.key === 'Enter' && !event.shiftKey);
            if (!endsEditing) return;
            event.preventDefault();
            event.stopPropagation();
            onEditingChange(false);
          }}
        />
      ) : (
        text !== undefined && (
          <ButtonElement
            type="button"
            className={clsx(
              'inline-flex min-h-6 flex-none items-center justify-center rounded-2 border border-transparent px-1.5 py-0.5',
              'text-left text-13 wrap-anywhere whitespace-pre-wrap text-ink-2 normal-nums hover:bg-hover hover:text-ink',
              'transition-[background-color,border-color] duration-(--d-1)',
            )}
            title="Edit note"
            {...noteButton.attributes}
            onClick={() => onEditingChange(true)}
          >
            <span dir="auto" className={hasLongWord(text) ? 'unbroken' : undefined}>
              {text}
            </span>
          </ButtonElement>
        )
      )}
      {(!isEditing || isTooLong) && (
        <IconButton label="Remove mark" size="small" onClick={() => setRemark(turn.id, {})}>
          <X className="icon-14" aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
