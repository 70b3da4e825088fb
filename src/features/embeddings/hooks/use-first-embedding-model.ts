import { useEffect } from 'react';

import { useModels } from '../../models/use-models.ts';
import { useLab } from './use-lab.ts';

/** Begins with the first embedding model that is listed, where none has been picked. */
export function useFirstEmbeddingModel(): void {
  const { state, edit } = useLab();
  const { data: list } = useModels();
  const first = list?.models.find((model) => model.kind === 'embedding')?.id;
  useEffect(() => {
    const { models } = state.getState().input;
    if (first !== undefined && models.A === '') edit({ models: { ...models, A: first } });
  }, [first, state, edit]);
}
