/**
 * Opens the browser's file dialog and passes the chosen files to the callback; only one file if `multiple` is false.
 */
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
  // The input must be in the page until the dialog closes, or its change event is lost.
  document.body.append(input);
  input.click();
}
