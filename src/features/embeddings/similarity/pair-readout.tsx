import type { Cell } from '../heat/heat-scene.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { rowOf } from '../lab/lab-store.ts';
import { cosineWords } from '../views/dimension-words.ts';
import { useVectors } from '../views/use-vectors.ts';
import type { Matrix } from './use-matrix.ts';

/** The two texts of a cell and their similarity, exact also where the picture shows means. */
export function PairReadout({ matrix, cell }: { matrix: Matrix; cell: Cell | undefined }) {
  const texts = useLabState((state) => state.texts);
  const one = cell && matrix.texts[cell.row];
  const other = cell && matrix.texts[cell.column];
  const { set } = matrix.shown;
  const rows = [one, other].map((text) => (text === undefined ? -1 : (rowOf(set, text) ?? -1)));
  const [row = -1, otherRow = -1] = rows;
  const value = useVectors(
    matrix.shown,
    ['pair', row, otherRow],
    async (engine, view) => ({ cosine: await engine.pair(view, row, otherRow) }),
    { isWanted: row >= 0 && otherRow >= 0 && row !== otherRow, keepsLast: true },
  ).data;
  if (one === undefined || other === undefined)
    return <p className="lab-readout mut">Point at a cell or use the arrow keys.</p>;
  if (one === other)
    return (
      <p className="lab-readout">
        <span dir="auto">{texts[one]?.text}</span> <span className="mut">and itself</span>
      </p>
    );
  return (
    <p className="lab-readout">
      {value && <b>{cosineWords(value.cosine, 3)}</b>}
      <span dir="auto">{texts[one]?.text}</span> <span className="mut">and</span>{' '}
      <span dir="auto">{texts[other]?.text}</span>
    </p>
  );
}
