/** Handles long pasted texts, which are attached to the message instead of being inserted into the text field. */
import { formatBytes } from '../../lib/format.ts';

const maxInlineBytes = 20_000;

/** Returns true if a paste should be attached, because a field with many lines is slow and hides typed text. */
export function shouldAttachPaste(pastedText: string): boolean {
  // A UTF-16 unit takes at most three bytes.
  return (
    pastedText.length * 3 > maxInlineBytes &&
    pastedText.trim() !== '' &&
    countBytes(pastedText) > maxInlineBytes
  );
}

/** Returns a label such as `Pasted text, 34 KB`. */
export function getPasteLabel(pastedText: string): string {
  return `Pasted text, ${formatBytes(countBytes(pastedText))}`;
}

/** Returns the start of the text on one line. */
export function getPastePreview(pastedText: string): string {
  return pastedText.slice(0, 1_000).trim().replaceAll(/\s+/g, ' ').slice(0, 120);
}

/** Joins typed and pasted texts with blank lines, as in the sent message. */
export function joinPastedTexts(typedText: string, pastedTexts: readonly string[]): string {
  return [typedText, ...pastedTexts].filter((text) => text.trim() !== '').join('\n\n');
}

/** Removes the first pasted text that equals `text`. */
export function removePastedText(pastedTexts: readonly string[], text: string): readonly string[] {
  const index = pastedTexts.indexOf(text);
  return index < 0 ? pastedTexts : pastedTexts.toSpliced(index, 1);
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
