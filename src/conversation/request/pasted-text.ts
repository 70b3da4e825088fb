/** A paste that is too long to be edited in a line of its own: it goes with a message as an attachment of words. */
import { formatBytes } from '../../lib/format.ts';

const mostBytesInField = 20_000;

/** True where a pasted text waits beside the field, and not in it: a field of many lines is slow and hides what is typed. */
export function waitsBesideField(pasted: string): boolean {
  // No character has more than three bytes a unit.
  return pasted.length * 3 > mostBytesInField && pasted.trim() !== '' && bytesOf(pasted) > mostBytesInField;
}

/** `Pasted text, 34 KB` */
export function pastedName(pasted: string): string {
  return `Pasted text, ${formatBytes(bytesOf(pasted))}`;
}

/** The beginning of it on one line. */
export function firstWordsOf(pasted: string): string {
  return pasted.slice(0, 1_000).trim().replaceAll(/\s+/g, ' ').slice(0, 120);
}

/** What is sent: what was typed, then what was pasted, each apart by an empty line. */
export function withPasted(typed: string, pasted: readonly string[]): string {
  return [typed, ...pasted].filter((text) => text.trim() !== '').join('\n\n');
}

/** The same without the first that is this text. */
export function withoutPasted(pasted: readonly string[], text: string): readonly string[] {
  const at = pasted.indexOf(text);
  return at < 0 ? pasted : pasted.toSpliced(at, 1);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
