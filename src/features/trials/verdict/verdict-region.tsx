import { clsx } from 'clsx';

import { getColumnNames, type ColumnName } from '../format-columns.ts';
import { describeLoading } from '../progress/format-progress.ts';
import { useTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import { CountsTable } from './counts-table.tsx';
import { DifferencePlot, getPlotHeightPx } from './difference-plot.tsx';
import { describeVerdict } from './format-verdict.ts';
import { toPlainText } from './rich-text.ts';
import { VerdictSentence } from './verdict-sentence.tsx';

const maxLargeHeadlineChars = 140;

/** Verdict so far in one sentence, with details, method and the plot. */
export function VerdictRegion() {
  const verdict = useTrialState((state) => state.verdict);
  const verdictContext = useTrialState((state) => state.verdictContext);
  const columnStats = useTrialState((state) => state.columnStats);
  const loading = useTrialState((state) => state.loading);
  const trial = useTrialState((state) => state.trial);
  const isMethodOpen = useTrialView((view) => view.isMethodOpen);
  const view = useTrialViewStore();
  const verdictText = describeVerdict({ verdict, verdictContext, columnStats });
  const names = getColumnNames(trial.columns, verdictContext.limits);
  const hasFinding = verdict?.comparisons.some(({ outcome }) =>
    ['better', 'worse', 'about the same'].includes(outcome),
  );
  const details = verdictText.details.flatMap((sentence, index) =>
    index === 0 ? [sentence] : [[' '], sentence],
  );
  const hasPlot = verdict?.comparisons.some(({ units }) => units > 0) === true;
  const headline = toPlainText(verdictText.first);
  const placeholder = createPlaceholderText(
    names,
    trial.columns.findIndex(({ id }) => id === trial.baseline),
  );
  return (
    <section
      aria-label="Verdict"
      aria-busy={loading !== undefined}
      data-region
      className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-10 gap-y-2 border-b border-line bg-paper px-4 pt-3.5 pb-3 max-tablet:grid-cols-1"
    >
      <div className="grid min-w-0">
        <div className="col-start-1 row-start-1 min-w-0">
          {/* The key lets the sentence fade in when a finding appears or disappears, but not at every answer. */}
          <h2
            key={loading ? 'loading' : String(hasFinding)}
            className={clsx(
              'animate-[fade_var(--d-2)_var(--ease-out)]',
              headline.length > maxLargeHeadlineChars
                ? 'max-w-[90ch] text-15 leading-6 font-450 text-pretty'
                : // The line height is the same with and without a tile.
                  'max-w-[46ch] text-22 leading-[33px] font-450 tracking-[-0.011em] text-balance',
              hasFinding ? 'text-ink' : 'text-ink-2',
            )}
            title={loading ? undefined : headline}
          >
            {loading ? (
              'The verdict appears once all answers are counted'
            ) : (
              <VerdictSentence
                text={verdictText.first}
                isHeadline={headline.length <= maxLargeHeadlineChars}
              />
            )}
          </h2>
          {details.length > 0 && (
            <p className="mt-1.5 max-w-[90ch] text-13 leading-[21px] text-pretty text-ink-2">
              {details.map((sentence, index) => (
                <VerdictSentence key={index} text={sentence} />
              ))}
            </p>
          )}
          <p className="mt-1.5 max-w-[100ch] text-12 text-ink-3">
            {loading ? `${describeLoading(loading)}.` : verdictText.method}{' '}
            {verdict && (
              <button
                type="button"
                className="text-ink-2 underline decoration-line-2 underline-offset-3 hover:text-ink max-phone:min-h-6"
                aria-expanded={isMethodOpen}
                onClick={() => view.setState({ isMethodOpen: !isMethodOpen })}
              >
                How this is calculated
              </button>
            )}
          </p>
        </div>
        {/* Uses the width available beside an open cell, so that opening a cell does not move the cases. */}
        <div
          aria-hidden
          className="invisible col-start-1 row-start-1 max-w-155 min-w-0 max-phone:hidden [&>*]:after:content-[attr(data-placeholder)]"
        >
          <p
            className="max-w-[46ch] text-22 leading-[33px] font-450 tracking-[-0.011em] text-balance"
            data-placeholder={placeholder.first}
          />
          <p
            className="mt-1.5 max-w-[90ch] text-13 leading-[21px] text-pretty"
            data-placeholder={placeholder.details}
          />
          <p className="mt-1.5 min-h-8 max-w-[100ch] text-12" />
        </div>
      </div>
      {hasPlot ? (
        <DifferencePlot
          verdict={verdict}
          names={names}
          margin={trial.margin}
          isRunning={trial.state.name === 'running'}
        />
      ) : (
        trial.columns.length > 1 && (
          <div aria-hidden style={{ height: getPlotHeightPx(trial.columns.length - 1) }} />
        )
      )}
      {isMethodOpen && verdict && <CountsTable verdict={verdict} />}
    </section>
  );
}

/**
 * Creates sentences as long as a typical verdict on these columns. They are laid out invisibly to reserve space, so
 * that the cases below do not move when the verdict changes.
 */
function createPlaceholderText(
  names: readonly ColumnName[],
  baseline: number,
): { first: string; details: string } {
  // Includes space for the tile before each name.
  const labels = names.map(({ name }) => `OO ${name}`);
  const baselineLabel = labels[baseline] ?? '';
  const [longest = '', ...otherLabels] = labels
    .filter((_, column) => column !== baseline)
    .toSorted((a, b) => b.length - a.length);
  const intervalText = '(−20 to 20)';
  const moreCasesText = 'about 1,000 more cases would tell';
  const undecidedText = otherLabels.map((name) => `${name}, behind by 10 points ${intervalText}`).join(', ');
  return {
    first: `Not decided yet: ${longest} is behind ${baselineLabel} by 10 points ${intervalText}`,
    details: [
      `${labels.map((name) => `${name} 100 of 100`).join(', ')} passed.`,
      `Few cases. If that is the true difference, ${moreCasesText}, 10 min 10 s.`,
      ...(otherLabels.length === 0
        ? []
        : [
            `are not decided yet: ${undecidedText}. If these are the true differences, ${moreCasesText} one of them, 10 min 10 s.`,
          ]),
      `6 % gave no answer in ${longest}: its rate is between 69 and 72 %.`,
    ].join(' '),
  };
}
