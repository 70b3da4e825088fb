import type { Run } from '../../../conversation/session/types.ts';

const statusLabels: Readonly<Record<Run['phase']['name'], string>> = {
  queued: 'queued',
  waiting: 'waiting',
  streaming: 'streaming',
  complete: 'done',
  truncated: 'cut off',
  stopped: 'stopped',
  failed: 'failed',
  interrupted: 'interrupted',
};

/**
 * Formats the label of a lane's tile, such as "Lane A, done, out of view". `isAnswered` is also true for answers
 * written by hand, which have no run.
 */
export function formatLaneStatus(
  letter: string,
  run: Run | undefined,
  isAnswered: boolean,
  isOutOfView: boolean,
): string {
  const status = run ? statusLabels[run.phase.name] : isAnswered ? 'done' : 'no answer yet';
  return `Lane ${letter}, ${status}${isOutOfView ? ', out of view' : ''}`;
}
