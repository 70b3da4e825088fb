import { clsx } from 'clsx';
import { useMemo, type ReactNode } from 'react';

import { pluralize } from '../../../lib/format.ts';
import type { Breakdown, BreakdownPart } from '../../../trials/breakdown.ts';
import type { Interval, RateEstimate } from '../../../trials/statistics/intervals.ts';
import { getColumnLetter } from '../../../trials/trial.ts';
import type { Verdict } from '../../../trials/verdict.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import type { ColumnName } from '../format-columns.ts';
import { valueFilterButton } from '../trial-focus-targets.ts';
import { useFullTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import { formatSignedPoints } from '../verdict/difference-plot.tsx';
import { DisclosurePanel } from '../verdict/disclosure-panel.tsx';
import { formatPointsRange } from '../verdict/rich-text.ts';
import { VerdictSentence } from '../verdict/verdict-sentence.tsx';
import {
  buildBreakdown,
  describeBreakdownRanges,
  describeContradictions,
  formatFieldValue,
  formatPartRate,
  getWholePart,
  noFieldText,
} from './format-breakdown.ts';

interface BreakdownPanelProps {
  verdict: Verdict;
  names: readonly ColumnName[];
}

/** Rates and differences for each value of a field, overlaying the cases. */
export function BreakdownPanel({ verdict, names }: BreakdownPanelProps) {
  const { trial, cases, order } = useFullTrialState();
  const view = useTrialViewStore();
  const chosenField = useTrialView(({ breakdownField }) => breakdownField);
  const fieldBreakdown = useMemo(
    () => buildBreakdown({ trial, cases, order, verdict }, chosenField),
    [trial, cases, order, verdict, chosenField],
  );
  if (!fieldBreakdown)
    return (
      <DisclosurePanel title={<h3 className="text-15 font-[600]">Breakdown</h3>}>
        <p className="px-4 pt-2 pb-4 text-13 text-ink-2">{noFieldText}</p>
      </DisclosurePanel>
    );
  const { field, fields, breakdown } = fieldBreakdown;
  const showCases = (value: string) => {
    view.setState({
      valueFilter: { field, value },
      filter: { name: 'all' },
      searchQuery: '',
      disclosure: undefined,
    });
    // The button of the filter is rendered in the next frame.
    requestAnimationFrame(() => valueFilterButton.focus());
  };
  return (
    <DisclosurePanel
      title={
        <>
          <h3 className="text-15 font-[600] whitespace-nowrap">Breakdown by</h3>
          <Select
            label="Field"
            value={field}
            options={fields.map((name) => ({ value: name, label: name }))}
            onChange={(name) => view.setState({ breakdownField: name })}
          />
        </>
      }
    >
      {describeContradictions(breakdown, verdict, field, names).map((sentence, index) => (
        <p key={index} className="px-4 pt-2 text-13 text-pretty text-warn-ink">
          <VerdictSentence text={sentence} />
        </p>
      ))}
      <div className="mt-2 overflow-x-auto" tabIndex={0} role="region" aria-label="Breakdown">
        <BreakdownTable
          breakdown={breakdown}
          verdict={verdict}
          names={names}
          field={field}
          onPick={showCases}
        />
      </div>
      <p className="border-t border-line px-4 py-2.5 text-12 text-pretty text-ink-2">
        {describeBreakdownRanges(breakdown, verdict)} Choose a value to list its cases.
      </p>
    </DisclosurePanel>
  );
}

interface BreakdownTableProps extends BreakdownPanelProps {
  breakdown: Breakdown;
  field: string;
  onPick: (value: string) => void;
}

function BreakdownTable({ breakdown, verdict, names, field, onPick }: BreakdownTableProps) {
  const { columns, baseline } = verdict;
  const wholePart = getWholePart(breakdown, verdict);
  return (
    <table aria-label={`Breakdown by ${field}`} className="w-full border-collapse whitespace-nowrap">
      <thead>
        <tr className="text-left text-12 [&>th]:px-3 [&>th]:py-2 [&>th]:font-[500]">
          <th scope="col" className="sticky left-0 bg-raised pl-4! text-ink-3">
            {field}
          </th>
          {columns.map((_, column) => (
            <th key={column} scope="col">
              <span className="flex items-center gap-1.5">
                <LaneTile letter={getColumnLetter(column)} />
                <span className="sr-only">{getColumnLetter(column)} </span>
                <span className="max-w-36 truncate max-phone:max-w-24">{names[column]?.name}</span>
                {column === baseline && columns.length > 1 && (
                  <span className="font-[450] text-ink-3">baseline</span>
                )}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {breakdown.parts.map((part) => (
          <tr key={part.value} className="relative border-t border-line bg-raised hover:bg-hover">
            <RowHeader cases={part.cases}>
              <button
                type="button"
                dir="auto"
                className="max-w-48 truncate underline decoration-line-2 underline-offset-3 after:absolute after:inset-0 max-phone:max-w-28"
                title={part.value}
                onClick={() => onPick(part.value)}
              >
                {formatFieldValue(part.value)}
              </button>
            </RowHeader>
            <PartCells part={part} />
          </tr>
        ))}
        <tr className="border-t border-line-2 bg-raised">
          <RowHeader cases={wholePart.cases}>All cases</RowHeader>
          <PartCells part={wholePart} />
        </tr>
      </tbody>
    </table>
  );
}

function RowHeader({ cases, children }: { cases: number; children: ReactNode }) {
  return (
    <th
      scope="row"
      className="sticky left-0 bg-[inherit] py-1.5 pr-3 pl-4 text-left align-top text-13 font-[550]"
    >
      <span className="block">{children}</span>
      <span className="block text-12 font-[450] text-ink-3">{pluralize(cases, 'case')}</span>
    </th>
  );
}

/** A cell for each column: its rate, and below it the difference from the baseline. */
function PartCells({ part: { rates, differences } }: { part: Pick<BreakdownPart, 'rates' | 'differences'> }) {
  return rates.map((rate, column) => {
    const difference = differences.find((candidate) => candidate.column === column);
    return (
      <td key={column} className="px-3 py-1.5 align-top text-13">
        <RateLine rate={rate} />
        {difference && <DifferenceLine {...difference} />}
      </td>
    );
  });
}

function RateLine({ rate }: { rate: RateEstimate | undefined }) {
  if (!rate) return <span className="text-ink-3">–</span>;
  const { rate: rateText, range } = formatPartRate(rate);
  return (
    <span className="block">
      <b className="font-[600]">{rateText}</b> <span className="text-12 text-ink-3">{range}</span>
    </span>
  );
}

function DifferenceLine({ difference, interval }: { difference: number; interval: Interval }) {
  const isClear = interval[0] > 0 || interval[1] < 0;
  return (
    <span className="block text-12">
      <span className={clsx(isClear ? 'font-[600] text-ink' : 'text-ink-2')}>
        {formatSignedPoints({ difference })}
      </span>
      <span className="text-ink-3"> {formatPointsRange(...interval)}</span>
    </span>
  );
}
