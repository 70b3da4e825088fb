import type { SweepStep } from '../../../embedding/engine/engine.ts';
import { listSizesUpTo } from '../../../embedding/items/model-dimensions.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { labSeed, getShownSet } from '../../../state/lab/lab-state.ts';
import { HelpTip } from '../../../ui/overlays/help-tip.tsx';
import { GroupIcon } from '../group-icon.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { TextLink } from '../text-link.tsx';
import { formatBinaryBytes, formatPercent, formatFraction } from './lab-number-format.ts';
import { LabTable } from './lab-table.tsx';
import { useVectorQuery, createSetView, type SetViewModel } from './use-vector-query.ts';
import { ViewEmptyState, ViewFrame, ViewScroll } from './view-frame.tsx';

/** Minimum number of texts for which ten neighbours are compared; among fewer texts, ten would be too large a share. */
const minTextsForTopTen = 100;

/** Loss caused by shorter vectors, computed from the full vectors without a request. */
export function DimensionsView({ setView: { set } }: { setView: SetViewModel }) {
  const { setShownDimensions } = useLab();
  const shownDimensions = useLabState((state) => state.shownDimensions);
  const texts = useLabState((state) => state.texts);
  const hasGroups = useLabState((state) => state.groups.length > 1);
  const count = set.rows.length;
  const sizes = listSizesUpTo(set.dimensions);
  const k = count < minTextsForTopTen ? Math.min(5, count - 1) : 10;
  const canCompare = count > 2 && sizes.length > 1;
  const { data, error } = useVectorQuery(
    createSetView(set),
    ['sweep', k],
    async (engine, view, signal) => {
      const labels = Int32Array.from(set.rows, (text) => texts[text]?.group ?? -1);
      return await engine.sweep(
        view.set,
        { dimensions: sizes, k, seed: labSeed, ...(hasGroups ? { labels } : {}) },
        { signal },
      );
    },
    { isEnabled: canCompare },
  );
  const stepIndex = Math.max(0, sizes.indexOf(Math.min(shownDimensions ?? Infinity, sizes.at(-1) ?? 0)));
  const step = data?.[stepIndex];
  const fullStep = data?.at(-1);
  const isFull = step === fullStep;
  const pickStep = (index: number) => {
    const next = sizes[index];
    if (next !== undefined) setShownDimensions(next);
  };

  return (
    <ViewFrame
      title="Dimensions"
      note={
        data && (
          <span className="inline-flex items-center">
            <CurveLegend k={k} />
            <HelpTip subject="Dimensions">
              {`Share of top ${k} texts, and of nearest texts, preserved after truncation.`}
            </HelpTip>
          </span>
        )
      }
    >
      {!canCompare && <ViewEmptyState>{describeEmptySweep(count)}</ViewEmptyState>}
      {error && <ViewEmptyState>{error.message}</ViewEmptyState>}
      {canCompare && !error && !data && (
        <ViewEmptyState>Comparing fewer dimensions with the full size…</ViewEmptyState>
      )}
      {data && step && (
        <ViewScroll>
          <div className="max-w-[520px]">
            <RecallCurve steps={data} currentStep={stepIndex} onPick={pickStep} />
            {/* Aligns the stops of the slider with the points of the curve; the centre of the thumb never reaches
                the ends. */}
            <input
              type="range"
              className="ml-[calc(10.23%-8px)] block h-6 w-[calc(85.6%+16px)] accent-ink"
              aria-label="Dimensions in views"
              aria-valuetext={`${formatCount(step.dimensions)} dimensions`}
              min={0}
              max={sizes.length - 1}
              step={1}
              value={stepIndex}
              onInput={(event) => pickStep(event.currentTarget.valueAsNumber)}
            />
          </div>
          <p className="text-12 text-ink-3 pointer-coarse:hidden">
            <kbd>[</kbd> <kbd>]</kbd> change the number of dimensions in all views.
          </p>
          {isFull ? (
            <p className="max-w-[70ch] pt-1 pb-2.5 text-pretty text-ink-2 [&>b]:font-semibold [&>b]:text-ink">
              <b>{formatCount(step.dimensions)} dimensions is the full size.</b> Each vector takes{' '}
              {formatBinaryBytes(step.bytesPerVector)}; all {formatCount(count)} texts take{' '}
              {formatBinaryBytes(step.bytesPerVector * count)}.
            </p>
          ) : (
            <CutSummary step={step} full={fullStep ?? step} />
          )}
          <SweepTable steps={data} currentStep={stepIndex} count={count} onPick={pickStep} />
          <section className="pt-3.5" aria-label="Texts whose neighbours change">
            {isFull ? (
              <h3 className="py-1.5 text-12 font-semibold">
                The top {step.k} is unchanged for every text
                {step.queries.length < count && ' (a sample)'}
              </h3>
            ) : (
              <BrokenTexts step={step} />
            )}
          </section>
        </ViewScroll>
      )}
    </ViewFrame>
  );
}

/** Summary of the accuracy and storage size of shorter vectors. */
function CutSummary({ step, full: fullStep }: { step: SweepStep; full: SweepStep }) {
  const { dimensions, bytesPerVector, k, recall } = step;
  return (
    <p className="max-w-[70ch] pt-1 pb-2.5 text-pretty text-ink-2 [&>b]:font-semibold [&>b]:text-ink">
      <b>
        {formatCount(dimensions)} dimensions preserve {formatPercent(recall.mean)} of each text’s top {k}
      </b>{' '}
      in {formatFraction(bytesPerVector / fullStep.bytesPerVector)} of the storage of{' '}
      {formatCount(fullStep.dimensions)} ({formatBinaryBytes(bytesPerVector)} instead of{' '}
      {formatBinaryBytes(fullStep.bytesPerVector)} per vector). Expect {formatPercent(recall.low)} to{' '}
      {formatPercent(recall.high)} for similar texts.
    </p>
  );
}

const maxListed = 20;

/** Texts whose neighbours change most at a size, the worst first. */
function BrokenTexts({ step }: { step: SweepStep }) {
  const { select } = useLab();
  const set = useLabState(getShownSet);
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const brokenTexts = Array.from(step.queries, (row, index) => ({ row, kept: step.keptCounts[index] ?? 0 }))
    .filter(({ kept }) => kept < step.k)
    .toSorted((a, b) => a.kept - b.kept || a.row - b.row);
  const isSample = step.queries.length < (set?.rows.length ?? 0);
  return (
    <>
      <h3 className="py-1.5 text-12 font-semibold">
        {brokenTexts.length === 0
          ? `The top ${step.k} is unchanged for every text`
          : `${formatCount(brokenTexts.length)} of ${pluralize(step.queries.length, 'text')} ${brokenTexts.length === 1 ? 'loses' : 'lose'} part of the top ${step.k}`}
        {isSample && ' (a sample)'}
      </h3>
      <ul>
        {brokenTexts.slice(0, maxListed).map(({ row, kept }) => {
          const textIndex = set?.rows[row] ?? row;
          const text = texts[textIndex];
          return (
            <li key={row} className="flex min-h-7 items-center gap-2 border-t border-line text-12">
              <GroupIcon group={text?.group} name={groups[text?.group ?? -1]} />
              <TextLink onPick={() => select(textIndex)}>{text?.text}</TextLink>
              <span className="text-ink-3">
                keeps {kept} of {step.k}
              </span>
            </li>
          );
        })}
      </ul>
      {brokenTexts.length > maxListed && (
        <p className="text-ink-3">and {formatCount(brokenTexts.length - maxListed)} more</p>
      )}
    </>
  );
}

function describeEmptySweep(count: number): string {
  return count <= 2 ? 'Too few texts to compare.' : 'These vectors cannot be truncated further.';
}

const topLineClasses = 'fill-none stroke-ink [stroke-width:1.75]';
const nearestLineClasses = 'fill-none stroke-edge [stroke-width:1.5] [stroke-dasharray:4_3]';
const nearestMarkClasses = 'fill-paper stroke-edge [stroke-width:1.5]';

function CurveLegend({ k }: { k: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-ink-2">
      <svg width="22" height="8" aria-hidden>
        <path className={topLineClasses} d="M0 4H22" />
        <circle className="fill-ink stroke-paper" cx="11" cy="4" r="3.25" />
      </svg>
      top {k} preserved
      <svg width="22" height="8" aria-hidden>
        <path className={nearestLineClasses} d="M0 4H22" />
        <rect className={nearestMarkClasses} x="8.5" y="1.5" width="5" height="5" />
      </svg>
      nearest preserved
    </span>
  );
}

interface RecallCurveProps {
  steps: readonly SweepStep[];
  /** Size currently used by the views. */
  currentStep: number;
  onPick: (step: number) => void;
}

/** Starts of the axis, besides 0, that put its four steps at round shares. */
const axisStarts = [0.8, 0.6];

/** Plot area within the drawing. */
const plot = { width: 430, left: 44, right: 412, top: 18, bottom: 152 };

/**
 * Curve of the share of neighbours kept by each size, with its confidence interval; the table below has the same
 * numbers.
 */
function RecallCurve({ steps, currentStep, onPick }: RecallCurveProps) {
  const lowest = Math.min(
    ...steps.map(({ recall, sameNearestShare }) => Math.min(recall.low, sameNearestShare.mean)),
  );
  const low = axisStarts.find((start) => start <= lowest) ?? 0;
  const lines = [0, 1, 2, 3, 4].map((line) => low + ((1 - low) * line) / 4);
  const toX = (step: number) => plot.left + ((plot.right - plot.left) * step) / Math.max(1, steps.length - 1);
  const toY = (share: number) => plot.bottom - ((plot.bottom - plot.top) * (share - low)) / (1 - low);
  const buildPath = (getShare: (step: SweepStep) => number) =>
    steps
      .map(
        (step, index) =>
          `${index === 0 ? 'M' : 'L'}${toX(index).toFixed(1)} ${toY(getShare(step)).toFixed(1)}`,
      )
      .join('');
  const band = `${buildPath(({ recall }) => recall.high)}${steps
    .map((step, index) => `L${toX(index).toFixed(1)} ${toY(step.recall.low).toFixed(1)}`)
    .toReversed()
    .join('')}Z`;
  const currentX = toX(currentStep);

  return (
    <svg
      className="block w-full [&_text]:fill-ink-3 [&_text]:text-[11px]"
      viewBox={`0 0 ${plot.width} 178`}
      role="img"
      aria-label="Nearest neighbours preserved, by number of dimensions"
    >
      <path
        className="stroke-line"
        d={lines.map((share) => `M38 ${Math.round(toY(share)) + 0.5}H422`).join('')}
      />
      {lines.map((share) => (
        <text key={share} x="32" y={toY(share) + 4} textAnchor="end">
          {Number((share * 100).toFixed(1))}%
        </text>
      ))}
      <path className="fill-sunken" d={band} />
      <path className="stroke-needle [stroke-width:1.5]" d={`M${currentX} 8V156`} />
      <path className="fill-needle" d={`M${currentX - 4} 3h8l-4 5.5z`} />
      <path className={nearestLineClasses} d={buildPath(({ sameNearestShare }) => sameNearestShare.mean)} />
      <path className={topLineClasses} d={buildPath(({ recall }) => recall.mean)} />
      {steps.map(({ dimensions, sameNearestShare, recall, k }, index) => (
        <g key={dimensions} onClick={() => onPick(index)}>
          <title>
            {`${formatCount(dimensions)}: top ${k} preserved ${formatPercent(recall.mean)}, nearest preserved ${formatPercent(sameNearestShare.mean)}`}
          </title>
          <rect
            className="cursor-pointer fill-transparent"
            x={toX(index) - 18}
            y="0"
            width="36"
            height="178"
          />
          <rect
            className={nearestMarkClasses}
            x={toX(index) - 2.5}
            y={toY(sameNearestShare.mean) - 2.5}
            width="5"
            height="5"
          />
          <circle className="fill-ink stroke-paper" cx={toX(index)} cy={toY(recall.mean)} r="3.25" />
          <text
            className={index === currentStep ? 'fill-needle-ink! font-[650]' : ''}
            x={toX(index)}
            y="172"
            textAnchor="middle"
          >
            {formatCount(dimensions)}
          </text>
        </g>
      ))}
    </svg>
  );
}

interface SweepTableProps {
  steps: readonly SweepStep[];
  currentStep: number;
  /** Total number of texts. */
  count: number;
  onPick: (step: number) => void;
}

/** The curve as a table. */
function SweepTable({ steps, currentStep, count, onPick }: SweepTableProps) {
  const hasLabels = steps.some(({ sameLabelShare }) => sameLabelShare !== undefined);
  const k = steps[0]?.k ?? 0;
  return (
    <LabTable label="Results by number of dimensions">
      <thead>
        <tr>
          <th scope="col">Dimensions</th>
          <th scope="col">Top {k} preserved</th>
          <th scope="col">95% interval</th>
          <th scope="col">Nearest preserved</th>
          <th scope="col">
            Rank correlation, near pairs
            <HelpTip subject="Rank correlation, near pairs">
              Spearman correlation with the similarities at full size, for near pairs. 1 means the same order.
            </HelpTip>
          </th>
          <th scope="col">
            Rank correlation, random pairs
            <HelpTip subject="Rank correlation, random pairs">
              Spearman correlation with the similarities at full size, for random pairs. 1 means the same
              order.
            </HelpTip>
          </th>
          {hasLabels && (
            <th scope="col">
              Own group
              <HelpTip subject="Own group">
                {k === 1
                  ? 'Share of texts whose nearest text is from their own group.'
                  : `Share of texts whose ${k} nearest texts are mostly from their own group.`}
              </HelpTip>
            </th>
          )}
          <th scope="col">Per vector</th>
          <th scope="col">{formatCount(count)} texts</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, index) => (
          <tr key={step.dimensions} className={index === currentStep ? 'bg-needle-wash' : ''}>
            <th scope="row">
              <button
                type="button"
                className={`min-h-6 hover:underline ${index === currentStep ? 'font-[650] text-needle-ink' : 'font-medium'}`}
                aria-pressed={index === currentStep}
                onClick={() => onPick(index)}
              >
                {formatCount(step.dimensions)}
              </button>
            </th>
            <td>{formatPercent(step.recall.mean)}</td>
            <td>
              {formatPercent(step.recall.low)} to {formatPercent(step.recall.high)}
            </td>
            <td>{formatPercent(step.sameNearestShare.mean)}</td>
            <td>{step.rankCorrelation.near.toFixed(3)}</td>
            <td>{step.rankCorrelation.random.toFixed(3)}</td>
            {hasLabels && (
              <td>{step.sameLabelShare === undefined ? 'none' : formatPercent(step.sameLabelShare)}</td>
            )}
            <td>{formatBinaryBytes(step.bytesPerVector)}</td>
            <td>{formatBinaryBytes(step.bytesPerVector * count)}</td>
          </tr>
        ))}
      </tbody>
    </LabTable>
  );
}
