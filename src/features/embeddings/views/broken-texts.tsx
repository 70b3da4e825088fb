import type { SweepStep } from '../../../embedding/engine/engine.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { GroupMark } from '../group-mark.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { select, shownSet } from '../lab/lab-store.ts';

const mostListed = 20;

/** The texts whose neighbours a size breaks, the most broken first. */
export function BrokenTexts({ step }: { step: SweepStep }) {
  const { store } = useLab();
  const set = useLabState(shownSet);
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const broken = Array.from(step.queries, (row, place) => ({ row, kept: step.kept[place] ?? 0 }))
    .filter(({ kept }) => kept < step.k)
    .toSorted((one, other) => one.kept - other.kept || one.row - other.row);
  const isSample = step.queries.length < (set?.rows.length ?? 0);
  return (
    <>
      <h3>
        {broken.length === 0
          ? `All texts keep the same top ${step.k}`
          : `${formatCount(broken.length)} of ${plural(step.queries.length, 'text')} ${broken.length === 1 ? 'loses' : 'lose'} part of the top ${step.k}`}
        {isSample && ' (a sample)'}
      </h3>
      <ul>
        {broken.slice(0, mostListed).map(({ row, kept }) => {
          const place = set?.rows[row] ?? row;
          const text = texts[place];
          return (
            <li key={row}>
              <GroupMark group={text?.group} name={groups[text?.group ?? -1]} />
              <button type="button" className="lab-words" dir="auto" onClick={() => select(store, place)}>
                {text?.text}
              </button>
              <span className="mut">
                keeps {kept} of {step.k}
              </span>
            </li>
          );
        })}
      </ul>
      {broken.length > mostListed && (
        <p className="mut">and {formatCount(broken.length - mostListed)} more</p>
      )}
    </>
  );
}
