import { useEffect, useRef, useState, type DragEvent } from 'react';

/** A file from a dialog or dropped on a place; `isOver` while one hangs over it. */
export function useFileChoice(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(undefined);

  useEffect(() => () => input.current?.remove(), []);

  const choose = (accept: string) => {
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
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    choose,
    dropProps: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave: () => setIsOver(false),
      onDrop: (event: DragEvent) => {
        const [file] = event.dataTransfer.files;
        if (!file) return;
        event.preventDefault();
        setIsOver(false);
        onFile(file);
      },
    },
  };
}
