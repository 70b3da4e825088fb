/** Saves text as a download and returns its size in bytes. The content is sent nowhere. */
export function saveFile(pieces: readonly BlobPart[], name: string, type: string): number {
  const blob = new Blob([...pieces], { type: `${type};charset=utf-8` });
  saveBlob(blob, name);
  return blob.size;
}

/** Saves a file that is not text. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers start reading only after the click, so the URL is revoked later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
