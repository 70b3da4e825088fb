/**
 * Puts `text` in place of all that is in the field as if it was typed: undo brings the old text back. Where the
 * browser does not type for a script, the caller's own state does it without that.
 */
export function typeOver(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  field.select();
  document.execCommand('insertText', false, text);
}
