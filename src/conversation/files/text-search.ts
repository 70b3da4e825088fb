/** Searches words in texts, ignoring case and accents, and locates the matches. */
import type { Message } from '../../gateway/wire.ts';
import { getStringProperty } from '../../lib/json.ts';
import { getFileName, isTextFile, listFiles } from '../request/message-files.ts';
import { getContentText } from '../request/request.ts';
import { getManualReply } from '../session/turn-tree.ts';
import type { Prompt, Run, Turn } from '../session/types.ts';

/** Searchable text of a session and its source. */
export interface SearchText {
  source: 'prompt' | 'answer' | 'reasoning' | 'tool call' | 'note';
  text: string;
}

/** Excerpt around a match, in pieces; pieces with `isHit` are highlighted. */
export interface Snippet {
  source: SearchText['source'];
  pieces: { text: string; isHit: boolean }[];
}

/** Returns the normalized words of a query, without duplicates. */
export function parseQueryTerms(query: string): string[] {
  return [
    ...new Set(
      normalizeForSearch(query)
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ];
}

/** Converts to lower case and removes accents. */
export function normalizeForSearch(text: string): string {
  // Shortcut for ASCII, which covers most texts and is a hundred times faster.
  if (!nonAsciiPattern.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(combiningMarks, '').toLowerCase();
}

const nonAsciiPattern = /[^\p{ASCII}]/u;
const combiningMarks = /\p{M}/gu;

/** Returns the terms that occur in the text. */
export function findMatchingTerms(text: string, terms: readonly string[]): string[] {
  const normalizedText = normalizeForSearch(text);
  return terms.filter((word) => normalizedText.includes(word));
}

export function getPromptTexts(prompt: Prompt): SearchText[] {
  return [
    ...prompt.messages.map((message): SearchText => ({
      source: 'prompt',
      text: [getContentText(message.content), ...listMediaNames(message.content)].join('\n'),
    })),
    ...(prompt.results ?? []).map((result): SearchText => ({ source: 'tool call', text: result.content })),
  ];
}

/** Returns the names of documents and sounds, whose content is not text. */
function listMediaNames(content: Message['content']): string[] {
  return listFiles(content)
    .filter((file) => !isTextFile(file))
    .map(getFileName);
}

export function getTurnTexts(turn: Turn): SearchText[] {
  const texts: SearchText[] = [];
  const manualReply = getManualReply(turn);
  if (manualReply) texts.push({ source: 'answer', text: getContentText(manualReply.content) });
  const note = getStringProperty(turn.remark, 'text');
  if (note !== undefined) texts.push({ source: 'note', text: note });
  return texts;
}

export function getRunTexts(run: Run): SearchText[] {
  return run.choices.flatMap(({ parts }) =>
    parts.flatMap((part): SearchText[] => {
      if (part.type === 'image') return [];
      if (part.type === 'tool-call') return [{ source: 'tool call', text: `${part.name} ${part.arguments}` }];
      return [{ source: part.type === 'thinking' ? 'reasoning' : 'answer', text: part.text }];
    }),
  );
}

const charsBeforeHit = 40;
const maxSnippetChars = 160;

/** Returns an excerpt around the first match, on one line, with all matches marked. */
export function buildSnippet({ source, text }: SearchText, terms: readonly string[]): Snippet {
  const excerpt = extractExcerpt(text, terms);
  const { normalizedText, getOffset } = normalizeWithOffsets(excerpt.text);
  const hitFlags = Array.from({ length: excerpt.text.length }, () => false);
  for (const term of terms) {
    for (
      let hitIndex = normalizedText.indexOf(term);
      hitIndex >= 0;
      hitIndex = normalizedText.indexOf(term, hitIndex + term.length)
    ) {
      hitFlags.fill(true, getOffset(hitIndex), getOffset(hitIndex + term.length));
    }
  }
  const pieces: Snippet['pieces'] = [];
  for (let start = 0; start < excerpt.text.length;) {
    let end = start + 1;
    while (end < excerpt.text.length && hitFlags[end] === hitFlags[start]) end += 1;
    pieces.push({ text: excerpt.text.slice(start, end), isHit: hitFlags[start] ?? false });
    start = end;
  }
  if (excerpt.isCutBefore) pieces.unshift({ text: '…', isHit: false });
  if (excerpt.isCutAfter) pieces.push({ text: '…', isHit: false });
  return { source, pieces };
}

function extractExcerpt(
  text: string,
  terms: readonly string[],
): { text: string; isCutBefore: boolean; isCutAfter: boolean } {
  const hitOffset = findFirstHit(text, terms);
  let start = Math.max(0, hitOffset - charsBeforeHit);
  // Starts at a word boundary, which also avoids splitting a surrogate pair.
  while (start > 0 && start < hitOffset && !/\s/.test(text.charAt(start - 1))) start += 1;
  const end = Math.min(text.length, start + maxSnippetChars);
  return {
    text: text.slice(start, end).replaceAll(/\s/g, ' '),
    isCutBefore: start > 0,
    isCutAfter: end < text.length,
  };
}

/** Part size in characters. Long texts are searched in parts to limit the memory of the offset map. */
const maxPartChars = 50_000;

function findFirstHit(text: string, terms: readonly string[]): number {
  const overlap = Math.max(0, ...terms.map((word) => word.length)) * 2;
  for (let start = 0; start < text.length; start += maxPartChars) {
    const part = text.slice(start, start + maxPartChars + overlap);
    if (findMatchingTerms(part, terms).length === 0) continue;
    const { normalizedText, getOffset } = normalizeWithOffsets(part);
    const hitIndexes = terms.map((word) => normalizedText.indexOf(word)).filter((index) => index >= 0);
    return start + getOffset(Math.min(...hitIndexes));
  }
  return 0;
}

/** Returns the normalized text and a function that maps its offsets, including the end, to the original text. */
export function normalizeWithOffsets(text: string): {
  normalizedText: string;
  getOffset: (index: number) => number;
} {
  if (!nonAsciiPattern.test(text)) return { normalizedText: text.toLowerCase(), getOffset: (index) => index };
  let normalizedText = '';
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    const normalizedChar = normalizeForSearch(character);
    for (let count = 0; count < normalizedChar.length; count += 1) offsets.push(offset);
    normalizedText += normalizedChar;
    offset += character.length;
  }
  return { normalizedText, getOffset: (index) => offsets[index] ?? text.length };
}
