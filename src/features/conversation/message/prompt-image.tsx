import { useState } from 'react';

import type { ImagePart } from '../../../conversation/request/message-images.ts';
import { formatBytes, formatCount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/display/tag.tsx';
import { Link2 } from '../../../ui/icons.tsx';
import { ImageOff } from '../../../ui/late-icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useStoredImage } from '../../attachments/use-stored-image.ts';

/**
 * Thumbnail of an image in a message, which can be opened at full size. A remote image is represented by its host and
 * never fetched.
 */
export function PromptImage({ part, number }: { part: ImagePart; number: number }) {
  const { url, detail } = part.image_url;
  const image = useStoredImage(url);
  const [isOpen, setIsOpen] = useState(false);
  const detailText = detail === undefined ? '' : `, detail ${detail}`;
  if (image.state === 'loading')
    return (
      <span className="block max-h-27.5 min-h-6 max-w-40 min-w-6 rounded-2 ring-1 ring-line-2" aria-hidden />
    );
  if (image.state === 'missing') {
    return (
      <Chip title="This image is not stored in this browser.">
        <span className="contents" data-missing>
          <ImageOff className="icon-14" aria-hidden />
          Image {number} is missing
        </span>
      </Chip>
    );
  }
  if (image.state === 'elsewhere') {
    return (
      <Chip title={`${url}${detailText}. The provider fetches this link.`}>
        <Link2 className="icon-14" aria-hidden />
        Image from {image.host}
      </Chip>
    );
  }
  return (
    <>
      <button
        type="button"
        className="cursor-zoom-in rounded-2"
        title={`View image ${number}${detailText}`}
        onClick={() => setIsOpen(true)}
      >
        <img
          className="block max-h-27.5 min-h-6 max-w-40 min-w-6 rounded-2 object-contain ring-1 ring-line-2"
          src={image.src}
          alt={`Attachment ${number}`}
        />
      </button>
      {isOpen && (
        <PromptImageViewer
          src={image.src}
          title={`Image ${number}`}
          {...(image.bytes === undefined ? {} : { bytes: image.bytes })}
          {...(detail === undefined ? {} : { detail })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

interface Props {
  src: string;
  title: string;
  bytes?: number;
  detail?: string;
  onClose: () => void;
}

/** Image as large as fits, with its size. */
export function PromptImageViewer({ src, title, bytes, detail, onClose }: Props) {
  const [size, setSize] = useState('');
  const details = [
    size,
    bytes === undefined ? '' : formatBytes(bytes),
    detail === undefined ? '' : `detail ${detail}`,
  ];
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      note={<span className="text-ink-3">{details.filter(Boolean).join(', ')}</span>}
    >
      <img
        className="mx-auto block max-h-[70vh] max-w-full rounded-2 bg-sunken object-contain"
        src={src}
        alt={title}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(`${formatCount(naturalWidth)} × ${formatCount(naturalHeight)}`)
        }
      />
    </Dialog>
  );
}
