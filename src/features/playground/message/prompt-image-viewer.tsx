import { useState } from 'react';

import { formatBytes, formatCount } from '../../../lib/format.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';

interface Props {
  src: string;
  title: string;
  bytes?: number;
  detail?: string;
  onClose: () => void;
}

/** An image as large as there is room, with its size. */
export function PromptImageViewer({ src, title, bytes, detail, onClose }: Props) {
  const [size, setSize] = useState('');
  const facts = [
    size,
    bytes === undefined ? '' : formatBytes(bytes),
    detail === undefined ? '' : `detail ${detail}`,
  ];
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      note={<span className="mut">{facts.filter(Boolean).join(', ')}</span>}
    >
      <img
        className="photo-full"
        src={src}
        alt={title}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(`${formatCount(naturalWidth)} × ${formatCount(naturalHeight)}`)
        }
      />
    </Dialog>
  );
}
