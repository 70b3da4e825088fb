import { useMemo } from 'react';

import { formatCount } from '../../lib/format.ts';
import { rangeOf, similaritiesOf } from './similarity.ts';

interface SimilarityTableProps {
  texts: readonly string[];
  vectors: readonly Float32Array[];
}

/** A table of more cells than this is neither read nor scrolled with ease. */
const mostShown = 60;
const steps = 10;

/** A box that scrolls and holds nothing to focus must take the focus itself, or no key reaches what it hides. */
const scrolledByKeys = { role: 'region', tabIndex: 0 } as const;

/** Cosine of every pair. More similar is further from the background, in one hue. */
export function SimilarityTable({ texts, vectors }: SimilarityTableProps) {
  const shown = texts.slice(0, mostShown);
  const rows = useMemo(() => similaritiesOf(vectors.slice(0, mostShown)), [vectors]);
  const range = rangeOf(rows);

  const stepOf = (value: number): number => {
    if (!range || range.high === range.low) return 0;
    return Math.max(0, Math.min(steps, Math.round(((value - range.low) / (range.high - range.low)) * steps)));
  };

  return (
    <div className="similarity">
      <header>
        <h2 id="similarity">Similarity</h2>
        <span className="mut">
          Cosine, {shown.length} × {shown.length}
          {range && `, from ${range.low.toFixed(2)} to ${range.high.toFixed(2)}`}
        </span>
      </header>
      {shown.length < texts.length && (
        <p className="mut">
          All {formatCount(texts.length)} texts were embedded. The table shows the first {mostShown}.
        </p>
      )}
      <div className="table-box" {...scrolledByKeys} aria-labelledby="similarity">
        <table aria-labelledby="similarity">
          <thead>
            <tr>
              <th scope="col">Text</th>
              {shown.map((text, column) => (
                <th key={column} scope="col" title={text}>
                  <span aria-hidden>{column + 1}</span>
                  <span className="vh">{text}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                <th scope="row" title={shown[index]} dir="auto">
                  <span className="mut" aria-hidden>
                    {index + 1}
                  </span>{' '}
                  {shown[index]}
                </th>
                {row.map((value, column) => (
                  <td
                    key={column}
                    className={index === column || value === undefined ? 'self' : `h${stepOf(value)}`}
                    title={`${shown[index]}\n${shown[column]}`}
                  >
                    {value === undefined ? 'none' : value.toFixed(2)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
