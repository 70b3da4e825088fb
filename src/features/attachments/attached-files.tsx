import { useMemo, useState } from 'react';

import { describeFileSize, getFileText } from '../../conversation/request/file-blocks.ts';
import {
  getFileName,
  getOriginalName,
  isTextFile,
  type FilePart,
  type MediaFilePart,
  type TextFilePart,
} from '../../conversation/request/message-files.ts';
import type { MediaType } from '../../conversation/request/message-images.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FileText } from '../../ui/icons.tsx';
import { AttachmentRow, RemoveAttachmentButton } from './attachment-row.tsx';
import { FileViewer } from './file-viewer.tsx';
import { useMediaFile } from './use-media-file.ts';

interface Props {
  files: readonly FilePart[];
  /** Called with the text of the file, without blank lines at its end. */
  onInsert: (file: FilePart, text: string) => void;
  onRemove: (file: FilePart) => void;
  /** Returns a note on the lanes that receive a document or sound. */
  getNote?: (type: MediaType) => string;
}

/**
 * Files attached to a message, each with its size and an action to remove it. Text files can be viewed or inserted, and
 * the note of other files says which lanes receive them.
 */
export function AttachedFiles({ files, onInsert, onRemove, getNote }: Props) {
  return files.map((file, index) => {
    const key = `${index} ${getOriginalName(file)}`;
    if (!isTextFile(file))
      return (
        <MediaFileRow
          key={key}
          file={file}
          note={getNote?.(file.type) ?? ''}
          onRemove={() => onRemove(file)}
        />
      );
    return (
      <TextFileRow
        key={key}
        file={file}
        onInsert={() => onInsert(file, getFileText(file).replaceAll(/\r\n?/g, '\n').trimEnd())}
        onRemove={() => onRemove(file)}
      />
    );
  });
}

interface MediaFileRowProps {
  file: MediaFilePart;
  note: string;
  onRemove: () => void;
}

function MediaFileRow({ file, note, onRemove }: MediaFileRowProps) {
  const name = getFileName(file);
  const { Icon, description } = useMediaFile(file);
  return (
    <AttachmentRow
      label={name}
      thumb={<Icon className="icon-14" aria-hidden />}
      name={name}
      title={getOriginalName(file)}
      note={[description, note].filter(Boolean).join('. ')}
    >
      <RemoveAttachmentButton label={`Remove ${name}`} onRemove={onRemove} />
    </AttachmentRow>
  );
}

interface TextFileRowProps {
  file: TextFilePart;
  onInsert: () => void;
  onRemove: () => void;
}

function TextFileRow({ file, onInsert, onRemove }: TextFileRowProps) {
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
      title={getOriginalName(file)}
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
      <RemoveAttachmentButton label={`Remove ${name}`} onRemove={onRemove} />
      {isOpen && (
        <FileViewer file={file} onClose={() => setIsOpen(false)} {...(isTooLong ? {} : { onInsert })} />
      )}
    </AttachmentRow>
  );
}
