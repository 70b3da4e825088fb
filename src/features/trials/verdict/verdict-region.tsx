import { clsx } from 'clsx';

import { BreakdownPanel } from '../breakdown/breakdown-panel.tsx';
import { getColumnNames } from '../format-columns.ts';
import { describeLoading } from '../progress/format-progress.ts';
import { ProgressTicks, TrialProgress } from '../progress/trial-progress.tsx';
import type { TrialView } from '../trial-view.ts';
import { useTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import { CountsTable } from './counts-table.tsx';
import { describeVerdict } from './format-verdict.ts';
import { getChartHeightPx, RatesChart } from './rates-chart.tsx';
import { toPlainText } from './rich-text.ts';
import { VerdictSentence, VerdictSentences } from './verdict-sentence.tsx';

const maxLargeHeadlineChars = 110;
const minHeightPx = 120;
const paddingPx = 24;

/**
 * Verdict so far: a sentence, details, progress and the pass rates. Its height depends only on the number of columns,
 * so that the cases below never move. Text that does not fit is in "How this is calculated".
 */
export function VerdictRegion() {
  const verdict = useTrialState((state) => state.verdict);
  const verdictContext = useTrialState((state) => state.verdictContext);
  const nearMisses = useTrialState((state) => state.nearMisses);
  const columnStats = useTrialState((state) => state.columnStats);
  const loading = useTrialState((state) => state.loading);
  const trial = useTrialState((state) => state.trial);
  const disclosure = useTrialView((view) => view.disclosure);
  const verdictText = describeVerdict({ verdict, verdictContext, columnStats, nearMisses });
  const { first, details, tradeOffs, method } = verdictText;
  const names = getColumnNames(trial.columns, verdictContext.limits);
  const hasFinding = verdict?.comparisons.some(({ outcome }) =>
    ['better', 'worse', 'about the same'].includes(outcome),
  );
  const headline = toPlainText(first);
  const isLarge = headline.length <= maxLargeHeadlineChars;
  const { name: stateName } = trial.state;
  const isActive = stateName === 'running' || stateName === 'paused' || stateName === 'stopped';
  const height = Math.max(minHeightPx, paddingPx + getChartHeightPx(trial.columns.length));
  return (
    <section
      aria-label="Verdict"
      aria-busy={loading !== undefined}
      data-region
      className="sticky top-0 z-10 flex h-(--verdict-height) flex-none items-center gap-x-8 border-b border-line bg-paper px-4 max-phone:relative max-phone:h-auto max-phone:flex-col max-phone:items-stretch max-phone:gap-y-2 max-phone:py-3"
      style={{ '--verdict-height': `${height}px` }}
    >
      <div className="flex min-w-0 flex-1 flex-col self-stretch pt-2.25 pb-2.5 max-phone:p-0">
        {/* The key lets the sentence fade in when a finding appears or disappears, but not at every answer. */}
        <h2
          key={loading ? 'loading' : String(hasFinding)}
          className={clsx(
            'line-clamp-2 flex-none animate-[fade_var(--d-2)_var(--ease-out)] font-450 max-phone:line-clamp-none',
            isLarge ? 'text-18 leading-[26px] tracking-[-0.011em]' : 'text-15 leading-[26px]',
            hasFinding ? 'text-ink' : 'text-ink-2',
          )}
          title={loading ? undefined : headline}
        >
          {loading ? (
            'The verdict appears once all answers are counted'
          ) : (
            <VerdictSentence text={first} isHeadline={isLarge} />
          )}
        </h2>
        {/* Below a headline of two lines, one line of details is left, which ends with an ellipsis. */}
        <div className="[container-type:size] mt-0.5 min-h-0 flex-1 overflow-hidden max-phone:[container-type:normal]">
          <p className="line-clamp-2 text-13 text-ink-2 max-phone:line-clamp-none [@container(max-height:39px)]:line-clamp-1">
            <VerdictSentences sentences={details} />
          </p>
        </div>
        <div className="mt-1 flex h-5 flex-none items-center gap-x-3 text-12 text-ink-3 max-phone:h-auto max-phone:flex-wrap">
          {loading ? (
            <span>{describeLoading(loading)}.</span>
          ) : (
            <TrialProgress isActive={isActive}>
              <VerdictSentences sentences={[...tradeOffs, [method]]} />
            </TrialProgress>
          )}
          {verdict && (
            <>
              <DisclosureButton name="method">How this is calculated</DisclosureButton>
              {/* While requests are running, their progress takes the space. */}
              {!isActive && <DisclosureButton name="breakdown">Break down by field</DisclosureButton>}
            </>
          )}
        </div>
      </div>
      {verdict && <RatesChart verdict={verdict} names={names} isRunning={stateName === 'running'} />}
      {isActive && !loading && <ProgressTicks />}
      {disclosure === 'method' && verdict && (
        <CountsTable verdict={verdict} text={verdictText} names={names} />
      )}
      {disclosure === 'breakdown' && verdict && <BreakdownPanel verdict={verdict} names={names} />}
    </section>
  );
}

/** Button that opens or closes a panel below the verdict. */
function DisclosureButton({
  name,
  children,
}: {
  name: NonNullable<TrialView['disclosure']>;
  children: string;
}) {
  const view = useTrialViewStore();
  const isOpen = useTrialView(({ disclosure }) => disclosure === name);
  return (
    <button
      type="button"
      className="flex-none text-ink-2 underline decoration-line-2 underline-offset-3 hover:text-ink max-phone:min-h-6"
      aria-expanded={isOpen}
      onClick={() =>
        view.setState(({ breakdownField = '' }) => ({
          disclosure: isOpen ? undefined : name,
          ...(name === 'breakdown' ? { breakdownField } : {}),
        }))
      }
    >
      {children}
    </button>
  );
}
