import { plainWords } from '../../../trials/verdict-words.ts';
import { openingWords } from '../progress/progress-words.ts';
import { useTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import { CountsTable } from './counts-table.tsx';
import { DifferencePlot, plotHeightPx } from './difference-plot.tsx';
import { Sentence } from './sentence.tsx';

/** What the trial shows so far, in one sentence; what else is true; how it was counted; and the plot beside it. */
export function VerdictRegion() {
  const words = useTrialState((state) => state.words);
  const verdict = useTrialState((state) => state.verdict);
  const opening = useTrialState((state) => state.opening);
  const names = useTrialState((state) => state.names);
  const trial = useTrialState((state) => state.trial);
  const isCounted = useTrialView((view) => view.isCounted);
  const view = useTrialViewStore();
  const isFound = verdict?.comparisons.some(({ outcome }) =>
    ['better', 'worse', 'about the same'].includes(outcome),
  );
  const below = words.below.flatMap((sentence, index) => (index === 0 ? [sentence] : [[' '], sentence]));
  const hasPlot = verdict?.comparisons.some(({ units }) => units > 0) === true;
  return (
    <section
      aria-label="Verdict"
      aria-busy={opening !== undefined}
      data-region
      className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-10 gap-y-2 border-b border-line bg-paper px-4 pt-3.5 pb-3 max-[1100px]:grid-cols-1"
    >
      <div className="min-w-0">
        <h2
          className={`max-w-[46ch] text-22 leading-[31px] font-[450] tracking-[-0.011em] text-balance ${isFound ? 'text-ink' : 'text-ink-2'}`}
          title={opening ? undefined : plainWords(words.first)}
        >
          {opening ? (
            'The verdict follows when all answers are counted'
          ) : (
            <Sentence words={words.first} big />
          )}
        </h2>
        {below.length > 0 && (
          <p className="mt-1.5 max-w-[90ch] text-13 text-pretty text-ink-2">
            {below.map((sentence, index) => (
              <Sentence key={index} words={sentence} />
            ))}
          </p>
        )}
        <p className="mt-1.5 max-w-[100ch] text-12 text-ink-3">
          {opening ? `${openingWords(opening)}.` : words.method}{' '}
          {verdict && (
            <button
              type="button"
              className="text-ink-2 underline decoration-line-2 underline-offset-3 hover:text-ink max-phone:min-h-6"
              aria-expanded={isCounted}
              onClick={() => view.setState({ isCounted: !isCounted })}
            >
              How this is counted
            </button>
          )}
        </p>
      </div>
      {hasPlot && (
        <DifferencePlot
          verdict={verdict}
          names={names}
          margin={trial.margin}
          isRunning={trial.state.name === 'running'}
        />
      )}
      {opening && trial.plan && (
        // Room for the plot to come, so that what stands below moves little.
        <div aria-hidden style={{ height: plotHeightPx(trial.plan.columns.length - 1) }} />
      )}
      {isCounted && verdict && <CountsTable verdict={verdict} />}
    </section>
  );
}
