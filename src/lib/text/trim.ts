const mostLettersOfTitle = 1_000;

/** As much of a title as is laid out in no time; more than any bar has room for. No letter is cut in half. */
export function shownTitle(title: string): string {
  if (title.length <= mostLettersOfTitle) return title;
  return `${title.slice(0, mostLettersOfTitle).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The text without any of these characters at its start. A regex does too, and is as fast; this one has a twin. */
export function withoutStart(text: string, characters: string): string {
  let from = 0;
  while (from < text.length && characters.includes(text.charAt(from))) from += 1;
  return text.slice(from);
}

/** The same at its end, where a regex such as `=+$` begins again at each of them and takes the square of their number. */
export function withoutEnd(text: string, characters: string): string {
  let to = text.length;
  while (to > 0 && characters.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(0, to);
}
