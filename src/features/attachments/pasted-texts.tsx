import { useMemo } from 'react';

import { getPastePreview, getPasteLabel } from '../../conversation/request/pasted-text.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { getNextFocusAttributes, anyTextArea } from '../../ui/focus/focus-target.ts';
import { FileText } from '../../ui/icons.tsx';
import { AttachmentRow } from './attachment-row.tsx';

interface Props {
  texts: readonly string[];
  onEdit: (text: string) => void;
  onRemove: (text: string) => void;
}

/** Long texts attached to a message, each with its size, its first words, and actions to edit or remove it. */
export function PastedTexts({ texts, onEdit, onRemove }: Props) {
  return texts.map((text, index) => (
    <PastedText
      key={`${index} ${text.length}`}
      text={text}
      onEdit={() => onEdit(text)}
      onRemove={() => onRemove(text)}
    />
  ));
}

interface PastedTextProps {
  text: string;
  onEdit: () => void;
  onRemove: () => void;
}

function PastedText({ text, onEdit, onRemove }: PastedTextProps) {
  const { name, preview, isTooLong } = useMemo(
    () => ({ name: getPasteLabel(text), preview: getPastePreview(text), isTooLong: isTooLongForField(text) }),
    [text],
  );
  return (
    <AttachmentRow
      label={name}
      thumb={<FileText className="icon-14" aria-hidden />}
      name={name}
      note={<span dir="auto">{preview}</span>}
      isOneLine
    >
      <Button
        variant="ghost"
        size="small"
        disabled={isTooLong}
        title={isTooLong ? 'Too long to edit here. Sent unchanged.' : 'Move to the message field'}
        onClick={onEdit}
      >
        Edit
      </Button>
      <Button variant="ghost" size="small" {...getNextFocusAttributes(anyTextArea)} onClick={onRemove}>
        Remove
      </Button>
    </AttachmentRow>
  );
}
