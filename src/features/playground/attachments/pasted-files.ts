/**
 * Returns the files of a paste, but none if it has text in two forms: office programs add an unwanted picture of the
 * copied text.
 */
export function getPastedFiles({ files, types }: DataTransfer): File[] {
  return types.includes('text/plain') && types.includes('text/html') ? [] : [...files];
}

/** Returns the text of a paste with line breaks normalised as in a text field. */
export function getPastedText(data: DataTransfer): string {
  return data.getData('text/plain').replaceAll(/\r\n?/g, '\n');
}
