import { useEffect, useMemo } from 'react';

import { listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';
import { useSessionState, useAppServices } from '../../state/contexts.tsx';
import { useModels } from './use-models.ts';

const demoModel = 'demo/guide';

/** Returns the model for a first visit: the demo guide or, without it, the first chat model. */
export function pickDefaultModel(models: readonly ModelRecord[]): string | undefined {
  const chat = listChatModels(models);
  return (chat.find((model) => model.id === demoModel) ?? chat[0])?.id;
}

/** Selects the default model for a session without one once the list has loaded. */
export function useDefaultModel(): void {
  const { setDefaultModel } = useAppServices();
  const { data } = useModels();
  const sessionId = useSessionState((state) => state.currentId);
  const models = data?.models;
  const defaultModel = useMemo(() => models && pickDefaultModel(models), [models]);
  useEffect(() => {
    if (defaultModel !== undefined && sessionId !== undefined) setDefaultModel(defaultModel);
  }, [defaultModel, sessionId, setDefaultModel]);
}
