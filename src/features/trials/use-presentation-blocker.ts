import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import { useLazyTrials } from '../../state/contexts.tsx';
import { getPresentationBlocker, getShortcutStore } from './trial-view.ts';

const noTrialState = createStore(() => undefined);

/** Returns why the current trial cannot be presented; `undefined` if it can. */
export function usePresentationBlocker(): string | undefined {
  const trial = useStore(getShortcutStore(useLazyTrials()), ({ shortcuts }) => shortcuts?.trial);
  return useStore(trial?.state ?? noTrialState, getPresentationBlocker);
}
