import { pluralize } from '../../../lib/format.ts';
import { getColumnLetter } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { useImportedFieldCount } from '../provider-fields.ts';
import { useTrial, useFullTrialState } from '../use-trial.ts';
import {
  describePlan,
  formatPastPairs,
  formatPlanDuration,
  formatPlanSize,
  getPlanHints,
  getRunBlocker,
} from './format-plan.ts';
import { PlanRuler } from './plan-ruler.tsx';
import { formatPercent } from './rich-text.ts';

/** Shares of cases in which the baseline alone may pass; the more, the more cases a difference takes. */
const reverseShares = [0.05, 0.1, 0.2];

const formatShare = (share: number): string => `${formatPercent(share)} of 100 cases`;

/** Cost and power of a draft trial, in the place where the verdict will be. */
export function PlanRegion() {
  const openTrial = useTrial();
  const state = useFullTrialState();
  const { trial, plan } = state;
  const { pastReverseShare } = plan;
  const disabledReason = getRunBlocker(state);
  const importedFieldCount = useImportedFieldCount();
  const baselineLetter = getColumnLetter(trial.columns.findIndex(({ id }) => id === trial.baseline));
  return (
    <section
      aria-label="Plan"
      data-region
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-10 gap-y-2 border-b border-line bg-paper px-4 pt-3.5 pb-3 max-tablet:grid-cols-1"
    >
      <div className="min-w-0">
        <h2 className="text-22 leading-[31px] font-[450] tracking-[-0.011em] text-balance">
          {`${formatPlanSize(plan)}, `}
          <b className="font-[650] whitespace-nowrap">{formatPlanDuration(plan)}</b>
        </h2>
        <p className="mt-1.5 max-w-[90ch] text-13 text-pretty text-ink-2">{describePlan(state).join(' ')}</p>
        <p className="mt-1.5 max-w-[100ch] text-12 text-pretty text-ink-3">
          {disabledReason !== undefined && <b className="font-[550] text-warn-ink">{disabledReason} </b>}
          {getPlanHints(state).join(' ')}
        </p>
        {importedFieldCount > 0 && (
          <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-12 text-warn-ink">
            Also sends {pluralize(importedFieldCount, 'extra field')} from the imported file.
            <Button size="small" onClick={openTrial.dropImportedFields}>
              Leave out
            </Button>
          </p>
        )}
      </div>
      {trial.columns.length > 1 && (
        <div>
          <PlanRuler trial={trial} plan={plan} />
          <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-ink-3">
            <span>If {baselineLetter} alone passes</span>
            <Select
              label="Cases that only the baseline passes"
              value={pastReverseShare && trial.reverseShare === undefined ? '' : String(plan.reverseShare)}
              options={[
                ...(pastReverseShare
                  ? [{ value: '', label: formatShare(pastReverseShare.share), note: 'earlier trials' }]
                  : []),
                ...reverseShares.map((share) => ({ value: String(share), label: formatShare(share) })),
              ]}
              onChange={(share) => openTrial.setReverseShare(share === '' ? undefined : Number(share))}
            />
            {pastReverseShare && trial.reverseShare === undefined && (
              <span>{formatPastPairs(pastReverseShare)}</span>
            )}
          </p>
        </div>
      )}
    </section>
  );
}
