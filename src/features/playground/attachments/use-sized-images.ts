import { useEffect, useState } from 'react';

import { parseImageHash } from '../../../conversation/request/message-images.ts';
import type { DraftImage } from '../../../conversation/session/draft.ts';
import type { ImageStore } from '../../../state/drafts/image-store.ts';

/** Returns the images with their sizes, which messages do not store. */
export function useSizedImages(images: readonly DraftImage[], store: ImageStore): readonly DraftImage[] {
  const [sizes, setSizes] = useState<ReadonlyMap<string, { width: number; height: number }>>(new Map());
  const unsized = images.flatMap(({ url, width }) => (width === undefined ? url : [])).join(' ');
  useEffect(() => {
    let isUnmounted = false;
    const read = async () => {
      for (const url of new Set(unsized.split(' '))) {
        const blob = await store.read(parseImageHash(url) ?? '');
        if (!blob || isUnmounted) continue;
        const { width, height } = await createImageBitmap(blob);
        setSizes((known) => new Map(known).set(url, { width, height }));
      }
    };
    // An image without a known size is not scaled.
    read().catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [unsized, store]);
  return images.map((image) => ({ ...sizes.get(image.url), ...image }));
}
