import { useMemo } from 'react';

import { useTrialView, useWholeTrial } from '../use-trial.ts';
import { allRows, caseRows, type CaseRow } from './case-rows.ts';

/** The cases under filter, search and order. */
export function useCaseRows(): CaseRow[] {
  const state = useWholeTrial();
  const filter = useTrialView((view) => view.filter);
  const find = useTrialView((view) => view.find);
  const order = useTrialView((view) => view.order);
  const { trial, order: drawn } = state;
  const all = useMemo(() => allRows({ trial, order: drawn }), [trial, drawn]);
  const isAll = filter.name === 'all' && find.trim() === '' && order === 'in order';
  // The maps of the state change in place: it is another object with each change.
  const some = useMemo(
    () => (isAll ? undefined : caseRows(state, { filter, find, order })),
    [isAll, state, filter, find, order],
  );
  return some ?? all;
}
