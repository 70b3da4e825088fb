import { getColumnLetter } from '../../../trials/trial.ts';
import type { Verdict } from '../../../trials/verdict.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { Copy } from '../../../ui/late-icons.tsx';
import type { ColumnName } from '../format-columns.ts';
import { useTrialState } from '../use-trial.ts';
import { DifferencePlot } from './difference-plot.tsx';
import { DisclosurePanel } from './disclosure-panel.tsx';
import {
  describeCountsSource,
  countsHeaders,
  describeCounts,
  formatCountsRow,
  formatCountsAsText,
} from './format-counts.ts';
import type { VerdictText } from './format-verdict.ts';
import { VerdictSentences } from './verdict-sentence.tsx';

interface CountsTableProps {
  verdict: Verdict;
  text: VerdictText;
  names: readonly ColumnName[];
}

/** Sentences, differences and numbers behind the verdict, overlaying the cases. */
export function CountsTable({ verdict, text: { details, tradeOffs, method }, names }: CountsTableProps) {
  const trial = useTrialState((state) => state.trial);
  const baselineLetter = getColumnLetter(verdict.baseline);
  return (
    <DisclosurePanel title={<h3 className="text-15 font-[600]">How this is calculated</h3>}>
      <div className="grid grid-cols-1 gap-2 px-4 pt-2 pb-4 text-13 text-ink-2">
        {[details, tradeOffs, [[method]]].map((sentences, index) => (
          <p key={index} className="text-pretty empty:hidden">
            <VerdictSentences sentences={sentences} />
          </p>
        ))}
        {verdict.comparisons.some(({ units }) => units > 0) && (
          <DifferencePlot verdict={verdict} names={names} margin={trial.margin} />
        )}
      </div>
      <div className="overflow-x-auto px-4" tabIndex={0} role="region" aria-label="Counts">
        <table aria-label="Counts" className="w-full border-collapse whitespace-nowrap">
          <thead>
            <tr className="text-right text-11 text-ink-3 [&>th]:py-2 [&>th]:pl-5 [&>th]:font-[500]">
              <th scope="col">
                <span className="sr-only">Comparison</span>
              </th>
              {countsHeaders.map((header) => (
                <th key={header} scope="col">
                  {header === 'only the baseline' ? `only ${baselineLetter}` : header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {verdict.comparisons.map((comparison) => (
              <tr key={comparison.column} className="border-t border-line">
                <th scope="row" className="py-2 text-left font-[450]">
                  <span className="flex items-center gap-2">
                    <LaneTile letter={getColumnLetter(comparison.column)} />
                    <span className="sr-only">{getColumnLetter(comparison.column)} </span>
                    <span className="text-ink-3">against</span>
                    <LaneTile letter={baselineLetter} />
                    <span className="sr-only"> {baselineLetter}</span>
                  </span>
                </th>
                {formatCountsRow(comparison).map((cell, index) => (
                  <td
                    key={countsHeaders[index]}
                    className={`pl-5 text-right ${index === 1 || index === 2 || index === 5 || index === 7 ? 'font-[600]' : index === 8 ? 'text-ink-2' : ''}`}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="grid grid-cols-2 gap-8 border-t border-line px-4 py-4 text-13 text-ink-2 max-phone:grid-cols-1 max-phone:gap-3">
        {describeCounts(verdict, { baseline: baselineLetter }).map(({ lead, body }) => (
          <p key={lead} className="text-pretty">
            <b className="font-[600] text-ink">{lead}</b>
            {body}
          </p>
        ))}
      </div>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-12 text-ink-2">
        <span className="min-w-60 flex-1">{describeCountsSource(verdict, trial)}</span>
        <Button variant="ghost" onClick={() => void copyText(formatCountsAsText(verdict, trial))}>
          <Copy className="icon-14" aria-hidden />
          Copy as text
        </Button>
      </footer>
    </DisclosurePanel>
  );
}
