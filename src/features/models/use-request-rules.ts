import { useMemo } from 'react';
import { useStore } from 'zustand';

import type { RequestRules } from '../../conversation/request/request.ts';
import { useLearnedRecords, usePrefs, useAppServices } from '../../state/contexts.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';

/** Returns the rules for requests, as a new object whenever one of their sources has changed. */
export function useRequestRules(): RequestRules {
  const { requestRules, gateways } = useAppServices();
  const marks = usePrefs((prefs) => prefs.modelMarks);
  // Changes with the model lists.
  const priceSources = useStore(gateways.priceSources);
  const learnedState = useLearnedRecords();
  const statuses = useGatewayStatuses();
  return useMemo(
    () => copyRules(requestRules, [marks, priceSources, learnedState, statuses]),
    [requestRules, marks, priceSources, learnedState, statuses],
  );
}

/** Copies the rules. `_sources` are the states that they read; a change of one of them requires a new copy. */
function copyRules(rules: RequestRules, _sources: readonly unknown[]): RequestRules {
  return { ...rules };
}
