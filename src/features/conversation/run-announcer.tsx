import { useAnnouncedRuns } from './use-announced-runs.ts';

/** Announces the start and end of answers to screen readers, in sentences and never token by token. */
export function RunAnnouncer() {
  useAnnouncedRuns();
  return null;
}
