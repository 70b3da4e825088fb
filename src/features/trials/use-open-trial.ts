import { useEffect, useState } from 'react';

import { formatError } from '../../lib/format-error.ts';
import type { OpenTrial } from '../../state/trials/open-trial.ts';
import type { TrialId } from '../../trials/trial.ts';
import { useTrials } from './use-trial.ts';

export type Opened =
  | { name: 'opening' }
  | { name: 'open'; trial: OpenTrial }
  | { name: 'missing'; reason: string | undefined };

/** The trial with this id, as soon as it has been read. */
export function useOpened(id: TrialId): Opened {
  const trials = useTrials();
  const [opened, setOpened] = useState<Opened>({ name: 'opening' });
  useEffect(() => {
    let isGone = false;
    trials.open(id).then(
      (trial) => {
        if (!isGone) setOpened(trial ? { name: 'open', trial } : { name: 'missing', reason: undefined });
      },
      (error: unknown) => {
        if (!isGone) setOpened({ name: 'missing', reason: formatError(error) });
      },
    );
    return () => {
      isGone = true;
    };
  }, [trials, id]);
  return opened;
}
