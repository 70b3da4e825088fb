import { useMemo, useState } from 'react';

import { describeFileSize, getFileText } from '../../conversation/request/file-blocks.ts';
import { getFileName, type FilePart } from '../../conversation/request/message-files.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { createFocusTarget, getNextFocusAttributes, anyTextArea } from '../../ui/focus/focus-target.ts';
import { FileText, X } from '../../ui/icons.tsx';
import { AttachmentRow } from './attachment-row.tsx';
import { FileViewer } from './file-viewer.tsx';

const removeButton = createFocusTarget('remove file');

interface Props {
  files: readonly FilePart[];
  /** Called with the text of the file, without blank lines at its end. */
  onInsert: (file: FilePart, text: string) => void;
  onRemove: (file: FilePart) => void;
}

/** Text files attached to a message, each with its size, and actions to view, insert or remove it. */
export function AttachedFiles({ files, onInsert, onRemove }: Props) {
  return files.map((file, index) => (
    <FileRow
      key={`${index} ${file.file.name}`}
      file={file}
      onInsert={() => onInsert(file, getFileText(file).replaceAll(/\r\n?/g, '\n').trimEnd())}
      onRemove={() => onRemove(file)}
    />
  ));
}

interface FileRowProps {
  file: FilePart;
  onInsert: () => void;
  onRemove: () => void;
}

function FileRow({ file, onInsert, onRemove }: FileRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = getFileName(file);
  const { size, isTooLong } = useMemo(
    () => ({ size: describeFileSize(file), isTooLong: isTooLongForField(getFileText(file)) }),
    [file],
  );
  return (
    <AttachmentRow
      label={name}
      thumb={<FileText className="icon-14" aria-hidden />}
      name={name}
      title={file.file.name}
      note={size}
      isOneLine
    >
      <Button variant="ghost" size="small" onClick={() => setIsOpen(true)}>
        View
      </Button>
      <Button
        variant="ghost"
        size="small"
        className="max-phone:hidden"
        disabled={isTooLong}
        title={isTooLong ? 'Too long to edit here. Sent unchanged.' : 'Move to the message field'}
        onClick={onInsert}
      >
        Insert as text
      </Button>
      <IconButton
        label={`Remove ${name}`}
        size="small"
        {...removeButton.attributes}
        {...getNextFocusAttributes(removeButton, anyTextArea)}
        onClick={onRemove}
      >
        <X className="icon-14" aria-hidden />
      </IconButton>
      {isOpen && (
        <FileViewer file={file} onClose={() => setIsOpen(false)} {...(isTooLong ? {} : { onInsert })} />
      )}
    </AttachmentRow>
  );
}
