import { useEffect, useState } from 'react';

/** Members that React events and native events have in common. */
interface FileDragEvent {
  dataTransfer: DataTransfer | null;
  relatedTarget: EventTarget | null;
  currentTarget: EventTarget | null;
  defaultPrevented: boolean;
  preventDefault: () => void;
}

interface FileDrop {
  /** True while files are dragged over the element. */
  isDragOver: boolean;
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: FileDragEvent) => void>;
}

/** Events that a page receives only when nothing is being dragged over it. */
const endEvents = ['drop', 'dragend', 'pointermove', 'keydown'];
/**
 * Maximum silence in ms before a drag counts as cancelled. A cancelled drag may end without any event; during a drag,
 * browsers repeat their events every 350 ms.
 */
const maxSilenceMs = 1_000;

/** Accepts files dropped on an element, unless a descendant has handled the drop. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const [isDragOver, setIsDragOver] = useState(false);
  useEffect(() => {
    if (!isDragOver) return undefined;
    const endDrag = () => setIsDragOver(false);
    let timer = setTimeout(endDrag, maxSilenceMs);
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(endDrag, maxSilenceMs);
    };
    const abortController = new AbortController();
    const options = { signal: abortController.signal, capture: true };
    for (const type of endEvents) addEventListener(type, endDrag, options);
    addEventListener('dragover', restartTimer, options);
    return () => {
      clearTimeout(timer);
      abortController.abort();
    };
  }, [isDragOver]);

  const onDragFiles = (event: FileDragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setIsDragOver(true);
  };
  return {
    isDragOver,
    handlers: {
      onDragEnter: onDragFiles,
      onDragOver: onDragFiles,
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        const isInside = currentTarget instanceof Node && relatedTarget instanceof Node;
        if (!isInside || !currentTarget.contains(relatedTarget)) setIsDragOver(false);
      },
      onDrop: (event) => {
        setIsDragOver(false);
        if (!hasFiles(event) || event.defaultPrevented) return;
        event.preventDefault();
        onFiles([...(event.dataTransfer?.files ?? [])]);
      },
    },
  };
}

function hasFiles({ dataTransfer }: FileDragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
