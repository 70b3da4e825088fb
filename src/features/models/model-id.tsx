import type { Hit } from './match-models.ts';

const none: readonly Hit[] = [];

/** Longer than any that is real; a list lays out each of its lines as a whole. */
const mostLetters = 300;

/** An id with its owner in grey, and what was typed underlined. */
export function ModelId({ id: whole, hits = none }: { id: string; hits?: readonly Hit[] }) {
  const id = whole.length > mostLetters ? `${whole.slice(0, mostLetters)}…` : whole;
  const name = id.lastIndexOf('/') + 1;
  return (
    <>
      {name > 0 && <span className="own">{withHits(id, hits, 0, name)}</span>}
      <span className="mod">{withHits(id, hits, name, id.length)}</span>
    </>
  );
}

function withHits(id: string, hits: readonly Hit[], from: number, to: number) {
  const inside = hits
    .map(([start, end]): Hit => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end)
    .toSorted((one, other) => one[0] - other[0]);
  const parts = [];
  let at = from;
  for (const [start, end] of inside) {
    if (start < at) continue;
    parts.push(
      id.slice(at, start),
      <u key={start} className="decoration-needle decoration-2 underline-offset-3">
        {id.slice(start, end)}
      </u>,
    );
    at = end;
  }
  return [...parts, id.slice(at, to)];
}
