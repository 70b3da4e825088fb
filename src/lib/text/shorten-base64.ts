/** Minimum length in characters; shorter runs may be keys or hashes that the user compares. */
const minDataChars = 400;
const previewChars = 24;

/** Shortens long runs of base64 to their start and length. */
export function shortenBase64(text: string): string {
  if (text.length < minDataChars) return text;
  // The backslash covers `\/`, an optional JSON escape of the slash.
  return text.replaceAll(/[A-Za-z0-9+/=_\\-]+/g, (match) => {
    const isData =
      match.length >= minDataChars && /[a-z]/.test(match) && /[A-Z]/.test(match) && /\d/.test(match);
    return isData
      ? `${match.slice(0, previewChars)}… (${match.length.toLocaleString('en')} base64 characters)`
      : match;
  });
}
