/** Texts that differ in so little that a list of them would say one thing many times. */

/** Two texts that are so long or longer are compared; of shorter ones every letter counts. */
const leastLength = 20;
/** Of the longer text, what both have at the beginning and at the end. */
const leastShare = 0.85;
/** A near-equal text has nearly the same score: it stands near in a ranking. */
const lookedBack = 12;

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function commonEnd(one: string, other: string, most: number): number {
  let at = 0;
  while (at < most && one.charCodeAt(one.length - 1 - at) === other.charCodeAt(other.length - 1 - at))
    at += 1;
  return at;
}

/** Whether two texts are the same but for a few letters in one place. */
export function isNearEqual(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  const shorter = Math.min(one.length, other.length);
  if (one === other) return true;
  if (shorter < leastLength || shorter < leastShare * longer) return false;
  const start = commonStart(one, other);
  return start + commonEnd(one, other, shorter - start) >= leastShare * longer;
}

/** A text of a ranking with those after it that are nearly equal to it. Numbers are places in the ranking. */
export interface NearEqualGroup {
  first: number;
  others: number[];
}

/** The texts of a ranking, best first, near-equal ones under the best of them. */
export function nearEqualGroups(ranking: readonly string[]): NearEqualGroup[] {
  const groups: NearEqualGroup[] = [];
  for (const [place, text] of ranking.entries()) {
    const group = groups.slice(-lookedBack).find(({ first }) => isNearEqual(ranking[first] ?? '', text));
    if (group) group.others.push(place);
    else groups.push({ first: place, others: [] });
  }
  return groups;
}

/** Kept of the beginning of a text that is cut in the middle. */
const keptStart = 28;
/** Kept before the first letter that differs. */
const keptBefore = 16;

/** A text that shares its beginning with another, cut in the middle so that its own part is seen. */
export function cutInMiddle(text: string, like: string, most: number): string {
  if (text.length <= most) return text;
  const differs = commonStart(text, like);
  const from = Math.min(differs - keptBefore, text.length - (most - keptStart));
  return from <= keptStart + 1
    ? text
    : `${text.slice(0, keptStart).trimEnd()} … ${text.slice(from).trimStart()}`;
}
