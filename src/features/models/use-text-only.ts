import { useCallback } from 'react';

import { isTextOnly } from '../../conversation/setup/model-marks.ts';
import { usePrefs } from '../../state/react.tsx';
import { useModels } from './use-models.ts';

const none = {};

/** Whether a model gets the words of messages without their images: by a person's mark, else by its record. */
export function useTextOnly(): (model: string) => boolean {
  const marks = usePrefs((prefs) => prefs.modelMarks) ?? none;
  const models = useModels().data?.models;
  return useCallback((model: string) => isTextOnly(model, marks, models ?? []), [marks, models]);
}
