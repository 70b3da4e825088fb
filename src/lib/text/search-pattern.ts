/** Finds each of the texts in capitals and small letters, and the longest of those that begin at one place. */
export function createSearchPattern(texts: readonly string[]): RegExp {
  const longestFirst = texts.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'gi');
}
