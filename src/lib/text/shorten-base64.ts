/** Shorter stretches may be keys or hashes that the user compares. */
const minDataChars = 400;
const previewChars = 24;

/** Shortens long stretches of base64 to their beginning and their length. */
export function shortenBase64(text: string): string {
  if (text.length < minDataChars) return text;
  // The backslash is for `\/`, as some write a slash in JSON.
  return text.replaceAll(/[A-Za-z0-9+/=_\\-]+/g, (match) => {
    const isData =
      match.length >= minDataChars && /[a-z]/.test(match) && /[A-Z]/.test(match) && /\d/.test(match);
    return isData
      ? `${match.slice(0, previewChars)}… (${match.length.toLocaleString('en')} base64 characters)`
      : match;
  });
}
