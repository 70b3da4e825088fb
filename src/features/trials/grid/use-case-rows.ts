import { useMemo } from 'react';

import { useTrialView, useFullTrialState } from '../use-trial.ts';
import { listAllRows, listCaseRows, type CaseRow } from './case-rows.ts';

/** Returns the cases after filter, search and sorting. */
export function useCaseRows(): CaseRow[] {
  const state = useFullTrialState();
  const filter = useTrialView((view) => view.filter);
  const valueFilter = useTrialView((view) => view.valueFilter);
  const searchQuery = useTrialView((view) => view.searchQuery);
  const order = useTrialView((view) => view.order);
  const { trial, order: caseOrder } = state;
  const allCaseRows = useMemo(() => listAllRows({ trial, order: caseOrder }), [trial, caseOrder]);
  const isUnfiltered =
    filter.name === 'all' && valueFilter === undefined && searchQuery.trim() === '' && order === 'in order';
  // The maps in the state are mutated, but the state is a new object after each change.
  const filteredRows = useMemo(
    () => (isUnfiltered ? undefined : listCaseRows(state, { filter, valueFilter, searchQuery, order })),
    [isUnfiltered, state, filter, valueFilter, searchQuery, order],
  );
  return filteredRows ?? allCaseRows;
}
