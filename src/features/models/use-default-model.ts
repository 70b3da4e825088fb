import { useEffect, useMemo } from 'react';

import { listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';
import { usePlayground, useSessionState } from '../../state/use-playground.tsx';
import { useModels } from './use-models.ts';

const demoModel = 'demo/guide';

/** What a first visit starts with: the demo's guide, else the first model that chats. */
export function pickDefaultModel(models: readonly ModelRecord[]): string | undefined {
  const chat = listChatModels(models);
  return (chat.find((model) => model.id === demoModel) ?? chat[0])?.id;
}

/** Gives a session without a model the first one, once the list is there. */
export function useDefaultModel(): void {
  const { setDefaultModel } = usePlayground();
  const { data } = useModels();
  const sessionId = useSessionState((state) => state.currentId);
  const models = data?.models;
  const defaultModel = useMemo(() => models && pickDefaultModel(models), [models]);
  useEffect(() => {
    if (defaultModel !== undefined && sessionId !== undefined) setDefaultModel(defaultModel);
  }, [defaultModel, sessionId, setDefaultModel]);
}
