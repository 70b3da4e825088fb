/**
 * Returns the pasted files, but none if the paste has both plain text and HTML: office programs add an unwanted image
 * of the copied text.
 */
export function getPastedFiles({ files, types }: DataTransfer): File[] {
  return types.includes('text/plain') && types.includes('text/html') ? [] : [...files];
}

/** Returns true if the pasted text may be a message that was copied in Bench with its attachments. */
export function mayBeCopiedMessage(text: string, html: string): boolean {
  return /(?:^|\n\n)File: .+\n```/.test(text) || /data-bench-(?:images|files)/.test(html);
}

/** Returns the pasted text with line breaks normalised as in a text field. */
export function getPastedText(data: DataTransfer): string {
  return data.getData('text/plain').replaceAll(/\r\n?/g, '\n');
}
