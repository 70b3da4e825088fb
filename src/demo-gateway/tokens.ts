/**
 * The demo gateway's rule of what one token is. Near to how byte-pair tokenizers cut English, so that
 * counts look familiar, and simple enough to check by hand:
 * - up to six letters of one word, with the one space before them; longer words are cut every six letters
 * - up to three digits, with the one space before them
 * - one Chinese or Japanese character
 * - one other sign, or up to four of the same sign in a row, with the one space before them
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

/** The tokens of a text in order. Joined they are the text again, character for character. */
export function splitTokens(text: string): string[] {
  return text.match(tokenPattern) ?? [];
}

/** How many tokens a text has by the rule above; 0 for the empty text. */
export function countTokens(text: string): number {
  return splitTokens(text).length;
}
