import { useState } from 'react';

import type { DraftImage } from '../../../conversation/session/draft.ts';
import { formatError } from '../../../lib/format-error.ts';
import { formatCount } from '../../../lib/format.ts';
import { useSessionServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { getNextFocusAttributes, anyTextArea } from '../../../ui/focus/focus-target.ts';
import { scaledSidesPx, createScaledImage } from './image-scale.ts';
import { useSizedImages } from './use-sized-images.ts';

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
    if (isScaling) return;
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
        aria-disabled={isScaling}
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
