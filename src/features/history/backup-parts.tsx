/** Parts shared by the dialogs that export and import a backup. */
import { pluralize } from '../../lib/format.ts';
import type { BackupHeader } from '../../state/backup/backup-format.ts';
import { ProgressBar } from '../../ui/display/progress-bar.tsx';

/** Describes the number of each kind of data in a backup, without kinds of which there are none. */
export function formatContents({ groups, counts }: BackupHeader): string[] {
  const kinds: [noun: string, count: number][] = [
    ['session', groups.sessions.length],
    ['trial', groups.trials.length],
    ['embedding set', groups.sets.length],
    ['preset', counts.presets],
    ['stored file', counts.images],
  ];
  return kinds.filter(([, count]) => count > 0).map(([noun, count]) => pluralize(count, noun));
}

/** Progress of writing or reading a backup. */
export function BackupProgress({ label, percent }: { label: string; percent: number }) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 text-12 text-ink-3">
      <ProgressBar label={label} value={percent} max={100} text={`${percent}%`} />
      <span className="tabular-nums">{percent}%</span>
    </span>
  );
}
