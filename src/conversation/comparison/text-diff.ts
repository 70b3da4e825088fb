/**
 * Compares two texts. Similar texts are compared word by word. In other texts, that would mark nearly everything as
 * different, so only shared phrases are found, wherever they occur.
 */
import { diffArrays } from 'diff';

import { formatCount, pluralize } from '../../lib/format.ts';

/** Part of one text. `number`, from 1, pairs it with its counterpart in the other text. */
export interface DiffSegment {
  text: string;
  kind: 'plain' | 'phrase' | 'difference';
  number?: number;
}

/** Part of the combined text. */
export interface InlineDiffSegment {
  text: string;
  side: 'both' | 'left' | 'right';
  number?: number;
}

export interface TextDiff {
  /** Percentage of all words that belong to shared phrases, rounded down. */
  percent: number;
  /** True if the texts are similar enough for a word-by-word view. */
  canShowInline: boolean;
  wordCounts: [left: number, right: number];
  phraseCount: number;
  differenceCount: number;
  left: DiffSegment[];
  right: DiffSegment[];
  /** Combined text; empty if the texts are not similar enough. */
  inline: InlineDiffSegment[];
}

/** Minimum phrase length in words; shorter phrases occur in almost any two texts of a language. */
const minPhraseWords = 4;
/** Minimum percentage of shared words for a readable word-by-word view. */
export const minInlinePercent = 35;
/** Changes with fewer equal words than this between them are merged into one difference. */
const minEqualWordsBetween = 3;
/** Maximum number of occurrences that are examined for a repeated phrase. */
const maxPhrasePositions = 64;
/** Maximum edit distance. Beyond it, everything between shared phrases counts as a difference. */
const maxEdits = 3000;

interface Token {
  start: number;
  end: number;
  /** Original text, case included. */
  text: string;
  isWord: boolean;
}

const tokenPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+(?:['’.][\p{L}\p{N}\p{M}_]+)*|[^\s\p{L}\p{N}\p{M}_]/gu;

function tokenizeText(text: string): Token[] {
  return Array.from(text.matchAll(tokenPattern), ({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
    text: match,
    isWord: /^[\p{L}\p{N}\p{M}_]/u.test(match),
  }));
}

export function diffTexts(left: string, right: string): TextDiff {
  const tokens: Sides<Token[]> = [tokenizeText(left), tokenizeText(right)];
  const words: Sides<Token[]> = [tokens[0].filter(isWord), tokens[1].filter(isWord)];
  const phrases = findSharedPhrases(words[0], words[1]);
  const totalWords = words[0].length + words[1].length;
  const phraseWordCount = phrases.reduce((sum, { length }) => sum + 2 * length, 0);
  const isSame = left === right || (totalWords > 0 && hasSameWords(words[0], words[1]));
  const percent = isSame ? 100 : totalWords === 0 ? 0 : Math.floor((100 * phraseWordCount) / totalWords);
  const canShowInline = percent >= minInlinePercent;
  const commonFields = {
    percent,
    canShowInline,
    wordCounts: [words[0].length, words[1].length] as [number, number],
  };
  if (!canShowInline) {
    const buildPhraseSegments = (side: 0 | 1, text: string) =>
      buildSegments(text, getPhraseSpans(phrases, words[side], side));
    return {
      ...commonFields,
      phraseCount: phrases.length,
      differenceCount: 0,
      left: buildPhraseSegments(0, left),
      right: buildPhraseSegments(1, right),
      inline: [],
    };
  }
  return {
    ...commonFields,
    phraseCount: phrases.length,
    ...buildWordDiff([left, right], tokens, mergeNearbyChanges(findChanges(tokens, phrases, words), tokens)),
  };
}

export type WordDiff = Pick<TextDiff, 'differenceCount' | 'left' | 'right' | 'inline'>;

/** Compares two texts word by word, however different they are, and marks each changed word on its own. */
export function diffWordByWord(left: string, right: string): WordDiff {
  const tokens: Sides<Token[]> = [tokenizeText(left), tokenizeText(right)];
  return buildWordDiff([left, right], tokens, findChanges(tokens, [], [[], []]));
}

function buildWordDiff(
  [left, right]: Sides<string>,
  tokens: Sides<Token[]>,
  changes: readonly Change[],
): WordDiff {
  return {
    differenceCount: changes.length,
    left: buildSegments(left, getChangeSpans(changes, tokens[0], 0)),
    right: buildSegments(right, getChangeSpans(changes, tokens[1], 1)),
    inline: buildInlineSegments(left, right, changes, tokens),
  };
}

/** Returns a title such as "Little in common" or "63% in common", and a detail sentence. */
export function describeDiff(diff: TextDiff): { title: string; detail: string } {
  const { percent, canShowInline, phraseCount, differenceCount } = diff;
  if (!canShowInline) {
    const detail =
      phraseCount === 0
        ? 'The texts share no phrase of 4 or more words.'
        : `${percent}% of the words are in ${pluralize(phraseCount, 'shared phrase')}.`;
    return { title: 'Little in common', detail };
  }
  const detail = differenceCount === 0 ? 'No differences.' : `${pluralize(differenceCount, 'difference')}.`;
  return { title: `${percent}% in common`, detail };
}

/** Formats a word count, such as "25 words". */
export function formatWordCount(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'word' : 'words'}`;
}

type Sides<T> = [left: T, right: T];

function isWord(token: Token): boolean {
  return token.isWord;
}

const normalizeToken = ({ text }: Token) => text.toLowerCase();

function hasSameWords(left: readonly Token[], right: readonly Token[]): boolean {
  return (
    left.length === right.length &&
    left.every((word, index) => normalizeToken(word) === normalizeToken(right[index] ?? word))
  );
}

/** Sequence of equal words, given by its start index in each text; phrases do not overlap. */
interface Phrase {
  left: number;
  right: number;
  length: number;
}

/** Finds the longest shared phrase at each word, from left to right, ignoring case. */
function findSharedPhrases(left: readonly Token[], right: readonly Token[]): Phrase[] {
  const [leftWords, rightWords] = [left.map(normalizeToken), right.map(normalizeToken)];
  const positionsByGram = new Map<string, number[]>();
  const getGram = (words: readonly string[], start: number) =>
    words.slice(start, start + minPhraseWords).join(' ');
  for (let rightIndex = 0; rightIndex + minPhraseWords <= rightWords.length; rightIndex += 1) {
    const gram = getGram(rightWords, rightIndex);
    const positions = positionsByGram.get(gram);
    if (!positions) positionsByGram.set(gram, [rightIndex]);
    else if (positions.length < maxPhrasePositions) positions.push(rightIndex);
  }
  const usedPositions = new Uint8Array(rightWords.length);
  const phrases: Phrase[] = [];
  for (let leftIndex = 0; leftIndex + minPhraseWords <= leftWords.length;) {
    const best = { right: -1, length: 0 };
    for (const rightIndex of positionsByGram.get(getGram(leftWords, leftIndex)) ?? []) {
      let length = 0;
      while (
        leftIndex + length < leftWords.length &&
        rightIndex + length < rightWords.length &&
        usedPositions[rightIndex + length] === 0 &&
        leftWords[leftIndex + length] === rightWords[rightIndex + length]
      )
        length += 1;
      if (length > best.length) Object.assign(best, { right: rightIndex, length });
    }
    if (best.length < minPhraseWords) {
      leftIndex += 1;
      continue;
    }
    usedPositions.fill(1, best.right, best.right + best.length);
    phrases.push({ left: leftIndex, ...best });
    leftIndex += best.length;
  }
  return phrases;
}

interface Span {
  start: number;
  end: number;
  kind: 'phrase' | 'difference';
  number: number;
}

function getPhraseSpans(phrases: readonly Phrase[], words: readonly Token[], side: 0 | 1): Span[] {
  return phrases
    .map(({ left, right, length }, index): Span => {
      const startIndex = side === 0 ? left : right;
      const [first, last] = [words[startIndex], words[startIndex + length - 1]];
      return { start: first?.start ?? 0, end: last?.end ?? 0, kind: 'phrase', number: index + 1 };
    })
    .toSorted((a, b) => a.start - b.start);
}

function buildSegments(text: string, spans: readonly Span[]): DiffSegment[] {
  const segments: DiffSegment[] = [];
  let offset = 0;
  for (const { start, end, kind, number } of spans) {
    if (start > offset) segments.push({ text: text.slice(offset, start), kind: 'plain' });
    if (end > start) segments.push({ text: text.slice(start, end), kind, number });
    offset = Math.max(offset, end);
  }
  if (offset < text.length) segments.push({ text: text.slice(offset), kind: 'plain' });
  return segments;
}

/** Replaced token range of each text; `to` is exclusive. */
interface Change {
  from: Sides<number>;
  to: Sides<number>;
}

function findChanges(tokens: Sides<Token[]>, phrases: readonly Phrase[], words: Sides<Token[]>): Change[] {
  const diffParts = diffArrays(
    tokens[0].map(({ text }) => text),
    tokens[1].map(({ text }) => text),
    { maxEditLength: maxEdits },
  );
  if (!diffParts) return findChangesBetweenPhrases(phrases, words, tokens);
  const changes: Change[] = [];
  let position: Sides<number> = [0, 0];
  for (const { added, removed, value } of diffParts) {
    const to: Sides<number> = [
      position[0] + (added ? 0 : value.length),
      position[1] + (removed ? 0 : value.length),
    ];
    const last = changes.at(-1);
    if (added || removed) {
      if (last && last.to[0] === position[0] && last.to[1] === position[1]) last.to = to;
      else changes.push({ from: position, to });
    }
    position = to;
  }
  return changes;
}

/** Returns the parts between shared phrases that occur in the same order in both texts. */
function findChangesBetweenPhrases(
  phrases: readonly Phrase[],
  words: Sides<Token[]>,
  tokens: Sides<Token[]>,
): Change[] {
  const tokenIndexes = tokens.map(
    (sideTokens) => new Map(sideTokens.map((token, index) => [token.start, index])),
  );
  const getTokenIndex = (side: 0 | 1, wordIndex: number) =>
    tokenIndexes[side]?.get(words[side][wordIndex]?.start ?? -1) ?? 0;
  const changes: Change[] = [];
  let position: Sides<number> = [0, 0];
  for (const { left, right, length } of phrases) {
    const from: Sides<number> = [getTokenIndex(0, left), getTokenIndex(1, right)];
    if (from[1] < position[1]) continue;
    if (from[0] > position[0] || from[1] > position[1]) changes.push({ from: position, to: from });
    position = [getTokenIndex(0, left + length - 1) + 1, getTokenIndex(1, right + length - 1) + 1];
  }
  const end: Sides<number> = [tokens[0].length, tokens[1].length];
  if (end[0] > position[0] || end[1] > position[1]) changes.push({ from: position, to: end });
  return changes;
}

function mergeNearbyChanges(changes: readonly Change[], tokens: Sides<Token[]>): Change[] {
  const mergedChanges: Change[] = [];
  for (const change of changes) {
    const last = mergedChanges.at(-1);
    const wordsBetween = last ? tokens[0].slice(last.to[0], change.from[0]).filter(isWord).length : 0;
    if (last && wordsBetween < minEqualWordsBetween) last.to = change.to;
    else mergedChanges.push({ ...change });
  }
  return mergedChanges;
}

function getChangeSpans(changes: readonly Change[], tokens: readonly Token[], side: 0 | 1): Span[] {
  return changes.map(({ from, to }, index) => ({
    ...getTokenRange(tokens, from[side], to[side]),
    kind: 'difference',
    number: index + 1,
  }));
}

function getTokenRange(tokens: readonly Token[], from: number, to: number): { start: number; end: number } {
  const start = tokens[from]?.start ?? tokens.at(-1)?.end ?? 0;
  return { start, end: to > from ? (tokens[to - 1]?.end ?? start) : start };
}

/**
 * Builds the combined text: equal parts as written on the right, and each change as left text followed by right text.
 */
function buildInlineSegments(
  left: string,
  right: string,
  changes: readonly Change[],
  tokens: Sides<Token[]>,
): InlineDiffSegment[] {
  const segments: InlineDiffSegment[] = [];
  let offset = 0;
  for (const [index, { from, to }] of changes.entries()) {
    const leftRange = getTokenRange(tokens[0], from[0], to[0]);
    const rightRange = getTokenRange(tokens[1], from[1], to[1]);
    if (rightRange.start > offset)
      segments.push({ text: right.slice(offset, rightRange.start), side: 'both' });
    if (leftRange.end > leftRange.start)
      segments.push({ text: left.slice(leftRange.start, leftRange.end), side: 'left', number: index + 1 });
    if (rightRange.end > rightRange.start)
      segments.push({
        text: right.slice(rightRange.start, rightRange.end),
        side: 'right',
        number: index + 1,
      });
    offset = Math.max(offset, rightRange.end);
  }
  if (offset < right.length) segments.push({ text: right.slice(offset), side: 'both' });
  return segments;
}
