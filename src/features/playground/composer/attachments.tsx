import { X } from 'lucide-react';
import { formatBytes } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { AttachedImage } from './read-images.ts';

/** The images that go with the next message. */
export function Attachments({ images, onRemove }: { images: readonly AttachedImage[]; onRemove: (id: number) => void }) {
  return images.map((image) => (
    <div className="att" key={image.id}>
      <img className="th" src={image.url} alt="" />
      <p>
        <b>{image.name}</b> {formatBytes(image.bytes)}
      </p>
      <span className="grow" />
      <IconButton label="Remove image" size="small" onClick={() => onRemove(image.id)}>
        <X className="i s" aria-hidden />
      </IconButton>
    </div>
  ));
}
