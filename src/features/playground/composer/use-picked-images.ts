import { useEffect, useEffectEvent } from 'react';

import { chooseFiles } from '../../../ui/display/open-file-dialog.ts';

type Take = (files: readonly File[]) => void;

/** Of the composer on screen. */
let take: Take | undefined;

/** Asks for images; they go with the message that is being written. */
export function chooseImages(): void {
  chooseFiles('image/*', (files) => take?.(files));
}

/** Takes the images that are chosen for the message, whoever has asked for them. */
export function useChosenImages(onImages: Take): void {
  const onChosen = useEffectEvent(onImages);
  useEffect(() => {
    const own: Take = (files) => onChosen(files);
    take = own;
    return () => {
      if (take === own) take = undefined;
    };
  }, []);
}
