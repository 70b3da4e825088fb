import { useEffect, useRef } from 'react';

import { useFileDrop } from '../../../ui/hooks/use-file-drop.ts';

/** Handles a file from a dialog or a drop; `isDragOver` is true while a file is dragged over the drop target. */
export function useFileInput(onFile: (file: File) => void) {
  const { isDragOver, handlers } = useFileDrop(([file]) => {
    if (file) onFile(file);
  });
  const input = useRef<HTMLInputElement>(undefined);

  useEffect(() => () => input.current?.remove(), []);

  const openDialog = (accept: string) => {
    const element = document.createElement('input');
    element.type = 'file';
    element.accept = accept;
    element.addEventListener('change', () => {
      const [file] = element.files ?? [];
      if (file) onFile(file);
    });
    input.current = element;
    element.click();
  };
  return { isDragOver, openDialog, dropProps: handlers };
}
