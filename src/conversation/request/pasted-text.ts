/** A paste that is too long to be edited in a line of its own: it goes with a message as an attachment of words. */
import { formatBytes } from '../../lib/format.ts';

const maxInlineBytes = 20_000;

/** True where a pasted text waits beside the field, and not in it: a field of many lines is slow and hides what is typed. */
export function shouldAttachPaste(pastedText: string): boolean {
  // No character has more than three bytes a unit.
  return (
    pastedText.length * 3 > maxInlineBytes &&
    pastedText.trim() !== '' &&
    countBytes(pastedText) > maxInlineBytes
  );
}

/** `Pasted text, 34 KB` */
export function getPasteLabel(pastedText: string): string {
  return `Pasted text, ${formatBytes(countBytes(pastedText))}`;
}

/** The beginning of it on one line. */
export function getPastePreview(pastedText: string): string {
  return pastedText.slice(0, 1_000).trim().replaceAll(/\s+/g, ' ').slice(0, 120);
}

/** What is sent: what was typed, then what was pasted, each apart by an empty line. */
export function joinPastedTexts(typedText: string, pastedTexts: readonly string[]): string {
  return [typedText, ...pastedTexts].filter((text) => text.trim() !== '').join('\n\n');
}

/** The same without the first that is this text. */
export function removePastedText(pastedTexts: readonly string[], text: string): readonly string[] {
  const index = pastedTexts.indexOf(text);
  return index < 0 ? pastedTexts : pastedTexts.toSpliced(index, 1);
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
