import { useState, useEffect } from 'react';

import { parseImageHash } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { formatError } from '../../lib/format-error.ts';
import { formatCount } from '../../lib/format.ts';
import { useSessionServices } from '../../state/contexts.tsx';
import type { ImageStore } from '../../state/drafts/image-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { getNextFocusAttributes, anyTextArea } from '../../ui/focus/focus-target.ts';
import { scaledSidesPx, createScaledImage } from './image-scale.ts';

interface Props {
  images: readonly DraftImage[];
  /** Receives the scaled images, by their previous URL. */
  onScaled: (scaled: ReadonlyMap<string, DraftImage>) => void;
}

/** Button that scales images that are too large for one request to the next smaller size. */
export function ScaleDown({ images, onScaled }: Props) {
  const { images: store } = useSessionServices();
  const [problem, setProblem] = useState('');
  const [isScaling, setIsScaling] = useState(false);
  const sizedImages = useSizedImages(images, store);
  const longestSide = Math.max(0, ...sizedImages.map(getLongestSide));
  const targetSide = scaledSidesPx.find((side) => side < longestSide);
  if (targetSide === undefined) return problem;

  const scale = async () => {
    setIsScaling(true);
    setProblem('');
    try {
      const scaled = new Map<string, DraftImage>();
      // One at a time, because drawing a large image needs much memory.
      for (const image of sizedImages)
        if (getLongestSide(image) > targetSide)
          scaled.set(image.url, await createScaledImage(image, targetSide, store));
      onScaled(scaled);
    } catch (error) {
      setProblem(formatError(error));
    }
    setIsScaling(false);
  };
  return (
    <>
      <Button
        size="small"
        disabled={isScaling}
        {...getNextFocusAttributes(anyTextArea)}
        onClick={() => void scale()}
      >
        Scale to {formatCount(targetSide)} px
      </Button>
      {problem}
    </>
  );
}

function getLongestSide({ width = 0, height = 0 }: DraftImage): number {
  return Math.max(width, height);
}

/** Returns the images with their sizes, which messages do not store. */
function useSizedImages(images: readonly DraftImage[], store: ImageStore): readonly DraftImage[] {
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
