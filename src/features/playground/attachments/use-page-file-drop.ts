import { useEffect, useEffectEvent } from 'react';

import { useFileDrop } from '../../../ui/hooks/use-file-drop.ts';

/** Takes files that are dropped anywhere on the page, unless a part of it has taken them. True while files are held over it. */
export function usePageFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const { isOver, handlers } = useFileDrop(onFiles);
  const onOver = useEffectEvent((event: DragEvent) => handlers.onDragOver(event));
  const onLeave = useEffectEvent((event: DragEvent) => handlers.onDragLeave(event));
  const onDrop = useEffectEvent((event: DragEvent) => handlers.onDrop(event));
  useEffect(() => {
    const listening = new AbortController();
    // The listener of the window rejects unhandled drops.
    document.addEventListener('dragover', (event) => onOver(event), listening);
    document.addEventListener('dragleave', (event) => onLeave(event), listening);
    document.addEventListener('drop', (event) => onDrop(event), listening);
    return () => listening.abort();
  }, []);
  return isOver;
}
