import { rowOf, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { useVectors, viewOf } from '../views/use-vectors.ts';

const count = 5;

function useNearestOf(set: LoadedSet, text: number | undefined): number[] {
  const cut = useLabState((state) => state.cut);
  const row = text === undefined ? undefined : rowOf(set, text);
  const found = useVectors(
    viewOf(set, cut),
    ['twin nearest', row ?? -1, count],
    (engine, view) => engine.search(view, { row: row ?? 0 }, count),
    { isWanted: row !== undefined },
  ).data;
  return row !== undefined && found ? Array.from(found.rows, (near) => set.rows[near] ?? near) : [];
}

/** The nearest of the current text with each model, side by side; what both name is marked. */
export function TwinNearest({ a, b }: { a: LoadedSet; b: LoadedSet }) {
  const current = useLabState((state) => state.selection.current);
  const text = useLabState((state) => (current === undefined ? undefined : state.texts[current]?.text));
  const nearA = useNearestOf(a, current);
  const nearB = useNearestOf(b, current);
  if (text === undefined)
    return <p className="mut nearest-note">Select a text to see its nearest texts with each model.</p>;
  return (
    <section aria-label="Nearest with each model">
      <h3>
        Nearest to <span dir="auto">{text}</span>
      </h3>
      <div className="lab-twins">
        <TwinList letter="A" near={nearA} other={nearB} />
        <TwinList letter="B" near={nearB} other={nearA} />
      </div>
    </section>
  );
}

function TwinList({
  letter,
  near,
  other,
}: {
  letter: 'A' | 'B';
  near: readonly number[];
  other: readonly number[];
}) {
  const { select } = useLab();
  const texts = useLabState((state) => state.texts);
  return (
    <ol className="twin-nearest" aria-label={`Nearest with model ${letter}`}>
      {near.map((text, index) => (
        <li key={text}>
          {index === 0 ? <LaneTile letter={letter} /> : <span className="lt-place" />}
          <i>{index + 1}</i>
          <button type="button" className="lab-words" dir="auto" onClick={() => select(text)}>
            {texts[text]?.text}
          </button>
          <small className="mut">{other.includes(text) ? 'both' : 'only this model'}</small>
        </li>
      ))}
    </ol>
  );
}
