/** Shorter stretches may be keys or hashes that the user compares. */
const minDataChars = 400;
const keptChars = 24;

/** Shortens long stretches of base64 to their beginning and their length. */
export function shortenBase64(text: string): string {
  if (text.length < minDataChars) return text;
  // The backslash is for `\/`, as some write a slash in JSON.
  return text.replaceAll(/[A-Za-z0-9+/=_\\-]+/g, (run) => {
    const isData = run.length >= minDataChars && /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
    return isData
      ? `${run.slice(0, keptChars)}… (${run.length.toLocaleString('en')} characters of base64)`
      : run;
  });
}
