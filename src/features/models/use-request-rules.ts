import { useMemo } from 'react';

import type { RequestRules } from '../../conversation/request/request.ts';
import { isTextOnly } from '../../conversation/setup/model-marks.ts';
import { useLearned, usePlayground, usePrefs } from '../../state/react.tsx';
import { useStatus } from '../health/use-status.ts';
import { useModels } from './use-models.ts';

const none = {};

/** Rules of the models and the gateway for what a request may hold: by a user's mark, else by the record of the model. */
export function useRequestRules(): RequestRules {
  const marks = usePrefs((prefs) => prefs.modelMarks) ?? none;
  const models = useModels().data?.models;
  const { learned } = usePlayground();
  const learnedState = useLearned();
  const gatewayId = useStatus().data?.id ?? '';
  return useMemo(
    () => ({
      isTextOnly: (model: string) => isTextOnly(model, marks, models ?? []),
      refusedFields: learned.refusedFields,
      ...(gatewayId === '' ? {} : { gatewayId }),
    }),
    // A refusal that is learned makes other rules of the same function.
    [marks, models, gatewayId, learned, learnedState],
  );
}
