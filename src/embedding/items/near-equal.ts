/** Groups texts that differ so little that a list of them would be repetitive. */

/** Minimum length of compared texts; in shorter texts, every character counts. */
const minComparedChars = 20;
/** Minimum share of the longer text that both have in common at the beginning and end. */
const minCommonShare = 0.85;
/** Number of groups compared: near-equal texts have similar scores, so they are close in a ranking. */
const maxComparedGroups = 12;

function countCommonStart(a: string, b: string): number {
  const maxChars = Math.min(a.length, b.length);
  let count = 0;
  while (count < maxChars && a.charCodeAt(count) === b.charCodeAt(count)) count += 1;
  return count;
}

function countCommonEnd(a: string, b: string, maxChars: number): number {
  let count = 0;
  while (count < maxChars && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count))
    count += 1;
  return count;
}

/** Returns true if two texts are equal except for a few characters in one place. */
export function isNearEqual(a: string, b: string): boolean {
  const longerLength = Math.max(a.length, b.length);
  const shorterLength = Math.min(a.length, b.length);
  if (a === b) return true;
  if (shorterLength < minComparedChars || shorterLength < minCommonShare * longerLength) return false;
  const start = countCommonStart(a, b);
  return start + countCommonEnd(a, b, shorterLength - start) >= minCommonShare * longerLength;
}

/** A text in a ranking, with later texts that are nearly equal to it. Numbers are positions in the ranking. */
export interface NearEqualGroup {
  firstIndex: number;
  otherIndexes: number[];
}

/** Groups the texts of a ranking (best first), placing near-equal texts under the best of them. */
export function groupNearEqual(ranking: readonly string[]): NearEqualGroup[] {
  const groups: NearEqualGroup[] = [];
  for (const [index, text] of ranking.entries()) {
    const group = groups
      .slice(-maxComparedGroups)
      .find(({ firstIndex }) => isNearEqual(ranking[firstIndex] ?? '', text));
    if (group) group.otherIndexes.push(index);
    else groups.push({ firstIndex: index, otherIndexes: [] });
  }
  return groups;
}

/** Characters kept at the start of a text that is cut in the middle. */
const keptStartChars = 28;
/** Characters kept before the first difference. */
const keptCharsBeforeDifference = 16;

/** Cuts a text that shares its beginning with another in the middle, so that the difference stays visible. */
export function truncateMiddle(text: string, similarText: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const differenceIndex = countCommonStart(text, similarText);
  const tailStart = Math.min(
    differenceIndex - keptCharsBeforeDifference,
    text.length - (maxChars - keptStartChars),
  );
  return tailStart <= keptStartChars + 1
    ? text
    : `${text.slice(0, keptStartChars).trimEnd()} … ${text.slice(tailStart).trimStart()}`;
}
