import { escapeRegExp } from 'es-toolkit';

/** Creates a case-insensitive pattern for the texts that prefers the longest match. */
export function createSearchPattern(texts: readonly string[]): RegExp {
  const longestFirst = texts.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(escapeRegExp).join('|'), 'gi');
}
