import { plural } from '../../../lib/format.ts';
import type { ImportedFile } from '../../../state/lab/lab-input.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';

const none = 'none';

/** The file in use: which column holds the texts, which the groups, and what was left out. */
export function FileCard({ file }: { file: ImportedFile }) {
  const { edit } = useLab();
  const reading = useLabState((state) => state.reading);
  const { table, columns } = file;
  const options = table.columns.map((column, at) => ({ value: String(at), label: column }));
  const [first] = reading.problems;
  return (
    <div className="file-card" role="group" aria-label="File">
      <p>
        <b>{table.name}</b>{' '}
        <span className="mut">
          {table.kind}, {plural(table.rows.length, 'row')}
        </span>
      </p>
      <div className="file-columns">
        <span className="lab-field">
          <span>Text</span>
          <Select
            label="Column of texts"
            value={String(columns.text)}
            options={options}
            onChange={(value) => edit({ file: { table, columns: { ...columns, text: Number(value) } } })}
          />
        </span>
        <span className="lab-field">
          <span>Group</span>
          <Select
            label="Column of groups"
            value={columns.label === undefined ? none : String(columns.label)}
            options={[{ value: none, label: 'no groups' }, ...options]}
            onChange={(value) =>
              edit({
                file: { table, columns: { ...columns, label: value === none ? undefined : Number(value) } },
              })
            }
          />
        </span>
      </div>
      {first && (
        <p className="mut">
          {plural(reading.problems.length, 'row')} could not be read. Line {first.line}: {first.message}
        </p>
      )}
      <p dir="auto" className="mut sample">
        {reading.items[0]
          ? `First: ${reading.items[0].text.slice(0, 120)}`
          : 'This column contains no texts.'}
      </p>
      <Button size="small" onClick={() => edit({ file: undefined })}>
        Type texts instead
      </Button>
    </div>
  );
}
