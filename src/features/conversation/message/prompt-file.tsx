import { useMemo, useState } from 'react';

import { describeFileSize, getFileText } from '../../../conversation/request/file-blocks.ts';
import { getFileName, type FilePart } from '../../../conversation/request/message-files.ts';
import { cn } from '../../../ui/cn.ts';
import { chipVariants } from '../../../ui/display/tag.tsx';
import { lazyOverlay } from '../../../ui/hooks/lazy-component.tsx';
import { FileText } from '../../../ui/icons.tsx';
import { usePrinting } from '../use-printing.ts';

const FileViewer = lazyOverlay(
  'The file',
  async () => (await import('../../attachments/file-viewer.tsx')).FileViewer,
);

/** File in a message, which can be opened. Prints as a block with its name. */
export function PromptFile({ file }: { file: FilePart }) {
  const [isOpen, setIsOpen] = useState(false);
  const isPrinting = usePrinting();
  const name = getFileName(file);
  const size = useMemo(() => describeFileSize(file), [file]);
  if (isPrinting) {
    return (
      <figure className="m-0 w-full">
        <figcaption className="font-550">{name}</figcaption>
        <pre className="m-0 wrap-anywhere whitespace-pre-wrap [font:var(--m-12)]">{getFileText(file)}</pre>
      </figure>
    );
  }
  return (
    <>
      <button
        type="button"
        className={cn(chipVariants(), 'h-6 max-w-full hover:bg-hover')}
        title={`View ${name}`}
        onClick={() => setIsOpen(true)}
      >
        <FileText className="icon-14 flex-none" aria-hidden />
        <span className="min-w-16 truncate">{name}</span>
        <span className="truncate text-ink-3">{size}</span>
      </button>
      {isOpen && <FileViewer file={file} onClose={() => setIsOpen(false)} />}
    </>
  );
}
