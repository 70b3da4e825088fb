/** Prevents the browser from leaving the page when a link or file is dropped outside a drop target. */
export function guardDrops(): void {
  const blockDrop = (event: DragEvent) => {
    const { dataTransfer, defaultPrevented } = event;
    if (defaultPrevented || !dataTransfer || insertsText(dataTransfer, event.composedPath()[0])) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', blockDrop);
  addEventListener('drop', blockDrop);
}

/**
 * Returns true if the drop inserts text, such as the URL of a link, into a field. A dropped file would replace the
 * page.
 */
function insertsText({ types }: DataTransfer, target: EventTarget | undefined): boolean {
  const isTextOnly = types.includes('text/plain') && !types.includes('Files');
  return isTextOnly && target instanceof Element && target.matches(':read-write');
}
