/** Words in texts: without case and accents, since nobody types them into a search, and where they stand. */
import { getStringProperty } from '../../lib/json.ts';
import { textOfContent } from '../request/request.ts';
import { writtenOf } from '../session/turn-tree.ts';
import type { Prompt, Run, Turn } from '../session/types.ts';

/** One text of a session with who said it. */
export interface SearchText {
  who: 'prompt' | 'answer' | 'reasoning' | 'tool call' | 'note';
  text: string;
}

/** A stretch of text around what was found; `hits` are the stretches to mark, in order. */
export interface Snippet {
  who: SearchText['who'];
  pieces: { text: string; hit: boolean }[];
}

/** The words of a query, each once, folded. */
export function wordsOfQuery(query: string): string[] {
  return [
    ...new Set(
      folded(query)
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ];
}

/** Without case and accents. */
export function folded(text: string): string {
  // Most texts need no more, and this is a hundred times as fast.
  if (!hasOther.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(marks, '').toLowerCase();
}

const hasOther = /[^\p{ASCII}]/u;
const marks = /\p{M}/gu;

/** The words among these that the text holds. */
export function wordsIn(text: string, words: readonly string[]): string[] {
  const inside = folded(text);
  return words.filter((word) => inside.includes(word));
}

export function textsOfPrompt(prompt: Prompt): SearchText[] {
  return [
    ...prompt.messages.map((message): SearchText => ({
      who: 'prompt',
      text: textOfContent(message.content),
    })),
    ...(prompt.results ?? []).map((result): SearchText => ({ who: 'tool call', text: result.content })),
  ];
}

export function textsOfTurn(turn: Turn): SearchText[] {
  const texts: SearchText[] = [];
  const written = writtenOf(turn);
  if (written) texts.push({ who: 'answer', text: textOfContent(written.content) });
  const note = getStringProperty(turn.remark, 'text');
  if (note !== undefined) texts.push({ who: 'note', text: note });
  return texts;
}

export function textsOfRun(run: Run): SearchText[] {
  return run.choices.flatMap(({ parts }) =>
    parts.flatMap((part): SearchText[] => {
      if (part.type === 'image') return [];
      if (part.type === 'tool-call') return [{ who: 'tool call', text: `${part.name} ${part.arguments}` }];
      return [{ who: part.type === 'thinking' ? 'reasoning' : 'answer', text: part.text }];
    }),
  );
}

const before = 40;
const length = 160;

/** The part of the text around the first of these words, on one line, with every hit in it marked. */
export function snippetOf({ who, text }: SearchText, words: readonly string[]): Snippet {
  const around = stretchAround(text, words);
  const { plain, placeOf } = foldedWithPlaces(around.text);
  const marked = Array.from({ length: around.text.length }, () => false);
  for (const word of words) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + word.length)) {
      marked.fill(true, placeOf(at), placeOf(at + word.length));
    }
  }
  const pieces: Snippet['pieces'] = [];
  for (let at = 0; at < around.text.length;) {
    let end = at + 1;
    while (end < around.text.length && marked[end] === marked[at]) end += 1;
    pieces.push({ text: around.text.slice(at, end), hit: marked[at] ?? false });
    at = end;
  }
  if (around.cutBefore) pieces.unshift({ text: '…', hit: false });
  if (around.cutAfter) pieces.push({ text: '…', hit: false });
  return { who, pieces };
}

function stretchAround(
  text: string,
  words: readonly string[],
): { text: string; cutBefore: boolean; cutAfter: boolean } {
  const first = firstHit(text, words);
  let start = Math.max(0, first - before);
  // From the start of a word on, so that no character is cut in two either.
  while (start > 0 && start < first && !/\s/.test(text.charAt(start - 1))) start += 1;
  const end = Math.min(text.length, start + length);
  return {
    text: text.slice(start, end).replaceAll(/\s/g, ' '),
    cutBefore: start > 0,
    cutAfter: end < text.length,
  };
}

/** Long texts are looked at in parts: the way back from folded text to places costs memory. */
const partLength = 50_000;

function firstHit(text: string, words: readonly string[]): number {
  const overlap = Math.max(0, ...words.map((word) => word.length)) * 2;
  for (let start = 0; start < text.length; start += partLength) {
    const part = text.slice(start, start + partLength + overlap);
    if (wordsIn(part, words).length === 0) continue;
    const { plain, placeOf } = foldedWithPlaces(part);
    const found = words.map((word) => plain.indexOf(word)).filter((at) => at >= 0);
    return start + placeOf(Math.min(...found));
  }
  return 0;
}

/** The folded text, and for each of its characters, and its end, where that stood in the text. */
export function foldedWithPlaces(text: string): { plain: string; placeOf: (at: number) => number } {
  if (!hasOther.test(text)) return { plain: text.toLowerCase(), placeOf: (at) => at };
  let plain = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const fold = folded(character);
    for (let count = 0; count < fold.length; count += 1) places.push(at);
    plain += fold;
    at += character.length;
  }
  return { plain, placeOf: (index) => places[index] ?? text.length };
}
