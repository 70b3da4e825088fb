/**
 * The files of a paste. None where words come along in two forms: office programs add a picture of the
 * words that they copy, and nobody means that one.
 */
export function getPastedFiles({ files, types }: DataTransfer): File[] {
  return types.includes('text/plain') && types.includes('text/html') ? [] : [...files];
}

/** The words of a paste as a field would take them. */
export function getPastedText(data: DataTransfer): string {
  return data.getData('text/plain').replaceAll(/\r\n?/g, '\n');
}
