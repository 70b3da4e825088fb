import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildCodeSnippet, type CodeLanguage } from '../../../conversation/code/code-snippet.ts';
import type { ChatRequest } from '../../../gateway/wire.ts';
import { tokenizeCode } from './code-tokens.ts';

const languages: readonly CodeLanguage[] = ['curl', 'python', 'typescript', 'fetch'];
const createChatRequest = (content: string): ChatRequest => ({
  model: 'north/one',
  messages: [{ role: 'user', content }],
  top_k: 4,
  stream: true,
});

describe('syntax colouring', () => {
  it('preserves every character of coloured code', () => {
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.string({ unit: 'binary' }), (language, content) => {
        const { code } = buildCodeSnippet(language, createChatRequest(content));
        const lines = tokenizeCode(language, code).map((line) => line.map(({ text }) => text).join(''));
        expect(`${lines.join('\n')}\n`).toBe(code);
      }),
    );
  });

  it('distinguishes strings, numbers and comments in coloured code', () => {
    const getKinds = (language: CodeLanguage, text: string) =>
      tokenizeCode(language, buildCodeSnippet(language, createChatRequest('# 12 not a "comment"')).code)
        .flat()
        .filter((token) => token.text.includes(text))
        .map(({ kind }) => kind);
    for (const language of languages) {
      expect(getKinds(language, 'not a')).toEqual(['text']);
      expect(getKinds(language, 'without /v1')).toEqual(['mark']);
      expect(getKinds(language, '4')).toContain('value');
    }
  });
});
