import { useEffect } from 'react';

import { openFileDialog } from '../../ui/display/open-file-dialog.ts';

type FilesHandler = (files: readonly File[]) => void;

/** Handler of the visible composer. */
let currentHandler: FilesHandler | undefined;

/** Opens a file dialog; the selected files are attached to the current draft. */
export function openAttachmentPicker(): void {
  openFileDialog('', (files) => currentHandler?.(files));
}

/** Receives the selected files, whichever component opened the dialog. */
export function usePickedFiles(onFiles: FilesHandler): void {
  useEffect(() => {
    currentHandler = onFiles;
    return () => {
      currentHandler = undefined;
    };
  });
}
