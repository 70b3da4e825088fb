/** What keys and commands can do in the lab while it is on screen; it says itself what that is. */
import { createStore } from 'zustand/vanilla';

export interface LabDeed {
  run: () => void;
  /** Why it cannot be done now; undefined where it can. */
  blockedBy?: () => string | undefined;
}

export type LabDeedName = 'find' | 'shorter' | 'longer' | 'otherModel';

export const labDeeds = createStore<{ deeds?: Record<LabDeedName, LabDeed> | undefined }>(() => ({}));
