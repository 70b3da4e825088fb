// Trojan Source: characters that change how text reads and cannot be seen: controls and what Unicode
// says to draw nothing for. Tabs and line ends are not among them, nor the selectors that choose an emoji's look.
const HIDDEN =
  /(?![\t\n\r\p{Variation_Selector}])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu');

/** A stretch of code: ordinary text, or one hidden character with the name to show for it ("U+202E"). */
type CodeStretch = { text: string; hidden?: string };

/** Code cut at its hidden characters. The texts joined are the code, unchanged. */
export function codeStretches(code: string): CodeStretch[] {
  if (!HIDDEN.test(code)) return [{ text: code }];
  const stretches: CodeStretch[] = [];
  let from = 0;
  for (const match of code.matchAll(HIDDEN_ALL)) {
    if (match.index > from) stretches.push({ text: code.slice(from, match.index) });
    const point = match[0].codePointAt(0) ?? 0;
    stretches.push({ text: match[0], hidden: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` });
    from = match.index + match[0].length;
  }
  if (from < code.length) stretches.push({ text: code.slice(from) });
  return stretches;
}

/** How many hidden characters a code has. */
export function hiddenCount(code: string): number {
  return HIDDEN.test(code) ? Array.from(code.matchAll(HIDDEN_ALL)).length : 0;
}
