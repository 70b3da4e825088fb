import { useEffect, useMemo, useState } from 'react';

import { findMediaHashes } from '../../conversation/request/message-images.ts';
import type { Message } from '../../gateway/wire.ts';
import { useSessionServices } from '../../state/contexts.tsx';

interface DownloadableImage {
  mediaType: string;
  /** Object URL for downloads; revoked on unmount. */
  objectUrl: string;
}

const noImages: ReadonlyMap<string, DownloadableImage> = new Map();

/** Returns the stored images in these messages by hash, once they are loaded; deleted images are left out. */
export function useStoredImages(messages: readonly Message[]): ReadonlyMap<string, DownloadableImage> {
  const { images } = useSessionServices();
  const hashes = useMemo(() => findMediaHashes(messages).join(' '), [messages]);
  const [storedImages, setStoredImages] = useState(noImages);
  useEffect(() => {
    if (hashes === '') return undefined;
    const objectUrls: string[] = [];
    let isUnmounted = false;
    const load = async () => {
      const results = await Promise.all(
        hashes.split(' ').map(async (hash) => [hash, await images.read(hash)] as const),
      );
      if (isUnmounted) return;
      const entries = results.flatMap(([hash, blob]): [string, DownloadableImage][] => {
        if (!blob) return [];
        const objectUrl = URL.createObjectURL(blob);
        objectUrls.push(objectUrl);
        return [[hash, { mediaType: blob.type, objectUrl }]];
      });
      setStoredImages(new Map(entries));
    };
    // If the images cannot be read, the generated code contains a guess.
    load().catch(() => undefined);
    return () => {
      isUnmounted = true;
      for (const objectUrl of objectUrls) URL.revokeObjectURL(objectUrl);
    };
  }, [images, hashes]);
  return storedImages;
}
