import { useEffect, useState } from 'react';

/** Common members of React events and native events. */
interface FileDragEvent {
  dataTransfer: DataTransfer | null;
  relatedTarget: EventTarget | null;
  currentTarget: EventTarget | null;
  defaultPrevented: boolean;
  preventDefault: () => void;
}

interface FileDrop {
  /** Files are held over the part. */
  isOver: boolean;
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: FileDragEvent) => void>;
}

/** Events that a page gets only when nothing is dragged over it any more. */
const endEvents = ['drop', 'dragend', 'pointermove', 'keydown'];
/** A drag that is cancelled may end without any event. Until then browsers repeat theirs every 350 ms. */
const maxSilenceMs = 1_000;

/** Takes files that are dropped on a part, unless something in it has taken them. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!isOver) return undefined;
    const end = () => setIsOver(false);
    let timer = setTimeout(end, maxSilenceMs);
    const waitOn = () => {
      clearTimeout(timer);
      timer = setTimeout(end, maxSilenceMs);
    };
    const listening = new AbortController();
    const options = { signal: listening.signal, capture: true };
    for (const type of endEvents) addEventListener(type, end, options);
    addEventListener('dragover', waitOn, options);
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [isOver]);

  const hold = (event: FileDragEvent) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: hold,
      onDragOver: hold,
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        const isInside = currentTarget instanceof Node && relatedTarget instanceof Node;
        if (!isInside || !currentTarget.contains(relatedTarget)) setIsOver(false);
      },
      onDrop: (event) => {
        setIsOver(false);
        if (!holdsFiles(event) || event.defaultPrevented) return;
        event.preventDefault();
        onFiles([...(event.dataTransfer?.files ?? [])]);
      },
    },
  };
}

function holdsFiles({ dataTransfer }: FileDragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
