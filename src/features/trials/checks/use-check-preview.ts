import { useEffect, useState } from 'react';

import type { Check, Score } from '../../../trials/trial.ts';
import { useDebouncedValue } from '../../../ui/hooks/use-debounced-value.ts';
import { useTrial, useTrialState } from '../use-trial.ts';

const debounceMs = 150;

/** Returns this check's scores for existing answers; `undefined` until they are computed. */
export function useCheckPreview(check: Check): ReadonlyMap<string, Score> | undefined {
  const trial = useTrial();
  const debouncedCheck = useDebouncedValue(check, debounceMs);
  const changeCount = useTrialState((state) => state.changeCount);
  const [previewScores, setPreviewScores] = useState<ReadonlyMap<string, Score>>();
  useEffect(() => {
    const abortController = new AbortController();
    trial.previewCheck(debouncedCheck, abortController.signal).then(
      (scores) => {
        if (!abortController.signal.aborted) setPreviewScores(scores);
      },
      // A later version of the check has replaced this one.
      () => undefined,
    );
    return () => abortController.abort();
  }, [trial, debouncedCheck, changeCount]);
  return previewScores;
}
