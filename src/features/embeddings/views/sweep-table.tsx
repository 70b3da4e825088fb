import type { SweepStep } from '../../../embedding/engine/engine.ts';
import { formatCount } from '../../../lib/format.ts';
import { bytesWords, percent } from './dimension-words.ts';

interface SweepTableProps {
  steps: readonly SweepStep[];
  at: number;
  /** Texts in all. */
  count: number;
  onPick: (step: number) => void;
}

/** The curve in numbers. */
export function SweepTable({ steps, at, count, onPick }: SweepTableProps) {
  const hasLabels = steps.some(({ sameLabel }) => sameLabel !== undefined);
  const k = steps[0]?.k ?? 0;
  return (
    <div className="lab-table-box" role="region" tabIndex={0} aria-label="Every size in numbers">
      <table className="lab-table">
        <thead>
          <tr>
            <th scope="col">Dimensions</th>
            <th scope="col">Same top {k}</th>
            <th scope="col">95% interval</th>
            <th scope="col">Same nearest</th>
            <th scope="col">
              <abbr title="Spearman correlation with the similarities at full size, among near pairs">
                Rank agreement, near
              </abbr>
            </th>
            <th scope="col">
              <abbr title="The same for random pairs">Rank agreement, random</abbr>
            </th>
            {hasLabels && (
              <th scope="col">
                <abbr
                  title={`Share of labelled texts that a vote of their ${k} nearest assigns to their own group`}
                >
                  Own group
                </abbr>
              </th>
            )}
            <th scope="col">Per vector</th>
            <th scope="col">{formatCount(count)} texts</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.dimensions} className={index === at ? 'on' : ''}>
              <th scope="row">
                <button
                  type="button"
                  className="lab-words"
                  aria-pressed={index === at}
                  onClick={() => onPick(index)}
                >
                  {formatCount(step.dimensions)}
                </button>
              </th>
              <td>{percent(step.recall.mean)}</td>
              <td>
                {percent(step.recall.low)} to {percent(step.recall.high)}
              </td>
              <td>{percent(step.sameNearest.mean)}</td>
              <td>{step.rankCorrelation.near.toFixed(3)}</td>
              <td>{step.rankCorrelation.random.toFixed(3)}</td>
              {hasLabels && <td>{step.sameLabel === undefined ? 'none' : percent(step.sameLabel)}</td>}
              <td>{bytesWords(step.bytesPerVector)}</td>
              <td>{bytesWords(step.bytesPerVector * count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
