/**
 * Finding a model by a part of its id, or by what it can do. Ids are words joined by `/ - . _ :`; what is typed may skip
 * any of them.
 */
import { allAbilities, type Abilities } from '../../conversation/setup/model-marks.ts';
import { searchedWords } from './ability-labels.ts';

/** From and to of a stretch of the id that the query named. */
export type Hit = readonly [from: number, to: number];

const joint = /[/\-._:]/;

/** How a text is found in a model, best first. */
const kinds = ['exact', 'begins a part', 'within a part', 'ability', 'letters in order'] as const;

interface Match {
  kind: (typeof kinds)[number];
  /** Among those of one kind; lower is better. */
  rank: number;
  hits: Hit[];
}

/** Fewer letters are in nearly every word. */
const fewestAbilityLetters = 3;

function wordMatch(id: string, word: string, can: Abilities): Match | undefined {
  const at = id.indexOf(word);
  if (at >= 0) return substringMatch(id, word, at);
  const isAbility = (name: string) => word.length >= fewestAbilityLetters && name.startsWith(word);
  if (allAbilities.some((ability) => can[ability] && searchedWords[ability].some(isAbility)))
    return { kind: 'ability', rank: 0, hits: [] };
  const letters = lettersInOrder(id, word.replace(/[/\-._:]/g, ''));
  if (!letters) return undefined;
  const span = (letters.at(-1) ?? 0) - (letters[0] ?? 0);
  return { kind: 'letters in order', rank: span - letters.length, hits: stretchesOf(letters) };
}

function substringMatch(id: string, word: string, first: number): Match {
  const name = id.lastIndexOf('/') + 1;
  const hitAt = (at: number, kind: Match['kind'], rank: number): Match => ({
    kind,
    rank,
    hits: [[at, at + word.length]],
  });
  if (id.startsWith(word, name)) return hitAt(name, 'begins a part', 0);
  if (first === 0) return hitAt(0, 'begins a part', 1);
  for (let at = first; at >= 0; at = id.indexOf(word, at + 1)) {
    if (joint.test(id[at - 1] ?? '')) return hitAt(at, 'begins a part', 2);
  }
  return hitAt(first, 'within a part', 0);
}

/** Positions of the letters in the id, each after the last; a letter that begins a part is preferred. */
function lettersInOrder(id: string, letters: string): number[] | undefined {
  if (letters.length < 2) return undefined;
  const places: number[] = [];
  let from = 0;
  for (const letter of letters) {
    const next = id.indexOf(letter, from);
    if (next < 0) return undefined;
    const begins = beginningOfPart(id, letter, next);
    const rest = letters.slice(places.length + 1);
    const place = begins !== undefined && holdsInOrder(id, rest, begins + 1) ? begins : next;
    const follows = places.length > 0 && next === (places.at(-1) ?? 0) + 1;
    places.push(follows ? next : place);
    from = (places.at(-1) ?? 0) + 1;
  }
  return places;
}

function beginningOfPart(id: string, letter: string, from: number): number | undefined {
  for (let at = from; at >= 0; at = id.indexOf(letter, at + 1)) {
    if (at === 0 || joint.test(id[at - 1] ?? '')) return at;
  }
  return undefined;
}

function holdsInOrder(id: string, letters: string, from: number): boolean {
  let at = from;
  for (const letter of letters) {
    const found = id.indexOf(letter, at);
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

function stretchesOf(places: readonly number[]): Hit[] {
  const hits: [number, number][] = [];
  for (const place of places) {
    const last = hits.at(-1);
    if (last && last[1] === place) last[1] = place + 1;
    else hits.push([place, place + 1]);
  }
  return hits;
}

/** How well a model matches every word of the query, and where; undefined where a word is not in it. */
export function matchOf(id: string, query: string, can: Abilities = {}): Match | undefined {
  const lower = id.toLowerCase();
  const wanted = query.trim().toLowerCase();
  if (lower === wanted) return { kind: 'exact', rank: 0, hits: [[0, id.length]] };
  const match: Match = { kind: 'exact', rank: 0, hits: [] };
  for (const word of wanted.split(/\s+/).filter((each) => each !== '')) {
    const found = wordMatch(lower, word, can);
    if (!found) return undefined;
    if (kinds.indexOf(found.kind) > kinds.indexOf(match.kind)) match.kind = found.kind;
    match.rank += found.rank;
    match.hits.push(...found.hits);
  }
  return match;
}

interface Findable {
  id: string;
  model?: { abilities: Abilities };
}

/**
 * Those that match, the best first: by the kind of match, then by last use (`recent`: ids, the newest first), then by how
 * near the match is; what is equal in all that keeps its order.
 */
export function matchingModels<Option extends Findable>(
  options: readonly Option[],
  query: string,
  recent: readonly string[] = [],
): Option[] {
  return options
    .flatMap((option) => {
      const match = matchOf(option.id, query, option.model?.abilities);
      if (!match) return [];
      const use = recent.indexOf(option.id);
      return [{ option, places: [kinds.indexOf(match.kind), use < 0 ? Infinity : use, match.rank] }];
    })
    .toSorted((one, other) => {
      const at = one.places.findIndex((place, index) => place !== other.places[index]);
      return at < 0 ? 0 : (one.places[at] ?? 0) - (other.places[at] ?? 0);
    })
    .map(({ option }) => option);
}

/** Of the models that an error message names, the one most like the id that was asked for. */
export function modelNamedIn(message: string, asked: string, listed: readonly string[]): string | undefined {
  const words = new Set(message.split(/[^\w/.:@+-]+/).map((word) => word.replace(/[.:]$/, '')));
  const wanted = pairsOf(asked);
  return listed
    .filter((id) => id !== asked && words.has(id))
    .map((id) => ({ id, likeness: likenessOf(pairsOf(id), wanted) }))
    .toSorted((one, other) => other.likeness - one.likeness)[0]?.id;
}

/** Each two letters that follow each other: equal in most places where an id was mistyped. */
function pairsOf(id: string): ReadonlySet<string> {
  const lower = id.toLowerCase();
  return new Set(Array.from(lower, (_, at) => lower.slice(at, at + 2)));
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((pair) => other.has(pair)).length / (one.size + other.size);
}
