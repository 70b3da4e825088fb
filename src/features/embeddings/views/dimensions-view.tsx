import type { SweepStep } from '../../../embedding/engine/engine.ts';
import { cutsOf } from '../../../embedding/items/model-dimensions.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { seed, shownSet } from '../../../state/lab/lab-state.ts';
import { QuestionMark } from '../../../ui/overlays/help-tip.tsx';
import { GroupMark } from '../group-icon.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { TextButton } from '../text-button.tsx';
import { bytesWords, percent, shareWords } from './format-dimensions.ts';
import { useVectors, viewOf, type ShownView } from './use-vectors.ts';
import { ViewBlank, ViewFrame, ViewScroll } from './view-frame.tsx';

/** Of so few texts the ten nearest would be nearly all. */
const fewTexts = 100;

/** What shorter vectors would lose, from the full ones alone: no request. */
export function DimensionsView({ shown: { set } }: { shown: ShownView }) {
  const { cutTo } = useLab();
  const cut = useLabState((state) => state.cut);
  const texts = useLabState((state) => state.texts);
  const hasGroups = useLabState((state) => state.groups.length > 1);
  const count = set.rows.length;
  const cuts = cutsOf(set.dimensions);
  const k = count < fewTexts ? Math.min(5, count - 1) : 10;
  const isEnough = count > 2 && cuts.length > 1;
  const { data, error } = useVectors(
    viewOf(set),
    ['sweep', k],
    async (engine, view, signal) => {
      const labels = Int32Array.from(set.rows, (text) => texts[text]?.group ?? -1);
      return await engine.sweep(
        view.set,
        { dimensions: cuts, k, seed, ...(hasGroups ? { labels } : {}) },
        { signal },
      );
    },
    { isWanted: isEnough },
  );
  const at = Math.max(0, cuts.indexOf(Math.min(cut ?? Infinity, cuts.at(-1) ?? 0)));
  const step = data?.[at];
  const full = data?.at(-1);
  const isFull = step === full;
  const pick = (place: number) => {
    const next = cuts[place];
    if (next !== undefined) cutTo(next);
  };

  return (
    <ViewFrame
      title="Dimensions"
      note={
        data && (
          <span className="inline-flex items-center">
            <CurveLegend k={k} />
            <QuestionMark about="Dimensions">
              {`What is kept when each vector is cut: the share of a text’s nearest ${k}, and of its nearest one, that stay the same.`}
            </QuestionMark>
          </span>
        )
      }
    >
      {!isEnough && <ViewBlank>{whyNothing(count)}</ViewBlank>}
      {error && <ViewBlank>{error.message}</ViewBlank>}
      {isEnough && !error && !data && <ViewBlank>Comparing every size with the full size</ViewBlank>}
      {data && step && (
        <ViewScroll>
          <div className="max-w-[520px]">
            <RecallCurve steps={data} at={at} onPick={pick} />
            {/* Its stops lie under those of the curve; the middle of the thumb never reaches the ends. */}
            <input
              type="range"
              className="ml-[calc(10.23%-8px)] block h-6 w-[calc(85.6%+16px)] accent-ink"
              aria-label="Dimensions used by the views"
              aria-valuetext={`${formatCount(step.dimensions)} dimensions`}
              min={0}
              max={cuts.length - 1}
              step={1}
              value={at}
              onInput={(event) => pick(event.currentTarget.valueAsNumber)}
            />
          </div>
          <p className="text-12 text-ink-3 pointer-coarse:hidden">
            <kbd>[</kbd> <kbd>]</kbd> change the size in every view.
          </p>
          {isFull ? (
            <p className="max-w-[70ch] pt-1 pb-2.5 text-pretty text-ink-2 [&>b]:font-semibold [&>b]:text-ink">
              <b>{formatCount(step.dimensions)} is the full size.</b> A vector takes{' '}
              {bytesWords(step.bytesPerVector)}, these {formatCount(count)} texts{' '}
              {bytesWords(step.bytesPerVector * count)}.
            </p>
          ) : (
            <CutWords step={step} full={full ?? step} />
          )}
          <SweepTable steps={data} at={at} count={count} onPick={pick} />
          <section className="pt-3.5" aria-label="Texts whose neighbours change">
            {isFull ? (
              <h3 className="py-1.5 text-12 font-semibold">
                All texts keep the same top {step.k}
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

/** What a smaller size keeps, and what it saves. */
function CutWords({ step, full }: { step: SweepStep; full: SweepStep }) {
  const { dimensions, bytesPerVector, k, recall } = step;
  return (
    <p className="max-w-[70ch] pt-1 pb-2.5 text-pretty text-ink-2 [&>b]:font-semibold [&>b]:text-ink">
      <b>
        {formatCount(dimensions)} keeps {percent(recall.mean)} of each text’s top {k}
      </b>{' '}
      in {shareWords(bytesPerVector / full.bytesPerVector)} of the storage of {formatCount(full.dimensions)} (
      {bytesWords(bytesPerVector)} instead of {bytesWords(full.bytesPerVector)} per vector). For similar texts
      expect {percent(recall.low)} to {percent(recall.high)}.
    </p>
  );
}

const mostListed = 20;

/** The texts whose neighbours a size breaks, the most broken first. */
function BrokenTexts({ step }: { step: SweepStep }) {
  const { select } = useLab();
  const set = useLabState(shownSet);
  const texts = useLabState((state) => state.texts);
  const groups = useLabState((state) => state.groups);
  const broken = Array.from(step.queries, (row, place) => ({ row, kept: step.kept[place] ?? 0 }))
    .filter(({ kept }) => kept < step.k)
    .toSorted((one, other) => one.kept - other.kept || one.row - other.row);
  const isSample = step.queries.length < (set?.rows.length ?? 0);
  return (
    <>
      <h3 className="py-1.5 text-12 font-semibold">
        {broken.length === 0
          ? `All texts keep the same top ${step.k}`
          : `${formatCount(broken.length)} of ${pluralize(step.queries.length, 'text')} ${broken.length === 1 ? 'loses' : 'lose'} part of the top ${step.k}`}
        {isSample && ' (a sample)'}
      </h3>
      <ul>
        {broken.slice(0, mostListed).map(({ row, kept }) => {
          const place = set?.rows[row] ?? row;
          const text = texts[place];
          return (
            <li key={row} className="flex min-h-7 items-center gap-2 border-t border-line text-12">
              <GroupMark group={text?.group} name={groups[text?.group ?? -1]} />
              <TextButton onPick={() => select(place)}>{text?.text}</TextButton>
              <span className="text-ink-3">
                keeps {kept} of {step.k}
              </span>
            </li>
          );
        })}
      </ul>
      {broken.length > mostListed && (
        <p className="text-ink-3">and {formatCount(broken.length - mostListed)} more</p>
      )}
    </>
  );
}

function whyNothing(count: number): string {
  return count <= 2 ? 'Too few texts to compare.' : 'These vectors cannot be cut shorter.';
}

const topLine = 'fill-none stroke-ink [stroke-width:1.75]';
const nearestLine = 'fill-none stroke-edge [stroke-width:1.5] [stroke-dasharray:4_3]';
const nearestMark = 'fill-paper stroke-edge [stroke-width:1.5]';

function CurveLegend({ k }: { k: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-ink-2">
      <svg width="22" height="8" aria-hidden>
        <path className={topLine} d="M0 4H22" />
        <circle className="fill-ink stroke-paper" cx="11" cy="4" r="3.25" />
      </svg>
      same top {k}
      <svg width="22" height="8" aria-hidden>
        <path className={nearestLine} d="M0 4H22" />
        <rect className={nearestMark} x="8.5" y="1.5" width="5" height="5" />
      </svg>
      same nearest
    </span>
  );
}

interface RecallCurveProps {
  steps: readonly SweepStep[];
  /** The size that the views look at. */
  at: number;
  onPick: (step: number) => void;
}

/** Where the curve stands in its drawing. */
const plot = { width: 430, left: 44, right: 412, top: 18, bottom: 152 };

/** How much of the neighbours each size keeps, with the interval of chance; the table beneath says the same. */
function RecallCurve({ steps, at, onPick }: RecallCurveProps) {
  const least = Math.min(...steps.map(({ recall, sameNearest }) => Math.min(recall.low, sameNearest.mean)));
  const low = Math.min(0.9, Math.floor(least * 10) / 10);
  const lines = [0, 1, 2, 3, 4].map((line) => low + ((1 - low) * line) / 4);
  const x = (step: number) => plot.left + ((plot.right - plot.left) * step) / Math.max(1, steps.length - 1);
  const y = (share: number) => plot.bottom - ((plot.bottom - plot.top) * (share - low)) / (1 - low);
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
      className="block w-full [&_text]:fill-ink-3 [&_text]:text-[11px]"
      viewBox={`0 0 ${plot.width} 178`}
      role="img"
      aria-label="Neighbours kept at each size"
    >
      <path
        className="stroke-line"
        d={lines.map((share) => `M38 ${Math.round(y(share)) + 0.5}H422`).join('')}
      />
      {lines.map((share) => (
        <text key={share} x="32" y={y(share) + 4} textAnchor="end">
          {Math.round(share * 100)}%
        </text>
      ))}
      <path className="fill-sunken" d={band} />
      <path className="stroke-needle [stroke-width:1.5]" d={`M${here} 8V156`} />
      <path className="fill-needle" d={`M${here - 4} 3h8l-4 5.5z`} />
      <path className={nearestLine} d={pathOf(({ sameNearest }) => sameNearest.mean)} />
      <path className={topLine} d={pathOf(({ recall }) => recall.mean)} />
      {steps.map(({ dimensions, sameNearest, recall, k }, index) => (
        <g key={dimensions} onClick={() => onPick(index)}>
          <title>
            {`${formatCount(dimensions)}: same top ${k} ${percent(recall.mean)}, same nearest ${percent(sameNearest.mean)}`}
          </title>
          <rect className="cursor-pointer fill-transparent" x={x(index) - 18} y="0" width="36" height="178" />
          <rect
            className={nearestMark}
            x={x(index) - 2.5}
            y={y(sameNearest.mean) - 2.5}
            width="5"
            height="5"
          />
          <circle className="fill-ink stroke-paper" cx={x(index)} cy={y(recall.mean)} r="3.25" />
          <text
            className={index === at ? 'fill-needle-ink! font-[650]' : ''}
            x={x(index)}
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
  at: number;
  /** Texts in all. */
  count: number;
  onPick: (step: number) => void;
}

/** The curve in numbers. */
function SweepTable({ steps, at, count, onPick }: SweepTableProps) {
  const hasLabels = steps.some(({ sameLabel }) => sameLabel !== undefined);
  const k = steps[0]?.k ?? 0;
  return (
    <div
      className="[scrollbar-width:thin] overflow-x-auto"
      role="region"
      tabIndex={0}
      aria-label="Every size in numbers"
    >
      <table className="lab-table">
        <thead>
          <tr>
            <th scope="col">Dimensions</th>
            <th scope="col">Same top {k}</th>
            <th scope="col">95% interval</th>
            <th scope="col">Same nearest</th>
            <th scope="col">
              Rank agreement, near
              <QuestionMark about="Rank agreement, near">
                Spearman correlation with the similarities at full size, among near pairs: 1 is the same
                order.
              </QuestionMark>
            </th>
            <th scope="col">
              Rank agreement, random
              <QuestionMark about="Rank agreement, random">
                The same correlation for pairs that are drawn at random.
              </QuestionMark>
            </th>
            {hasLabels && (
              <th scope="col">
                Own group
                <QuestionMark about="Own group">
                  {`The share of texts that a vote of their ${k} nearest puts into their own group.`}
                </QuestionMark>
              </th>
            )}
            <th scope="col">Per vector</th>
            <th scope="col">{formatCount(count)} texts</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.dimensions} className={index === at ? 'bg-needle-wash' : ''}>
              <th scope="row">
                <button
                  type="button"
                  className={`min-h-6 hover:underline ${index === at ? 'font-[650] text-needle-ink' : 'font-medium'}`}
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
