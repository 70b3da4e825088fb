import type { MediaFilePart } from '../../conversation/request/message-files.ts';
import { getMediaSource, parseImageHash } from '../../conversation/request/message-images.ts';
import { formatBytes } from '../../lib/format.ts';
import { FileText, Volume2, type IconComponent } from '../../ui/icons.tsx';
import { useStoredImage } from './use-stored-image.ts';

/** Returns what a document or sound is shown with: its icon and size, and a URL to save it if it is stored here. */
export function useMediaFile(file: MediaFilePart): {
  Icon: IconComponent;
  description: string;
  objectUrl: string | undefined;
} {
  const source = getMediaSource(file);
  // Without the type of an imported file, which would make a browser open it as a page.
  const stored = useStoredImage(source, 'application/octet-stream');
  const isStored = parseImageHash(source) !== undefined;
  return {
    Icon: file.type === 'input_audio' ? Volume2 : FileText,
    description: describeSize(source, isStored ? stored : undefined),
    objectUrl: isStored && stored.state === 'here' ? stored.src : undefined,
  };
}

function describeSize(source: string, stored: ReturnType<typeof useStoredImage> | undefined): string {
  if (stored) {
    if (stored.state === 'missing') return 'No longer stored in this browser';
    return stored.state === 'here' && stored.bytes !== undefined ? formatBytes(stored.bytes) : '';
  }
  if (/^https?:/.test(source)) return 'The provider fetches this link';
  return formatBytes(Math.floor(((source.length - source.indexOf(',') - 1) * 3) / 4));
}
