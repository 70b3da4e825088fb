import { describeFileSize, getFileText } from '../../conversation/request/file-blocks.ts';
import { getFileName, type TextFilePart } from '../../conversation/request/message-files.ts';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LongText } from '../tools/long-text.tsx';

interface Props {
  file: TextFilePart;
  /** Moves the text to the message field. */
  onInsert?: () => void;
  onClose: () => void;
}

/** Text of an attached file. */
export function FileViewer({ file, onInsert, onClose }: Props) {
  const text = getFileText(file);
  return (
    <Dialog
      title={getFileName(file)}
      isWide
      onClose={onClose}
      note={<span className="text-ink-3">{describeFileSize(file)}</span>}
      footer={
        <>
          {onInsert && (
            <Button
              onClick={() => {
                onClose();
                onInsert();
              }}
            >
              Insert as text
            </Button>
          )}
          <Button onClick={() => void copyText(text)}>Copy text</Button>
        </>
      }
    >
      <pre className="m-0 wrap-anywhere whitespace-pre-wrap [font:var(--m-12)]">
        <LongText text={text} />
      </pre>
    </Dialog>
  );
}
