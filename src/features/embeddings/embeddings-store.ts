import { createStore } from 'zustand/vanilla';

import type { EmbeddingsAnswer } from '../../gateway/embeddings.ts';
import type { ErrorReport } from '../../gateway/errors.ts';

export interface EmbeddedTexts {
  texts: readonly string[];
  model: string;
  answer: EmbeddingsAnswer;
}

export interface EmbeddingsState {
  text: string;
  model: string;
  /** Set while a request is under way. */
  running?: AbortController | undefined;
  result?: EmbeddedTexts | undefined;
  problem?: ErrorReport | undefined;
}

/** Outlives the screen, so that going elsewhere and back loses nothing. */
export const embeddingsStore = createStore<EmbeddingsState>(() => ({ text: '', model: '' }));
