import { createContext, use } from 'react';
import { useStore } from 'zustand';

import { useLazyTrials } from '../../state/contexts.tsx';
import type { OpenTrial } from '../../state/trials/store/open-trial.ts';
import type { OpenTrialState } from '../../state/trials/store/trial-store.ts';
import type { Trials } from '../../state/trials/trials-store.ts';
import { getTrialView, type TrialView, type TrialViewStore } from './trial-view.ts';

export const TrialContext = createContext<OpenTrial | undefined>(undefined);

/** Returns the current trial. */
export function useTrial(): OpenTrial {
  const trial = use(TrialContext);
  if (!trial) throw new Error('A component that needs a trial is outside of one');
  return trial;
}

/** Returns a part of the trial's state; the selector's result is compared by identity. */
export function useTrialState<T>(selector: (state: OpenTrialState) => T): T {
  return useStore(useTrial().state, selector);
}

/** Returns the whole state, for views that have to update with every answer. */
export function useFullTrialState(): OpenTrialState {
  return useStore(useTrial().state);
}

export function useTrialViewStore(): TrialViewStore {
  return getTrialView(useTrial());
}

export function useTrialView<T>(selector: (view: TrialView) => T): T {
  return useStore(useTrialViewStore(), selector);
}

/** Returns the trials of this playground; suspends until they have loaded. */
export function useTrials(): Trials {
  return use(useLazyTrials().load());
}
