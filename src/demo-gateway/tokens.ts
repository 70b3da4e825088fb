/**
 * Token rule of the demo gateway: close to byte-pair tokenizers for English, so that counts look familiar, and simple
 * enough to check by hand.
 * - up to six letters of one word, with a single preceding space; longer words are split every six letters
 * - up to three digits, with a single preceding space
 * - one Chinese or Japanese character
 * - one other symbol, or up to four of the same symbol in a row, with a single preceding space
 * - a run of line breaks, a run of further spaces, or a run of other white space
 */
const ideograph = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
const tokenPattern = new RegExp(
  [
    ` ?${ideograph}`,
    ` ?(?:(?!${ideograph})[\\p{L}\\p{M}]){1,6}`,
    ` ?\\p{N}{1,3}`,
    ` ?([^\\s\\p{L}\\p{M}\\p{N}])\\1{0,3}`,
    `[\\r\\n]+`,
    ` +`,
    `[^\\S \\r\\n]+`,
  ].join('|'),
  'gu',
);

/** Splits a text into tokens. Joining them restores the exact text. */
export function splitTokens(text: string): string[] {
  return text.match(tokenPattern) ?? [];
}

/** Counts the tokens of a text; 0 for an empty text. */
export function countTokens(text: string): number {
  return splitTokens(text).length;
}
