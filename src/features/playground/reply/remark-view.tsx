import { X } from 'lucide-react';

import type { Turn } from '../../../conversation/session/types.ts';
import { isTooLongForField } from '../../../lib/text/field-limit.ts';
import { hasLongWord } from '../../../lib/text/long-word.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { useMessageActions } from '../message/use-message-actions.ts';
import { marks } from './remark-marks.ts';

interface Props {
  turn: Turn;
  editing: boolean;
  onEdit: (editing: boolean) => void;
}

/** A person's mark and note on an answer, beside it. The note is kept as it is typed. */
export function RemarkView({ turn, editing, onEdit }: Props) {
  const { remark } = useMessageActions();
  const { mark, text } = turn.remark ?? {};
  if (mark === undefined && text === undefined && !editing) return null;
  const isTooLong = text !== undefined && isTooLongForField(text);
  const known = mark === undefined ? undefined : marks[mark];
  return (
    <div className="remark-row" role="group" aria-label="Remark">
      {known && (
        <span className={`st ${mark === 'good' ? 'ok' : mark === 'bad' ? 'err' : ''}`}>
          <known.icon className="i" aria-hidden />
          {known.word}
        </span>
      )}
      {editing || isTooLong ? (
        <TextArea
          className="area note-field"
          aria-label="Note"
          placeholder="Private note on this answer. It is never sent."
          rows={1}
          dir="auto"
          autoFocus
          value={text ?? ''}
          onFocus={(event) => event.currentTarget.setSelectionRange(text?.length ?? 0, text?.length ?? 0)}
          onText={(next) => remark(turn.id, { mark, text: next })}
          onBlur={() => onEdit(false)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const isEnd = event.key === 'Escape' || (event.key === 'Enter' && !event.shiftKey);
            if (!isEnd) return;
            event.preventDefault();
            event.stopPropagation();
            onEdit(false);
          }}
        />
      ) : (
        text !== undefined && (
          <Button
            look="quiet"
            size="small"
            className="note-text"
            title="Edit the note"
            onClick={() => onEdit(true)}
          >
            <span dir="auto" className={hasLongWord(text) ? 'unbroken' : undefined}>
              {text}
            </span>
          </Button>
        )
      )}
      {(!editing || isTooLong) && (
        <IconButton label="Remove mark" size="small" onClick={() => remark(turn.id, {})}>
          <X className="i s" aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
