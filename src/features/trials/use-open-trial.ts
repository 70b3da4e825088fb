import { useEffect, useState } from 'react';

import { formatError } from '../../lib/format-error.ts';
import type { OpenTrial } from '../../state/trials/open-trial.ts';
import type { TrialId } from '../../trials/trial.ts';
import { useTrials } from './use-trial.ts';

export type OpenTrialStatus =
  | { name: 'opening' }
  | { name: 'open'; trial: OpenTrial }
  | { name: 'missing'; reason: string | undefined };

/** Returns the trial with this ID once it has loaded. */
export function useOpenTrial(id: TrialId): OpenTrialStatus {
  const trials = useTrials();
  const [trialStatus, setTrialStatus] = useState<OpenTrialStatus>({ name: 'opening' });
  useEffect(() => {
    let isUnmounted = false;
    trials.open(id).then(
      (trial) => {
        if (!isUnmounted)
          setTrialStatus(trial ? { name: 'open', trial } : { name: 'missing', reason: undefined });
      },
      (error: unknown) => {
        if (!isUnmounted) setTrialStatus({ name: 'missing', reason: formatError(error) });
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [trials, id]);
  return trialStatus;
}
