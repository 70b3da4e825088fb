import { useEffect, useMemo, useState } from 'react';

import { findImageHashes } from '../../../conversation/request/message-images.ts';
import type { Message } from '../../../gateway/wire.ts';
import { usePlayground } from '../../../state/use-playground.tsx';

interface StoredImage {
  mediaType: string;
  /** To save it under; gone when the view is. */
  address: string;
}

const noImages: ReadonlyMap<string, StoredImage> = new Map();

/** The stored images that these messages refer to, by hash, as soon as they are read; those that are gone are left out. */
export function useStoredImages(messages: readonly Message[]): ReadonlyMap<string, StoredImage> {
  const { images } = usePlayground();
  const hashes = useMemo(() => findImageHashes(messages).join(' '), [messages]);
  const [storedImages, setStoredImages] = useState(noImages);
  useEffect(() => {
    if (hashes === '') return undefined;
    const addresses: string[] = [];
    let isUnmounted = false;
    const load = async () => {
      const results = await Promise.all(
        hashes.split(' ').map(async (hash) => [hash, await images.read(hash)] as const),
      );
      if (isUnmounted) return;
      const entries = results.flatMap(([hash, blob]): [string, StoredImage][] => {
        if (!blob) return [];
        const address = URL.createObjectURL(blob);
        addresses.push(address);
        return [[hash, { mediaType: blob.type, address }]];
      });
      setStoredImages(new Map(entries));
    };
    // Where they cannot be read, the code says what it guesses.
    load().catch(() => undefined);
    return () => {
      isUnmounted = true;
      for (const address of addresses) URL.revokeObjectURL(address);
    };
  }, [images, hashes]);
  return storedImages;
}
