import { plainWords } from '../../../trials/describe-verdict.ts';
import { openingWords } from '../progress/format-progress.ts';
import { useTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import { CountsTable } from './counts-table.tsx';
import { DifferencePlot, plotHeightPx } from './difference-plot.tsx';
import { roomWords } from './verdict-placeholder.ts';
import { Sentence } from './verdict-sentence.tsx';

// Lines are as high with a tile as without.
const firstLook = 'max-w-[46ch] text-22 leading-[33px] font-[450] tracking-[-0.011em] text-balance';
/** A sentence about many columns fills the region like a paragraph: it is set like one. */
const longFirstLook = 'max-w-[90ch] text-15 leading-6 font-[450] text-pretty';
const belowLook = 'mt-1.5 max-w-[90ch] text-13 leading-[21px] text-pretty';
const methodLook = 'mt-1.5 max-w-[100ch] text-12';
const longFirst = 140;

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
  const first = plainWords(words.first);
  const room = roomWords(
    names,
    trial.columns.findIndex(({ id }) => id === trial.baseline),
  );
  return (
    <section
      aria-label="Verdict"
      aria-busy={opening !== undefined}
      data-region
      className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-10 gap-y-2 border-b border-line bg-paper px-4 pt-3.5 pb-3 max-[1100px]:grid-cols-1"
    >
      <div className="grid min-w-0">
        <div className="col-start-1 row-start-1 min-w-0">
          <h2
            className={`${first.length > longFirst ? longFirstLook : firstLook} ${isFound ? 'text-ink' : 'text-ink-2'}`}
            title={opening ? undefined : first}
          >
            {opening ? (
              'The verdict follows when all answers are counted'
            ) : (
              <Sentence words={words.first} big={first.length <= longFirst} />
            )}
          </h2>
          {below.length > 0 && (
            <p className={`${belowLook} text-ink-2`}>
              {below.map((sentence, index) => (
                <Sentence key={index} words={sentence} />
              ))}
            </p>
          )}
          <p className={`${methodLook} text-ink-3`}>
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
        {/* As narrow as beside an open cell: opening one moves no case. */}
        <div
          aria-hidden
          className="invisible col-start-1 row-start-1 max-w-155 min-w-0 max-phone:hidden [&>*]:after:content-[attr(data-room)]"
        >
          <p className={firstLook} data-room={room.first} />
          <p className={belowLook} data-room={room.below} />
          <p className={`${methodLook} min-h-8`} />
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
          <div aria-hidden style={{ height: plotHeightPx(trial.columns.length - 1) }} />
        )
      )}
      {isCounted && verdict && <CountsTable verdict={verdict} />}
    </section>
  );
}
