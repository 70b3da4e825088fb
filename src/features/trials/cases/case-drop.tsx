import { useEffect, useEffectEvent } from 'react';

import { DropHint } from '../../../ui/display/drop-hint.tsx';
import { usePageFileDrop } from '../../../ui/hooks/use-page-file-drop.ts';
import { isOverlayOpen } from '../../../ui/overlays/is-overlay-open.ts';

/** Accepts a file dropped anywhere on the page, and a file or text pasted outside of fields. */
export function CaseDrop({ onSource }: { onSource: (source: File | string) => void }) {
  const isDragOver = usePageFileDrop(([file]) => file && onSource(file));
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, defaultPrevented } = event;
    const target = event.composedPath()[0];
    const isInField = target instanceof Element && target.matches(':read-write');
    if (!clipboardData || defaultPrevented || isInField || isOverlayOpen()) return;
    // Spreadsheets also copy a picture of the rows, and file managers the name of the file as text.
    const file = [...clipboardData.files].find(({ type }) => !type.startsWith('image/'));
    const source = file ?? clipboardData.getData('text/plain');
    if (source === '') return;
    event.preventDefault();
    onSource(source);
  });
  useEffect(() => {
    const abortController = new AbortController();
    document.addEventListener('paste', (event) => onPaste(event), abortController);
    return () => abortController.abort();
  }, []);
  return isDragOver && <DropHint>Drop a file with cases here to import it</DropHint>;
}
