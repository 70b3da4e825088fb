import { useRef, useState, type DragEvent } from 'react';

/** Files dropped anywhere on an element, and whether some are held over it now. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  // Every child that the pointer crosses enters and leaves, too.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const over = (step: number) => {
    depth.current = Math.max(0, depth.current + step);
    setIsOver(depth.current > 0);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && over(1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && over(-1),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        over(-depth.current);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
