/**
 * What two texts have in common and where they differ. Texts that share little are not compared word by word: that
 * would be a difference in each of them. What they share is phrases, wherever these stand.
 */
import { diffArrays } from 'diff';

import { formatCount, pluralize } from '../../lib/format.ts';

/** A stretch of one text. `number` pairs it with its like in the other, from 1. */
export interface Piece {
  text: string;
  kind: 'plain' | 'phrase' | 'difference';
  number?: number;
}

/** A stretch of both in one text. */
export interface InlinePiece {
  text: string;
  side: 'both' | 'left' | 'right';
  number?: number;
}

export interface TextDifference {
  /** Whole percent of all words that stand in shared phrases, rounded down. */
  percent: number;
  /** Enough in common to be shown word by word. */
  isNear: boolean;
  words: [left: number, right: number];
  phrases: number;
  differences: number;
  left: Piece[];
  right: Piece[];
  /** Only where they are near. */
  inline: InlinePiece[];
}

/** Fewer words in a row are in any two texts of a language. */
const phraseWords = 4;
/** From so much in common on, what differs can be followed word by word. */
export const nearPercent = 35;
/** Runs of changed words with fewer equal words between them are one difference. */
const equalWordsBetween = 3;
/** Of a phrase that comes again and again, so many places are looked at. */
const mostPlaces = 64;
/** More edits than that are not looked for: what is left over between shared phrases is the difference then. */
const mostEdits = 3000;

interface Token {
  start: number;
  end: number;
  /** As it is written. */
  text: string;
  isWord: boolean;
}

const tokenForm =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+(?:['’.][\p{L}\p{N}\p{M}_]+)*|[^\s\p{L}\p{N}\p{M}_]/gu;

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(tokenForm), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found,
    isWord: /^[\p{L}\p{N}\p{M}_]/u.test(found),
  }));
}

export function textDifference(left: string, right: string): TextDifference {
  const tokens: Sides<Token[]> = [tokensOf(left), tokensOf(right)];
  const words: Sides<Token[]> = [tokens[0].filter(isWord), tokens[1].filter(isWord)];
  const phrases = sharedPhrases(words[0], words[1]);
  const all = words[0].length + words[1].length;
  const inPhrases = phrases.reduce((sum, { length }) => sum + 2 * length, 0);
  const isSame = left === right || (all > 0 && sameWords(words[0], words[1]));
  const percent = isSame ? 100 : all === 0 ? 0 : Math.floor((100 * inPhrases) / all);
  const isNear = percent >= nearPercent;
  const common = { percent, isNear, words: [words[0].length, words[1].length] as [number, number] };
  if (!isNear) {
    const pieces = (side: 0 | 1, text: string) => piecesOf(text, phraseSpans(phrases, words[side], side));
    return {
      ...common,
      phrases: phrases.length,
      differences: 0,
      left: pieces(0, left),
      right: pieces(1, right),
      inline: [],
    };
  }
  const changes = joined(changesOf(tokens, phrases, words), tokens);
  return {
    ...common,
    phrases: phrases.length,
    differences: changes.length,
    left: piecesOf(left, changeSpans(changes, tokens[0], 0)),
    right: piecesOf(right, changeSpans(changes, tokens[1], 1)),
    inline: inlinePieces(left, right, changes, tokens),
  };
}

/** "Little in common" or "63% in common", and what follows it. */
export function differenceWords(found: TextDifference): { title: string; more: string } {
  const { percent, isNear, phrases, differences } = found;
  if (!isNear) {
    const more =
      phrases === 0
        ? `No phrase of four words or more is in both texts.`
        : `${percent}% of the words are in ${pluralize(phrases, 'phrase')} that both texts share.`;
    return { title: 'Little in common', more };
  }
  const more = differences === 0 ? 'The same words.' : `${pluralize(differences, 'difference')}.`;
  return { title: `${percent}% in common`, more };
}

/** "25 words" */
export function wordsWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'word' : 'words'}`;
}

type Sides<T> = [left: T, right: T];

function isWord(token: Token): boolean {
  return token.isWord;
}

const likeOf = ({ text }: Token) => text.toLowerCase();

function sameWords(left: readonly Token[], right: readonly Token[]): boolean {
  return left.length === right.length && left.every((word, at) => likeOf(word) === likeOf(right[at] ?? word));
}

/** The same words in a row, in each of the texts from a place on; none overlaps another. */
interface Phrase {
  left: number;
  right: number;
  length: number;
}

/** The longest that begins at each word, from the left on. Capitals do not count. */
function sharedPhrases(left: readonly Token[], right: readonly Token[]): Phrase[] {
  const [one, other] = [left.map(likeOf), right.map(likeOf)];
  const places = new Map<string, number[]>();
  const gramAt = (words: readonly string[], at: number) => words.slice(at, at + phraseWords).join(' ');
  for (let at = 0; at + phraseWords <= other.length; at += 1) {
    const gram = gramAt(other, at);
    const known = places.get(gram);
    if (!known) places.set(gram, [at]);
    else if (known.length < mostPlaces) known.push(at);
  }
  const taken = new Uint8Array(other.length);
  const phrases: Phrase[] = [];
  for (let at = 0; at + phraseWords <= one.length;) {
    const best = { right: -1, length: 0 };
    for (const place of places.get(gramAt(one, at)) ?? []) {
      let length = 0;
      while (
        at + length < one.length &&
        place + length < other.length &&
        taken[place + length] === 0 &&
        one[at + length] === other[place + length]
      )
        length += 1;
      if (length > best.length) Object.assign(best, { right: place, length });
    }
    if (best.length < phraseWords) {
      at += 1;
      continue;
    }
    taken.fill(1, best.right, best.right + best.length);
    phrases.push({ left: at, ...best });
    at += best.length;
  }
  return phrases;
}

interface Span {
  start: number;
  end: number;
  kind: 'phrase' | 'difference';
  number: number;
}

function phraseSpans(phrases: readonly Phrase[], words: readonly Token[], side: 0 | 1): Span[] {
  return phrases
    .map(({ left, right, length }, index): Span => {
      const from = side === 0 ? left : right;
      const [first, last] = [words[from], words[from + length - 1]];
      return { start: first?.start ?? 0, end: last?.end ?? 0, kind: 'phrase', number: index + 1 };
    })
    .toSorted((one, other) => one.start - other.start);
}

function piecesOf(text: string, spans: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, kind, number } of spans) {
    if (start > at) pieces.push({ text: text.slice(at, start), kind: 'plain' });
    if (end > start) pieces.push({ text: text.slice(start, end), kind, number });
    at = Math.max(at, end);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kind: 'plain' });
  return pieces;
}

/** Tokens from `from` to before `to` of each text, in place of each other. */
interface Change {
  from: Sides<number>;
  to: Sides<number>;
}

function changesOf(tokens: Sides<Token[]>, phrases: readonly Phrase[], words: Sides<Token[]>): Change[] {
  const parts = diffArrays(
    tokens[0].map(({ text }) => text),
    tokens[1].map(({ text }) => text),
    { maxEditLength: mostEdits },
  );
  if (!parts) return changesBetween(phrases, words, tokens);
  const changes: Change[] = [];
  let at: Sides<number> = [0, 0];
  for (const { added, removed, value } of parts) {
    const to: Sides<number> = [at[0] + (added ? 0 : value.length), at[1] + (removed ? 0 : value.length)];
    const last = changes.at(-1);
    if (added || removed) {
      if (last && last.to[0] === at[0] && last.to[1] === at[1]) last.to = to;
      else changes.push({ from: at, to });
    }
    at = to;
  }
  return changes;
}

/** What stands between the shared phrases that come in the same order in both. */
function changesBetween(phrases: readonly Phrase[], words: Sides<Token[]>, tokens: Sides<Token[]>): Change[] {
  const places = tokens.map((list) => new Map(list.map((token, index) => [token.start, index])));
  const placeOf = (side: 0 | 1, word: number) => places[side]?.get(words[side][word]?.start ?? -1) ?? 0;
  const changes: Change[] = [];
  let at: Sides<number> = [0, 0];
  for (const { left, right, length } of phrases) {
    const from: Sides<number> = [placeOf(0, left), placeOf(1, right)];
    if (from[1] < at[1]) continue;
    if (from[0] > at[0] || from[1] > at[1]) changes.push({ from: at, to: from });
    at = [placeOf(0, left + length - 1) + 1, placeOf(1, right + length - 1) + 1];
  }
  const end: Sides<number> = [tokens[0].length, tokens[1].length];
  if (end[0] > at[0] || end[1] > at[1]) changes.push({ from: at, to: end });
  return changes;
}

function joined(changes: readonly Change[], tokens: Sides<Token[]>): Change[] {
  const runs: Change[] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    const between = last ? tokens[0].slice(last.to[0], change.from[0]).filter(isWord).length : 0;
    if (last && between < equalWordsBetween) last.to = change.to;
    else runs.push({ ...change });
  }
  return runs;
}

function changeSpans(changes: readonly Change[], tokens: readonly Token[], side: 0 | 1): Span[] {
  return changes.map(({ from, to }, index) => ({
    ...boundsOf(tokens, from[side], to[side]),
    kind: 'difference',
    number: index + 1,
  }));
}

function boundsOf(tokens: readonly Token[], from: number, to: number): { start: number; end: number } {
  const start = tokens[from]?.start ?? tokens.at(-1)?.end ?? 0;
  return { start, end: to > from ? (tokens[to - 1]?.end ?? start) : start };
}

/** What is in both is told as the right one has it; a change is what was, then what is. */
function inlinePieces(
  left: string,
  right: string,
  changes: readonly Change[],
  tokens: Sides<Token[]>,
): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let at = 0;
  for (const [index, { from, to }] of changes.entries()) {
    const was = boundsOf(tokens[0], from[0], to[0]);
    const is = boundsOf(tokens[1], from[1], to[1]);
    if (is.start > at) pieces.push({ text: right.slice(at, is.start), side: 'both' });
    if (was.end > was.start)
      pieces.push({ text: left.slice(was.start, was.end), side: 'left', number: index + 1 });
    if (is.end > is.start)
      pieces.push({ text: right.slice(is.start, is.end), side: 'right', number: index + 1 });
    at = Math.max(at, is.end);
  }
  if (at < right.length) pieces.push({ text: right.slice(at), side: 'both' });
  return pieces;
}
