// Trojan Source: invisible characters that change how text reads, namely control characters and characters that Unicode
// draws as nothing. Excludes tabs, line ends and emoji variation selectors.
const HIDDEN_CHARACTER =
  /(?![\t\n\r\p{Variation_Selector}])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
const HIDDEN_CHARACTERS = new RegExp(HIDDEN_CHARACTER.source, 'gu');

/** A span of code: ordinary text, or one hidden character with the name to show ("U+202E"). */
type CodeSpan = { text: string; hiddenName?: string };

/** Splits code at hidden characters. The joined texts are the unchanged code. */
export function splitHiddenCharacters(code: string): CodeSpan[] {
  if (!HIDDEN_CHARACTER.test(code)) return [{ text: code }];
  const spans: CodeSpan[] = [];
  let offset = 0;
  for (const match of code.matchAll(HIDDEN_CHARACTERS)) {
    if (match.index > offset) spans.push({ text: code.slice(offset, match.index) });
    const codePoint = match[0].codePointAt(0) ?? 0;
    spans.push({ text: match[0], hiddenName: `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}` });
    offset = match.index + match[0].length;
  }
  if (offset < code.length) spans.push({ text: code.slice(offset) });
  return spans;
}

/** Counts the hidden characters in code. */
export function countHiddenCharacters(code: string): number {
  return HIDDEN_CHARACTER.test(code) ? Array.from(code.matchAll(HIDDEN_CHARACTERS)).length : 0;
}
