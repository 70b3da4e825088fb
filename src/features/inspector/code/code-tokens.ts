import type { CodeLanguage } from '../../../conversation/code/code-snippet.ts';

/** Token of a line of code, for syntax colouring. */
export interface CodeToken {
  kind: 'plain' | 'key' | 'text' | 'value' | 'word' | 'mark';
  text: string;
}

const quotedPattern = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const textPattern = String.raw`${quotedPattern}|${'`'}[^${'`'}]*${'`'}|'[^']*'`;
const keywordPatterns: Record<CodeLanguage, string> = {
  curl: 'curl|base64|tr',
  python: 'import|from|for|in|if|or|print|True|False|None',
  typescript: 'import|from|const|new|await|for|of|if|throw|true|false|null',
  fetch: 'import|from|const|let|new|await|for|of|if|throw|continue|true|false|null',
};
const commentPatterns: Record<CodeLanguage, string> = {
  curl: '#.*',
  python: '#.*',
  typescript: String.raw`//.*`,
  fetch: String.raw`//.*`,
};

/** Maximum length of a coloured line; longer ones are mostly a single string. */
const maxLineChars = 20_000;

/** Splits generated code into tokens per line, without losing characters. Literals never span several lines. */
export function tokenizeCode(language: CodeLanguage, code: string): CodeToken[][] {
  const tokenPattern = new RegExp(
    [
      `(?<mark>^\\s*${commentPatterns[language]})`,
      `(?<key>${quotedPattern}(?=:)|\\b[A-Za-z_]\\w*(?=[=:]\\s?[^=\\s]))`,
      `(?<text>${textPattern})`,
      String.raw`(?<value>(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)`,
      `(?<word>\\b(?:${keywordPatterns[language]})\\b)`,
    ].join('|'),
    'g',
  );
  return code
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => tokenizeLine(line, tokenPattern));
}

function tokenizeLine(line: string, tokenPattern: RegExp): CodeToken[] {
  if (line.length > maxLineChars) return [{ kind: 'plain', text: line }];
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of line.matchAll(tokenPattern)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: line.slice(end, match.index) });
    const { mark, key, text: quotedGroup, value } = match.groups ?? {};
    const kind =
      mark !== undefined
        ? 'mark'
        : key !== undefined
          ? 'key'
          : quotedGroup !== undefined
            ? 'text'
            : value !== undefined
              ? 'value'
              : 'word';
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length || tokens.length === 0) tokens.push({ kind: 'plain', text: line.slice(end) });
  return tokens;
}
