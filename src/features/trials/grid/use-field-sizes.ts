import { useMemo } from 'react';

import { useTrialState } from '../use-trial.ts';
import { measureFields, type FieldSize } from './field-sizes.ts';

/** Returns the sizes of the fields of the trial, measured again when its cases or prompts change. */
export function useFieldSizes(): FieldSize[] {
  const fields = useTrialState(({ trial }) => trial.fields);
  const messages = useTrialState(({ trial }) => trial.messages);
  const columns = useTrialState(({ trial }) => trial.columns);
  const batches = useTrialState(({ trial }) => trial.batches);
  const cases = useTrialState((state) => state.cases);
  return useMemo(
    () => (batches.length === 0 ? [] : measureFields({ fields, messages, columns }, cases)),
    [fields, messages, columns, batches, cases],
  );
}
