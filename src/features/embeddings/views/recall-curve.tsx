import type { SweepStep } from '../../../embedding/engine/engine.ts';
import { formatCount } from '../../../lib/format.ts';
import { percent } from './dimension-words.ts';

interface RecallCurveProps {
  steps: readonly SweepStep[];
  /** The size that the views look at. */
  at: number;
  onPick: (step: number) => void;
}

const width = 430;
const left = 44;
const right = 412;
const top = 18;
const bottom = 152;

/** How much of the neighbours each size keeps, with the interval of chance; the table beneath says the same. */
export function RecallCurve({ steps, at, onPick }: RecallCurveProps) {
  const least = Math.min(...steps.map(({ recall, sameNearest }) => Math.min(recall.low, sameNearest.mean)));
  const low = Math.min(0.9, Math.floor(least * 10) / 10);
  const lines = [0, 1, 2, 3, 4].map((line) => low + ((1 - low) * line) / 4);
  const x = (step: number) => left + ((right - left) * step) / Math.max(1, steps.length - 1);
  const y = (share: number) => bottom - ((bottom - top) * (share - low)) / (1 - low);
  const pathOf = (shareOf: (step: SweepStep) => number) =>
    steps
      .map((step, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(shareOf(step)).toFixed(1)}`)
      .join('');
  const band = `${pathOf(({ recall }) => recall.high)}${steps
    .map((step, index) => `L${x(index).toFixed(1)} ${y(step.recall.low).toFixed(1)}`)
    .toReversed()
    .join('')}Z`;
  const here = x(at);

  return (
    <svg
      className="recall-curve"
      viewBox={`0 0 ${width} 178`}
      role="img"
      aria-label="Neighbours kept at each size"
    >
      <path className="grid" d={lines.map((share) => `M38 ${Math.round(y(share)) + 0.5}H422`).join('')} />
      {lines.map((share) => (
        <text key={share} x="32" y={y(share) + 4} textAnchor="end">
          {Math.round(share * 100)}%
        </text>
      ))}
      <path className="chance" d={band} />
      <path className="needle" d={`M${here} 8V156`} />
      <path className="needle-head" d={`M${here - 4} 3h8l-4 5.5z`} />
      <path className="same-nearest" d={pathOf(({ sameNearest }) => sameNearest.mean)} />
      <path className="same-top" d={pathOf(({ recall }) => recall.mean)} />
      {steps.map(({ dimensions, sameNearest, recall, k }, index) => (
        <g key={dimensions} onClick={() => onPick(index)}>
          <title>
            {`${formatCount(dimensions)}: same top ${k} ${percent(recall.mean)}, same nearest ${percent(sameNearest.mean)}`}
          </title>
          <rect className="hit" x={x(index) - 18} y="0" width="36" height="178" />
          <rect
            className="same-nearest"
            x={x(index) - 2.5}
            y={y(sameNearest.mean) - 2.5}
            width="5"
            height="5"
          />
          <circle className="same-top" cx={x(index)} cy={y(recall.mean)} r="3.25" />
          <text className={index === at ? 'on' : ''} x={x(index)} y="172" textAnchor="middle">
            {formatCount(dimensions)}
          </text>
        </g>
      ))}
    </svg>
  );
}
