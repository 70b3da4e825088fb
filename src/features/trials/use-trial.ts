import { createContext, use } from 'react';
import { useStore } from 'zustand';

import type { OpenTrial, OpenTrialState } from '../../state/trials/open-trial.ts';
import type { Trials } from '../../state/trials/trials-store.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { getTrialView, type TrialView, type TrialViewStore } from './trial-view.ts';

export const TrialContext = createContext<OpenTrial | undefined>(undefined);

/** The trial that is on screen. */
export function useTrial(): OpenTrial {
  const trial = use(TrialContext);
  if (!trial) throw new Error('A component that needs a trial is outside of one');
  return trial;
}

/** A part of the trial's state; the selector's answer is compared by identity. */
export function useTrialState<T>(selector: (state: OpenTrialState) => T): T {
  return useStore(useTrial().state, selector);
}

/** Its whole state, for views that follow each answer. */
export function useFullTrialState(): OpenTrialState {
  return useStore(useTrial().state);
}

export function useTrialViewStore(): TrialViewStore {
  return getTrialView(useTrial());
}

export function useTrialView<T>(selector: (view: TrialView) => T): T {
  return useStore(useTrialViewStore(), selector);
}

/** The trials of this playground, once they are here: waits for them. */
export function useTrials(): Trials {
  return use(usePlayground().lazyTrials.load());
}
