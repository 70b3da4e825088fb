/** Gives a file to the browser to save; what is in it never leaves the page otherwise. Returns its size in bytes. */
export function saveFile(pieces: readonly BlobPart[], name: string, type: string): number {
  const blob = new Blob([...pieces], { type: `${type};charset=utf-8` });
  saveBlob(blob, name);
  return blob.size;
}

/** The same for what is not text. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
