import { useEffect, useState } from 'react';

import type { Check, Score } from '../../../trials/trial.ts';
import { useSettled } from '../../../ui/hooks/use-debounced-value.ts';
import { useTrial, useTrialState } from '../use-trial.ts';

const settledMs = 150;

/** What the check says of the answers that are there; undefined until it has looked. */
export function useTriedCheck(check: Check): ReadonlyMap<string, Score> | undefined {
  const trial = useTrial();
  const settled = useSettled(check, settledMs);
  const changes = useTrialState((state) => state.changes);
  const [tried, setTried] = useState<ReadonlyMap<string, Score>>();
  useEffect(() => {
    const stop = new AbortController();
    trial.tryCheck(settled, stop.signal).then(
      (scores) => {
        if (!stop.signal.aborted) setTried(scores);
      },
      // What was tried meanwhile has taken its place.
      () => undefined,
    );
    return () => stop.abort();
  }, [trial, settled, changes]);
  return tried;
}
