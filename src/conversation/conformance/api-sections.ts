/** Returns the part of the API page with a section number such as `§6.3`, or the first part if none has the number. */
export function findApiSection(page: string, section: string): string {
  const [, ...parts] = page.split(/^## /m);
  const number = new RegExp(`${section.replaceAll('.', '\\.')}(?![.\\d])`);
  return `## ${(parts.find((part) => number.test(part)) ?? parts[0] ?? '').trim()}`;
}
