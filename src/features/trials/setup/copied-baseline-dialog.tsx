import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { pluralize } from '../../../lib/format.ts';
import { formatRelativeTime } from '../../../lib/relative-time.ts';
import { getDisplayTitle } from '../../../lib/text/trim.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { runAndReport } from '../../../state/notices.ts';
import type { BaselineOffer } from '../../../state/trials/store/copied-baselines.ts';
import { countCases, type ColumnId } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useFullTrialState, useTrial, useTrials, useTrialViewStore } from '../use-trial.ts';

/** Dialog that adds a column of another trial with its answers, as the baseline. */
export function CopiedBaselineDialog() {
  const { environment, notices } = useAppServices();
  const trial = useTrial();
  const trials = useTrials();
  const view = useTrialViewStore();
  const { trial: data } = useFullTrialState();
  const [isCopying, setIsCopying] = useState(false);
  const [failure, setFailure] = useState<string>();
  const caseCount = countCases(data);
  const close = () => view.setState({ dialog: undefined });
  const { data: offers, error } = useQuery({
    queryKey: ['baseline offers', trial.id],
    queryFn: async () => {
      const summaries = await trials.list();
      const updateTimes = new Map(summaries.map(({ id, updatedAt }) => [id, updatedAt]));
      const baselineOffers = await trial.listBaselineOffers([...updateTimes.keys()]);
      return baselineOffers.map((offer) => ({ offer, updatedAt: updateTimes.get(offer.trialId) ?? 0 }));
    },
    gcTime: 0,
  });
  const copy = async ({ trialId }: BaselineOffer, columnId: ColumnId) => {
    setIsCopying(true);
    const result = await runAndReport(notices, () => trial.copyBaseline(trialId, columnId));
    setIsCopying(false);
    if (typeof result === 'string') setFailure(result);
    else close();
  };
  const message =
    failure ??
    error?.message ??
    (isCopying ? 'Copying answers…' : offers === undefined ? 'Looking through your trials…' : undefined);
  return (
    <Dialog title="Use answers of a trial" onClose={close}>
      <p className="mb-3 text-12 text-pretty text-ink-2">
        Adds a column with the answers of an earlier trial as the baseline, without sending requests for it.
        {caseCount === 0 && ' Its cases are added to this trial.'}
      </p>
      {message !== undefined && (
        <p role="status" className="py-2 text-13 text-ink-2">
          {message}
        </p>
      )}
      {offers?.length === 0 && (
        <p className="py-2 text-13 text-ink-2">
          {caseCount === 0
            ? 'No other trial has answers yet.'
            : 'No other trial has answers to one of these cases.'}
        </p>
      )}
      <ul>
        {offers?.map(({ offer, updatedAt }) => (
          <li key={offer.trialId} className="border-t border-line py-2.5">
            <p className="flex items-baseline gap-2">
              <b className="min-w-0 flex-1 truncate font-[550]">{getDisplayTitle(offer.title)}</b>
              <span className="text-12 whitespace-nowrap text-ink-3">
                {formatRelativeTime(updatedAt, environment.now())}
              </span>
            </p>
            <p className="mb-1.5 text-12 text-ink-2">{describeSharedCases(offer, caseCount)}</p>
            <div className="flex flex-wrap gap-1.5">
              {offer.columns.map(({ id, letter, model, changes }) => (
                <Button key={id} size="small" disabled={isCopying} onClick={() => void copy(offer, id)}>
                  <LaneTile letter={letter} />
                  <span className="sr-only">Use column {letter},</span>
                  <span className="truncate">{[model, ...changes].join(', ')}</span>
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Describes how many cases both trials have: "57 of 60 cases are there". */
function describeSharedCases({ cases, columns }: BaselineOffer, caseCount: number): string {
  if (caseCount === 0) return pluralize(cases, 'case');
  const counts = [...new Set(columns.map(({ sharedCases }) => sharedCases))].toSorted((a, b) => a - b);
  return `${counts.join(' to ')} of ${pluralize(caseCount, 'case')} shared`;
}
