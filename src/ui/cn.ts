/** Class names for one element; what is false or absent is left out. The formatter sorts what stands in its quotes. */
export function cn(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
