import { useMemo } from 'react';

import type { RequestRules } from '../../conversation/request/request.ts';
import { isTextOnly, type ModelMarks } from '../../conversation/setup/model-marks.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { useLearnedRecords, usePrefs, useAppServices } from '../../state/contexts.tsx';
import type { LearnedModels } from '../../state/learned-models.ts';
import { useStatus } from '../health/use-status.ts';
import { useModels } from './use-models.ts';

const noMarks: ModelMarks = {};
const noModels: readonly ModelRecord[] = [];

/** Returns the rules for request fields, from the user's marks or, without a mark, from the model's record. */
export function useRequestRules(): RequestRules {
  const marks = usePrefs((prefs) => prefs.modelMarks) ?? noMarks;
  const models = useModels().data?.models ?? noModels;
  const { learnedModels, getGatewayId } = useAppServices();
  const gatewayId = useStatus().data?.id ?? getGatewayId();
  const learnedState = useLearnedRecords();
  return useMemo(
    () => createRules(marks, models, gatewayId, learnedModels, learnedState),
    [marks, models, gatewayId, learnedModels, learnedState],
  );
}

/**
 * Creates the rules. `_learnedState` is the state behind `learnedModels`; passing it makes sure that the rules are
 * recreated after a field is rejected.
 */
function createRules(
  marks: ModelMarks,
  models: readonly ModelRecord[],
  gatewayId: string,
  { getRefusedFields }: LearnedModels,
  _learnedState: object,
): RequestRules {
  return {
    isTextOnly: (model) => isTextOnly(model, marks, models),
    getRefusedFields,
    ...(gatewayId === '' ? {} : { gatewayId }),
  };
}
