import { useEffect, useEffectEvent } from 'react';

import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';

type FilesHandler = (files: readonly File[]) => void;

/** Of the composer on screen. */
let currentHandler: FilesHandler | undefined;

/** Asks for images; they go with the message that is being written. */
export function openImagePicker(): void {
  openFileDialog('image/*', (files) => currentHandler?.(files));
}

/** Takes the images that are chosen for the message, whoever has asked for them. */
export function usePickedImages(onImages: FilesHandler): void {
  const onChosen = useEffectEvent(onImages);
  useEffect(() => {
    const handler: FilesHandler = (files) => onChosen(files);
    currentHandler = handler;
    return () => {
      if (currentHandler === handler) currentHandler = undefined;
    };
  }, []);
}
