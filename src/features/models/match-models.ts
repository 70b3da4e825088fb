/** Finding a model by a part of its id. Ids are words joined by `/ - . _ :`; what is typed may skip any of them. */

/** From and to of a stretch of the id that the query named. */
export type Hit = readonly [from: number, to: number];

const joint = /[/\-._:]/;

interface Match {
  /** Lower is better. */
  rank: number;
  hits: Hit[];
}

function wordMatch(id: string, word: string): Match | undefined {
  const at = id.indexOf(word);
  if (at >= 0) return substringMatch(id, word, at);
  const letters = lettersInOrder(id, word.replace(/[/\-._:]/g, ''));
  if (!letters) return undefined;
  const span = (letters.at(-1) ?? 0) - (letters[0] ?? 0);
  return { rank: 100 + span - letters.length, hits: stretchesOf(letters) };
}

function substringMatch(id: string, word: string, first: number): Match {
  const name = id.lastIndexOf('/') + 1;
  if (id.startsWith(word, name)) return { rank: 0, hits: [[name, name + word.length]] };
  if (first === 0) return { rank: 1, hits: [[0, word.length]] };
  for (let at = first; at >= 0; at = id.indexOf(word, at + 1)) {
    if (joint.test(id[at - 1] ?? '')) return { rank: 2, hits: [[at, at + word.length]] };
  }
  return { rank: 3, hits: [[first, first + word.length]] };
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

/** How well the id matches every word of the query, and where; undefined where a word is not in it. */
export function matchOf(id: string, query: string): Match | undefined {
  const lower = id.toLowerCase();
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const match: Match = { rank: lower === query.trim().toLowerCase() ? -1 : 0, hits: [] };
  for (const word of words) {
    const found = wordMatch(lower, word);
    if (!found) return undefined;
    match.rank += found.rank;
    match.hits.push(...found.hits);
  }
  return match;
}

/** Those that match, the best first; equally good ones keep their order. */
export function matchingModels<Option extends { id: string }>(
  options: readonly Option[],
  query: string,
): Option[] {
  return options
    .flatMap((option) => {
      const match = matchOf(option.id, query);
      return match ? [{ option, rank: match.rank }] : [];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ option }) => option);
}
