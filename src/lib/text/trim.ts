const maxTitleChars = 1_000;

/** As much of a title as is laid out in no time; more than any bar can show. No letter is cut in half. */
export function getDisplayTitle(title: string): string {
  if (title.length <= maxTitleChars) return title;
  return `${title.slice(0, maxTitleChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The text without any of these characters at its start. A regex would be as fast; this mirrors trimEndChars. */
export function trimStartChars(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** The same at its end, where a regex such as `=+$` begins again at each of them and takes the square of their number. */
export function trimEndChars(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
