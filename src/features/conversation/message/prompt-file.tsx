import { useMemo, useState } from 'react';

import { describeFileSize, getFileText } from '../../../conversation/request/file-blocks.ts';
import {
  getFileName,
  getOriginalName,
  isTextFile,
  type FilePart,
  type MediaFilePart,
  type TextFilePart,
} from '../../../conversation/request/message-files.ts';
import { cn } from '../../../ui/cn.ts';
import { chipVariants } from '../../../ui/display/tag.tsx';
import { lazyOverlay } from '../../../ui/hooks/lazy-component.tsx';
import { FileText } from '../../../ui/icons.tsx';
import { useMediaFile } from '../../attachments/use-media-file.ts';
import { usePrinting } from '../use-printing.ts';

const FileViewer = lazyOverlay(
  'The file',
  async () => (await import('../../attachments/file-viewer.tsx')).FileViewer,
);

/** File in a message: a text file can be opened, another one saved. */
export function PromptFile({ file }: { file: FilePart }) {
  return isTextFile(file) ? <PromptTextFile file={file} /> : <PromptMediaFile file={file} />;
}

const fileChipClasses = cn(chipVariants(), 'h-6 max-w-full');

/** Name of a file, in which Find marks its hits, with its size. */
function FileLabel({ name, size }: { name: string; size: string }) {
  return (
    <>
      <span className="min-w-16 truncate" data-text-kind="prompt">
        {name}
      </span>
      <span className="truncate text-ink-3">{size}</span>
    </>
  );
}

function PromptMediaFile({ file }: { file: MediaFilePart }) {
  const { Icon, description, objectUrl } = useMediaFile(file);
  const name = getFileName(file);
  const content = (
    <>
      <Icon className="icon-14 flex-none" aria-hidden />
      <FileLabel name={name} size={description} />
    </>
  );
  if (objectUrl === undefined) return <span className={fileChipClasses}>{content}</span>;
  return (
    <a
      className={cn(fileChipClasses, 'hover:bg-hover')}
      href={objectUrl}
      download={getOriginalName(file)}
      title={`Save ${name}`}
    >
      {content}
    </a>
  );
}

/** Prints as a block with its name. */
function PromptTextFile({ file }: { file: TextFilePart }) {
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
        className={cn(fileChipClasses, 'hover:bg-hover')}
        title={`View ${name}`}
        onClick={() => setIsOpen(true)}
      >
        <FileText className="icon-14 flex-none" aria-hidden />
        <FileLabel name={name} size={size} />
      </button>
      {isOpen && <FileViewer file={file} onClose={() => setIsOpen(false)} />}
    </>
  );
}
