import { useMemo } from 'react';

import { useTrialView, useWholeTrial } from '../use-trial.ts';
import { caseRows, type CaseRow } from './case-rows.ts';

/** The cases under filter, search and order. */
export function useCaseRows(): CaseRow[] {
  const state = useWholeTrial();
  const filter = useTrialView((view) => view.filter);
  const find = useTrialView((view) => view.find);
  const order = useTrialView((view) => view.order);
  // The maps of the state change in place: it is another object with each change.
  return useMemo(() => caseRows(state, { filter, find, order }), [state, filter, find, order]);
}
