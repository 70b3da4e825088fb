/** Texts that differ in so little that a list of them would say one thing many times. */

/** Two texts that are so long or longer are compared; of shorter ones every letter counts. */
const minComparedChars = 20;
/** Of the longer text, what both have at the beginning and at the end. */
const minCommonShare = 0.85;
/** A near-equal text has nearly the same score: it stands near in a ranking. */
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

/** Whether two texts are the same but for a few letters in one place. */
export function isNearEqual(a: string, b: string): boolean {
  const longerLength = Math.max(a.length, b.length);
  const shorterLength = Math.min(a.length, b.length);
  if (a === b) return true;
  if (shorterLength < minComparedChars || shorterLength < minCommonShare * longerLength) return false;
  const start = countCommonStart(a, b);
  return start + countCommonEnd(a, b, shorterLength - start) >= minCommonShare * longerLength;
}

/** A text of a ranking with those after it that are nearly equal to it. Numbers are places in the ranking. */
export interface NearEqualGroup {
  firstIndex: number;
  otherIndexes: number[];
}

/** The texts of a ranking, best first, near-equal ones under the best of them. */
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

/** Kept of the beginning of a text that is cut in the middle. */
const keptStartChars = 28;
/** Kept before the first letter that differs. */
const keptCharsBeforeDifference = 16;

/** A text that shares its beginning with another, cut in the middle so that its own part is seen. */
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
