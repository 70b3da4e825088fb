import { useEffect } from 'react';

import { openFileDialog } from '../../ui/display/open-file-dialog.ts';

type FilesHandler = (files: readonly File[]) => void;

/** Handler of the visible composer. */
let currentHandler: FilesHandler | undefined;

/** Opens a file dialog; the selected images are attached to the current draft. */
export function openImagePicker(): void {
  openFileDialog('image/*', (files) => currentHandler?.(files));
}

/** Receives the selected images, whichever component opened the dialog. */
export function usePickedImages(onImages: FilesHandler): void {
  useEffect(() => {
    currentHandler = onImages;
    return () => {
      currentHandler = undefined;
    };
  });
}
