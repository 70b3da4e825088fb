import { useEffect, useEffectEvent, useState } from 'react';

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Takes files that are dropped anywhere on the page, unless something there has taken them: the browser
 * would leave the page to show them. True while files are held over it.
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setIsOver(false);
    const onDrop = (event: DragEvent) => {
      setIsOver(false);
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    };
    const over = new AbortController();
    addEventListener('dragover', onOver, over);
    addEventListener('dragleave', onLeave, over);
    addEventListener('drop', onDrop, over);
    return () => over.abort();
  }, []);
  return isOver;
}
