/** Keeps the page open when a link or a file is dropped on a part that accepts neither: browsers would navigate to it. */
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

/** True if the drop inserts text into a field, such as the address of a link. A file would replace the page. */
function insertsText({ types }: DataTransfer, target: EventTarget | undefined): boolean {
  const isTextOnly = types.includes('text/plain') && !types.includes('Files');
  return isTextOnly && target instanceof Element && target.matches(':read-write');
}
