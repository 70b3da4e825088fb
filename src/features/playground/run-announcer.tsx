import { useAnnouncedRuns } from './use-announced-runs.ts';

/** Says to screen readers when answers start and end, in sentences; never the token stream. */
export function RunAnnouncer() {
  useAnnouncedRuns();
  return null;
}
