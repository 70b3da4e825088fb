/**
 * Finds models by a part of the ID or by an ability. IDs are words joined by `/ - . _ :`; the query may skip any of
 * these separators.
 */
import { allAbilities, type Abilities } from '../../conversation/setup/model-marks.ts';
import { abilityKeywords } from './ability-labels.ts';

/** Start and end of a matched part of the ID. */
export type MatchRange = readonly [from: number, to: number];

const separator = /[/\-._:]/;

/** Kinds of matches, best first. */
const matchKinds = ['exact', 'begins a part', 'within a part', 'ability', 'letters in order'] as const;

interface Match {
  kind: (typeof matchKinds)[number];
  /** Rank among matches of the same kind; lower is better. */
  rank: number;
  ranges: MatchRange[];
}

/** Minimum length of a query for abilities; a shorter query matches nearly every word. */
const minAbilityChars = 3;

function matchWord(id: string, word: string, abilities: Abilities): Match | undefined {
  const index = id.indexOf(word);
  if (index >= 0) return matchSubstring(id, word, index);
  const startsWithWord = (name: string) => word.length >= minAbilityChars && name.startsWith(word);
  if (allAbilities.some((ability) => abilities[ability] && abilityKeywords[ability].some(startsWithWord)))
    return { kind: 'ability', rank: 0, ranges: [] };
  const letterIndexes = findLettersInOrder(id, word.replace(/[/\-._:]/g, ''));
  if (!letterIndexes) return undefined;
  const span = (letterIndexes.at(-1) ?? 0) - (letterIndexes[0] ?? 0);
  return {
    kind: 'letters in order',
    rank: span - letterIndexes.length,
    ranges: groupIntoRanges(letterIndexes),
  };
}

function matchSubstring(id: string, word: string, firstIndex: number): Match {
  const nameStart = id.lastIndexOf('/') + 1;
  const createMatch = (index: number, kind: Match['kind'], rank: number): Match => ({
    kind,
    rank,
    ranges: [[index, index + word.length]],
  });
  if (id.startsWith(word, nameStart)) return createMatch(nameStart, 'begins a part', 0);
  if (firstIndex === 0) return createMatch(0, 'begins a part', 1);
  for (let index = firstIndex; index >= 0; index = id.indexOf(word, index + 1)) {
    if (separator.test(id[index - 1] ?? '')) return createMatch(index, 'begins a part', 2);
  }
  return createMatch(firstIndex, 'within a part', 0);
}

/** Returns increasing positions of the letters in the ID, preferring letters at the start of a part. */
function findLettersInOrder(id: string, letters: string): number[] | undefined {
  if (letters.length < 2) return undefined;
  const positions: number[] = [];
  let from = 0;
  for (const letter of letters) {
    const next = id.indexOf(letter, from);
    if (next < 0) return undefined;
    const partStart = findPartStart(id, letter, next);
    const remainingLetters = letters.slice(positions.length + 1);
    const position =
      partStart !== undefined && hasLettersInOrder(id, remainingLetters, partStart + 1) ? partStart : next;
    const isAdjacent = positions.length > 0 && next === (positions.at(-1) ?? 0) + 1;
    positions.push(isAdjacent ? next : position);
    from = (positions.at(-1) ?? 0) + 1;
  }
  return positions;
}

function findPartStart(id: string, letter: string, from: number): number | undefined {
  for (let index = from; index >= 0; index = id.indexOf(letter, index + 1)) {
    if (index === 0 || separator.test(id[index - 1] ?? '')) return index;
  }
  return undefined;
}

function hasLettersInOrder(id: string, letters: string, from: number): boolean {
  let index = from;
  for (const letter of letters) {
    const letterIndex = id.indexOf(letter, index);
    if (letterIndex < 0) return false;
    index = letterIndex + 1;
  }
  return true;
}

function groupIntoRanges(positions: readonly number[]): MatchRange[] {
  const ranges: [number, number][] = [];
  for (const position of positions) {
    const last = ranges.at(-1);
    if (last && last[1] === position) last[1] = position + 1;
    else ranges.push([position, position + 1]);
  }
  return ranges;
}

/**
 * Matches a model against every word of the query; returns the quality and ranges, or `undefined` if a word does not
 * match. `headings` are names of its gateway: a word may be part of one, and the query may begin with one and a slash.
 */
export function matchModel(
  id: string,
  query: string,
  abilities: Abilities = {},
  headings: readonly string[] = [],
): Match | undefined {
  const needle = query.trim().toLowerCase();
  const match = matchWords(id, needle, abilities, headings);
  if (match?.kind === 'exact') return match;
  const heading = headings.find((name) => needle.startsWith(`${name.toLowerCase()}/`));
  if (heading === undefined) return match;
  const idMatch = matchWords(id, needle.slice(heading.length + 1), abilities);
  // An ID that begins like a gateway is the better match.
  return idMatch ? { ...idMatch, rank: idMatch.rank + 1 } : match;
}

function matchWords(
  id: string,
  needle: string,
  abilities: Abilities,
  headings: readonly string[] = [],
): Match | undefined {
  const lower = id.toLowerCase();
  if (lower === needle) return { kind: 'exact', rank: 0, ranges: [[0, id.length]] };
  const match: Match = { kind: 'exact', rank: 0, ranges: [] };
  for (const word of needle.split(/\s+/).filter((part) => part !== '')) {
    const isInHeading = headings.some((name) => name.toLowerCase().includes(word));
    const wordMatch =
      matchWord(lower, word, abilities) ??
      (isInHeading ? { kind: 'ability' as const, rank: 0, ranges: [] } : undefined);
    if (!wordMatch) return undefined;
    if (matchKinds.indexOf(wordMatch.kind) > matchKinds.indexOf(match.kind)) match.kind = wordMatch.kind;
    match.rank += wordMatch.rank;
    match.ranges.push(...wordMatch.ranges);
  }
  return match;
}

interface Findable {
  /** Key of the model, as in the list of recent models. */
  id: string;
  /** ID of the model. */
  label: string;
  headings?: readonly string[];
  model?: { abilities: Abilities };
}

/**
 * Returns the matching models, best first: by kind of match, then by last use (`recent`: keys, newest first), then by
 * rank; ties keep their order.
 */
export function rankModels<Option extends Findable>(
  options: readonly Option[],
  query: string,
  recent: readonly string[] = [],
): Option[] {
  return options
    .flatMap((option) => {
      const match = matchModel(option.label, query, option.model?.abilities, option.headings);
      if (!match) return [];
      const recentIndex = recent.indexOf(option.id);
      return [
        {
          option,
          rankKeys: [matchKinds.indexOf(match.kind), recentIndex < 0 ? Infinity : recentIndex, match.rank],
        },
      ];
    })
    .toSorted((a, b) => {
      const rankIndex = a.rankKeys.findIndex((value, index) => value !== b.rankKeys[index]);
      return rankIndex < 0 ? 0 : (a.rankKeys[rankIndex] ?? 0) - (b.rankKeys[rankIndex] ?? 0);
    })
    .map(({ option }) => option);
}

/** Returns the model named in an error message that is most similar to the requested ID. */
export function findNamedModel(
  message: string,
  requestedModel: string,
  listedIds: readonly string[],
): string | undefined {
  const words = new Set(message.split(/[^\w/.:@+-]+/).map((word) => word.replace(/[.:]$/, '')));
  const requestedPairs = getLetterPairs(requestedModel);
  return listedIds
    .filter((id) => id !== requestedModel && words.has(id))
    .map((id) => ({ id, likeness: computeLikeness(getLetterPairs(id), requestedPairs) }))
    .toSorted((a, b) => b.likeness - a.likeness)[0]?.id;
}

/** Returns all pairs of adjacent letters. A mistyped ID still has most of the pairs of the correct one. */
function getLetterPairs(id: string): ReadonlySet<string> {
  const lower = id.toLowerCase();
  return new Set(Array.from(lower, (_, index) => lower.slice(index, index + 2)));
}

function computeLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((pair) => b.has(pair)).length / (a.size + b.size);
}
