const maxTitleChars = 1_000;

/**
 * Truncates long titles, which are slow to lay out, to a length that is still more than any bar can show. Never splits
 * a surrogate pair.
 */
export function getDisplayTitle(title: string): string {
  if (title.length <= maxTitleChars) return title;
  return `${title.slice(0, maxTitleChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Removes these characters from the start. A regex would be as fast; this mirrors trimEndChars. */
export function trimStartChars(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** Removes these characters from the end. A regex such as `=+$` takes quadratic time. */
export function trimEndChars(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
