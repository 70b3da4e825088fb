import { useEffect, useState } from 'react';

import { parseImageHash } from '../../../conversation/request/message-images.ts';
import type { DraftImage } from '../../../conversation/session/draft.ts';
import type { ImageStore } from '../../../state/drafts/image-store.ts';

/** Returns the images with their sizes, which messages do not store. */
export function useSizedImages(images: readonly DraftImage[], store: ImageStore): readonly DraftImage[] {
  const [sizes, setSizes] = useState<ReadonlyMap<string, { width: number; height: number }>>(new Map());
  const unsizedUrls = images.flatMap(({ url, width }) => (width === undefined ? url : [])).join(' ');
  useEffect(() => {
    let isUnmounted = false;
    const readSizes = async () => {
      for (const url of new Set(unsizedUrls.split(' '))) {
        const blob = await store.read(parseImageHash(url) ?? '');
        if (!blob || isUnmounted) continue;
        const { width, height } = await createImageBitmap(blob);
        setSizes((current) => new Map(current).set(url, { width, height }));
      }
    };
    // Images without a known size are not scaled.
    readSizes().catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [unsizedUrls, store]);
  return images.map((image) => ({ ...sizes.get(image.url), ...image }));
}
