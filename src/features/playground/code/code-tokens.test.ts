import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildCodeSnippet, type CodeLanguage } from '../../../conversation/code/code-snippet.ts';
import type { ChatRequest } from '../../../gateway/wire.ts';
import { codeTokens } from './code-tokens.ts';

const languages: readonly CodeLanguage[] = ['curl', 'python', 'typescript', 'fetch'];
const said = (content: string): ChatRequest => ({
  model: 'north/one',
  messages: [{ role: 'user', content }],
  top_k: 4,
  stream: true,
});

describe('colours of code', () => {
  it('never change a letter of it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.string({ unit: 'binary' }), (language, content) => {
        const { code } = buildCodeSnippet(language, said(content));
        const lines = codeTokens(language, code).map((line) => line.map(({ text }) => text).join(''));
        expect(`${lines.join('\n')}\n`).toBe(code);
      }),
    );
  });

  it('tell texts, numbers and comments apart', () => {
    const kinds = (language: CodeLanguage, text: string) =>
      codeTokens(language, buildCodeSnippet(language, said('# 12 not a "comment"')).code)
        .flat()
        .filter((token) => token.text.includes(text))
        .map(({ kind }) => kind);
    for (const language of languages) {
      expect(kinds(language, 'not a')).toEqual(['text']);
      expect(kinds(language, 'without /v1')).toEqual(['mark']);
      expect(kinds(language, '4')).toContain('value');
    }
  });
});
