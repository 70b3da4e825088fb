// faults.md T20: `[a]` has a whole address drawn, and a definition may be long: three letters for many thousands.
const MOST_REPEATED = 50_000_000;

/** How much the use of a reference adds to what is drawn. */
export function lengthOf({ href, title }: { href: string; title?: string | null | undefined }): number {
  return href.length + (title?.length ?? 0);
}

/** Each of them may be the use of a reference. */
export function closingBracketsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(']'); at >= 0; at = text.indexOf(']', at + 1)) count += 1;
  return count;
}

/** True where references may multiply their addresses to more than a page should have to hold. */
export function repeatsTooMuch(longestAddress: number, closingBrackets: number): boolean {
  return longestAddress * closingBrackets > MOST_REPEATED;
}
