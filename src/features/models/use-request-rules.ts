import { useMemo } from 'react';

import type { RequestRules } from '../../conversation/request/request.ts';
import { useLearnedRecords, usePrefs, useAppServices } from '../../state/contexts.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { useModelLists } from './use-models.ts';

/** Returns the rules for requests, as a new object whenever one of their sources has changed. */
export function useRequestRules(): RequestRules {
  const { requestRules } = useAppServices();
  const marks = usePrefs((prefs) => prefs.modelMarks);
  const lists = useModelLists();
  const learnedState = useLearnedRecords();
  const statuses = useGatewayStatuses();
  return useMemo(
    () => copyRules(requestRules, [marks, lists, learnedState, statuses]),
    [requestRules, marks, lists, learnedState, statuses],
  );
}

/** Copies the rules. `_sources` are the states that they read; a change of one of them requires a new copy. */
function copyRules(rules: RequestRules, _sources: readonly unknown[]): RequestRules {
  return { ...rules };
}
