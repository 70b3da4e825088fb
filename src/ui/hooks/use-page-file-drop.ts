import { useEffect, useEffectEvent } from 'react';

import { useFileDrop } from './use-file-drop.ts';

/**
 * Handles files dropped anywhere on the page, unless an element has handled them. Returns true while files are dragged
 * over it.
 */
export function usePageFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const { isDragOver, handlers } = useFileDrop(onFiles);
  const onDragOver = useEffectEvent((event: DragEvent) => handlers.onDragOver(event));
  const onDragLeave = useEffectEvent((event: DragEvent) => handlers.onDragLeave(event));
  const onDrop = useEffectEvent((event: DragEvent) => handlers.onDrop(event));
  useEffect(() => {
    const abortController = new AbortController();
    // The window's listener rejects unhandled drops.
    document.addEventListener('dragover', (event) => onDragOver(event), abortController);
    document.addEventListener('dragleave', (event) => onDragLeave(event), abortController);
    document.addEventListener('drop', (event) => onDrop(event), abortController);
    return () => abortController.abort();
  }, []);
  return isDragOver;
}
