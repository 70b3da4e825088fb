import type { ReactNode } from 'react';

/** Longer than any that is real; a list lays out each of its lines as a whole. */
const mostLetters = 300;

interface ModelIdProps {
  id: string;
  /** Draws a part of it, where that is more than its letters. */
  drawn?: (id: string, from: number, to: number) => ReactNode;
}

const itsLetters = (id: string, from: number, to: number): ReactNode => id.slice(from, to);

/** An id, in pickers with its owner in grey. */
export function ModelId({ id: whole, drawn = itsLetters }: ModelIdProps) {
  const id = whole.length > mostLetters ? `${whole.slice(0, mostLetters)}…` : whole;
  const name = id.lastIndexOf('/') + 1;
  return (
    <>
      {name > 0 && (
        <span className="in-[.model-picker]:font-450 in-[.model-picker]:text-ink-3">
          {drawn(id, 0, name)}
        </span>
      )}
      <span className="model-name">{drawn(id, name, id.length)}</span>
    </>
  );
}
