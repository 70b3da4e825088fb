// Trojan Source: characters that change how text reads and cannot be seen (faults.md T26). Tabs and line ends are not
// among them; U+200D joins emoji and scripts, but in code it only hides.
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\uddef]/;
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'g');

/** A stretch of code: ordinary text, or one hidden character with the name to show for it ("U+202E"). */
export type CodeStretch = { text: string; hidden?: string };

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
