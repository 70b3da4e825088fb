import type { CodeLanguage } from '../../../conversation/code/code-snippet.ts';

/** A stretch of a line of code, for its colour. */
export interface CodeToken {
  kind: 'plain' | 'key' | 'text' | 'value' | 'word' | 'mark';
  text: string;
}

const quoted = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const text = String.raw`${quoted}|${'`'}[^${'`'}]*${'`'}|'[^']*'`;
const words: Record<CodeLanguage, string> = {
  curl: 'curl|base64|tr',
  python: 'import|from|for|in|if|or|print|True|False|None',
  typescript: 'import|from|const|new|await|for|of|if|throw|true|false|null',
  fetch: 'import|from|const|let|new|await|for|of|if|throw|continue|true|false|null',
};
const comments: Record<CodeLanguage, string> = {
  curl: '#.*',
  python: '#.*',
  typescript: String.raw`//.*`,
  fetch: String.raw`//.*`,
};

/** Longer lines are one long text, which colours would not make clearer. */
const longestLine = 20_000;

/** The lines of generated code, each in its stretches; joined they are the code. No literal goes over a line. */
export function codeTokens(language: CodeLanguage, code: string): CodeToken[][] {
  const token = new RegExp(
    [
      `(?<mark>^\\s*${comments[language]})`,
      `(?<key>${quoted}(?=:)|\\b[A-Za-z_]\\w*(?=[=:]\\s?[^=\\s]))`,
      `(?<text>${text})`,
      String.raw`(?<value>(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)`,
      `(?<word>\\b(?:${words[language]})\\b)`,
    ].join('|'),
    'g',
  );
  return code
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => tokensOf(line, token));
}

function tokensOf(line: string, token: RegExp): CodeToken[] {
  if (line.length > longestLine) return [{ kind: 'plain', text: line }];
  const found: CodeToken[] = [];
  let end = 0;
  for (const match of line.matchAll(token)) {
    if (match.index > end) found.push({ kind: 'plain', text: line.slice(end, match.index) });
    const { mark, key, text: said, value } = match.groups ?? {};
    const kind =
      mark !== undefined
        ? 'mark'
        : key !== undefined
          ? 'key'
          : said !== undefined
            ? 'text'
            : value !== undefined
              ? 'value'
              : 'word';
    found.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length || found.length === 0) found.push({ kind: 'plain', text: line.slice(end) });
  return found;
}
