import { formatCount } from '../../../lib/format.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { ViewBlank, ViewFrame } from '../views/view-frame.tsx';
import { FindField } from './find-field.tsx';
import { NearestList } from './nearest-list.tsx';
import { useNearest } from './use-nearest.ts';

const counts = ['5', '10', '25', '50'].map((value) => ({ value, label: `top ${value}` }));
/** One letter is in nearly every text. */
const fewestLetters = 2;

interface NearestViewProps {
  /** The field for the query stands in this view; where it stands elsewhere on the screen, not. */
  hasField: boolean;
}

/** The texts closest to a query, or to a text, with what each score is worth. */
export function NearestView({ hasField }: NearestViewProps) {
  const { changeFind } = useLab();
  const count = useLabState((state) => state.find.shown);
  const query = useLabState((state) => state.find.query);
  const { nearest, problem } = useNearest();
  const words = query.trim().length < fewestLetters ? undefined : query;

  return (
    <ViewFrame
      title="Nearest"
      controls={
        <Select
          label="How many"
          value={String(count)}
          options={counts}
          onChange={(value) => changeFind({ shown: Number(value) })}
        />
      }
      note={
        nearest &&
        `Top ${Math.min(count, nearest.ranked.length)} of ${formatCount(nearest.shown.set.rows.length)}`
      }
    >
      {hasField && <FindField />}
      <div className="lab-scroll">
        {problem !== undefined && <ViewBlank>{problem}</ViewBlank>}
        {(nearest || words !== undefined) && <NearestList words={words} nearest={nearest} />}
        {!nearest && <ViewBlank>Type a query and press Enter, or select any text (no request).</ViewBlank>}
      </div>
    </ViewFrame>
  );
}
