/** Asks for files by the browser's own dialog; one alone where `multiple` is false. */
export function openFileDialog(
  accept: string,
  onFiles: (files: readonly File[]) => void,
  multiple = true,
): void {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept, multiple, hidden: true });
  input.addEventListener('change', () => {
    input.remove();
    onFiles([...(input.files ?? [])]);
  });
  input.addEventListener('cancel', () => input.remove());
  // In the page, which keeps it until the dialog has closed, and hears of it.
  document.body.append(input);
  input.click();
}
