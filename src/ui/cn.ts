/** Joins class names, leaving out false and undefined. The formatter sorts the class names in its string arguments. */
export function cn(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
