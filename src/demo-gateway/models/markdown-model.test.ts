import { marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';

import { createModelRequest, getReplyText } from '../../testing/demo-requests.ts';
import { countTokens } from '../tokens.ts';
import { countWords, parseRequestedLength, markdownModel } from './markdown-model.ts';

const generateDocument = (text: string, seed = 1) =>
  getReplyText(markdownModel, createModelRequest(text, { seed }));

/** Returns the types of all tokens, including nested ones. */
function collectTokenTypes(text: string): Set<string> {
  const types = new Set<string>();
  const walked = marked.walkTokens(marked.lexer(text), ({ type }: Token) => {
    types.add(type);
  });
  expect(walked.length).toBeGreaterThan(0);
  return types;
}

const everyType = [
  'heading',
  'paragraph',
  'text',
  'strong',
  'em',
  'codespan',
  'del',
  'br',
  'link',
  'image',
  'list',
  'list_item',
  'table',
  'code',
  'blockquote',
  'hr',
  'html',
  'escape',
  'def',
  'space',
  'checkbox',
];

describe('demo/markdown', () => {
  it('writes every Markdown element in a document of default length', () => {
    expect(everyType.filter((type) => !collectTokenTypes(generateDocument('Show me')).has(type))).toEqual([]);
    // Lists must not be separated by a comment that makes sense only in the source.
    expect(generateDocument('Show me')).not.toMatch(/^<!--/m);
  });

  it('writes headings of every level, nested and task lists, aligned tables and code in several languages', () => {
    const tokens = marked.lexer(generateDocument('about 3,000 words'));
    const levels = new Set(
      tokens.flatMap((token) => (token.type === 'heading' ? [Number(token['depth'])] : [])),
    );
    expect([...levels].toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6]);
    const html = marked.parser(tokens);
    expect(html).toMatch(/<ul>[\s\S]*?<ul>[\s\S]*?<ul>/);
    expect(html).toContain('<ol start="3">');
    expect(html).toContain('type="checkbox"');
    expect(html).toMatch(/align="right"[\s\S]*align="center"/);
    expect(new Set(html.match(/language-\w+/g)).size).toBeGreaterThanOrEqual(4);
    expect(html).toMatch(/<blockquote>[\s\S]*?<blockquote>[\s\S]*?<blockquote>/);
  });

  it.each([
    ['footnotes', /\[\^1\][\s\S]*\n\[\^1\]: /],
    ['inline and display mathematics', /\$e\^[\s\S]*\n\$\$\n[\s\S]*\n\$\$/],
    ['Chinese, Japanese and Korean', /\p{Script=Han}[\s\S]*\p{Script=Hiragana}[\s\S]*\p{Script=Hangul}/u],
    ['right-to-left text', /\p{Script=Arabic}[\s\S]*\p{Script=Hebrew}/u],
    ['multi-part emoji', /\p{Extended_Pictographic}\u200d/u],
    ['a hard line break with two spaces', / {2}\n/],
  ])('includes %s in a document', (_, pattern) => {
    expect(generateDocument('a document')).toMatch(pattern);
  });

  it.each([
    ['about 2,000 words', 2000],
    ['a document of 500 words', 500],
    ['3 pages', 1200],
    ['10k words', 10_000],
    ['short', 120],
    ['', 450],
    ['100 words', 100],
  ])('writes a document of the requested length: "%s"', (text, maxWords) => {
    const wordCount = countWords(generateDocument(text));
    expect(wordCount).toBeLessThanOrEqual(maxWords);
    expect(wordCount).toBeGreaterThan(maxWords * 0.85 - 10);
  });

  it('writes a document of the requested length in tokens', () => {
    const tokenCount = countTokens(generateDocument('about 2000 tokens'));
    expect(tokenCount).toBeLessThanOrEqual(2000);
    expect(tokenCount).toBeGreaterThan(1900);
  });

  it('parses lengths in several notations and limits them', () => {
    expect(parseRequestedLength('1.5k tokens')).toEqual({ count: 1500, unit: 'tokens' });
    expect(parseRequestedLength('2 paragraphs')).toEqual({ count: 120, unit: 'words' });
    expect(parseRequestedLength('999999999 words').count).toBe(200_000);
    expect(parseRequestedLength('0 words').count).toBe(1);
  });

  it('closes every fence for any seed and length', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const text = generateDocument(`${seed * 137 + 20} words`, seed);
      const fences = text.match(/^(?:> )?(?:```|~~~)/gm) ?? [];
      expect(fences.length % 2).toBe(0);
      expect((text.match(/^\$\$$/gm) ?? []).length % 2).toBe(0);
    }
  });

  it('writes the same document for the same seed and a different one for another seed', () => {
    expect(generateDocument('900 words', 3)).toBe(generateDocument('900 words', 3));
    expect(generateDocument('900 words', 3)).not.toBe(generateDocument('900 words', 4));
  });

  it('returns the document inside one JSON object in JSON mode', () => {
    const value: unknown = JSON.parse(
      getReplyText(markdownModel, createModelRequest('300 words', { isJsonMode: true })),
    );
    expect(value).toEqual({ format: 'markdown', document: generateDocument('300 words') });
  });
});
