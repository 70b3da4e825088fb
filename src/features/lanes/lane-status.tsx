import { getFinishLabel } from '../../conversation/reply/run.ts';
import { matchLaneResults, type LaneResults } from '../../conversation/request/pending-tool-results.ts';
import type { Run } from '../../conversation/session/types.ts';
import { formatSeconds, pluralize } from '../../lib/format.ts';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import {
  CheckIcon,
  CircleAlert,
  CornerDownLeft,
  Scissors,
  Square,
  type IconComponent,
} from '../../ui/icons.tsx';
import { usePendingRows } from '../tools/use-pending-rows.ts';
import { useElapsed } from '../workspace/use-elapsed.ts';

interface LaneStatusProps {
  laneId: string;
  run: Run | undefined;
  live: boolean;
  /** `shape` shows only the icon, for places without space for text. */
  size?: 'lane' | 'shape';
}

/** Status of the lane's last run as an icon and a word. */
export function LaneStatus({ laneId, run, live, size = 'lane' }: LaneStatusProps) {
  const { rows, getDraftResults } = usePendingRows();
  const results = rows
    .flatMap((row) => matchLaneResults(row, getDraftResults(row.promptId)))
    .find(({ lane }) => lane.laneId === laneId);
  if (run && live) return <LiveStatus run={run} size={size} />;
  const status = getSettledStatus(run, results);
  if (!status) return null;
  const [tone, Icon, label] = status;
  return (
    <StatusLabel tone={tone} size={size} icon={<Icon aria-hidden />}>
      {label}
    </StatusLabel>
  );
}

function LiveStatus({ run, size }: { run: Run; size: 'lane' | 'shape' }) {
  const elapsedMs = useElapsed(run.phase.name === 'waiting' ? run.sentAt : undefined);
  // Shown as a warning, because Bench is delaying the request; the model is not slow.
  if (run.phase.name === 'queued')
    return (
      <StatusLabel tone="warn" size={size}>
        Queued by Bench
      </StatusLabel>
    );
  const isWaiting = run.phase.name === 'waiting';
  return (
    <StatusLabel tone="live" size={size} className={isWaiting && size === 'lane' ? 'min-w-23.5' : ''}>
      {isWaiting ? `Waiting ${formatSeconds(elapsedMs)}` : 'Streaming'}
    </StatusLabel>
  );
}

/** Colour, icon and label of a status. */
type SettledStatus = readonly [tone: 'ok' | 'warn' | 'err' | 'plain', icon: IconComponent, label: string];

/**
 * Returns the status of an ended run; `undefined` without a run. Replies written by hand may also contain calls without
 * results.
 */
function getSettledStatus(run: Run | undefined, results: LaneResults | undefined): SettledStatus | undefined {
  const name = run?.phase.name;
  if (name === 'failed') return ['err', CircleAlert, 'Failed'];
  if (name === 'stopped') return ['plain', Square, 'Stopped'];
  if (name === 'truncated') return ['warn', Scissors, 'Cut off'];
  if (name === 'interrupted') return ['warn', CircleAlert, 'Interrupted'];
  if (results) {
    if (results.missingCount === 0) return ['ok', CheckIcon, 'Ready to send'];
    return ['warn', CornerDownLeft, `${pluralize(results.missingCount, 'tool result')} needed`];
  }
  if (!run) return undefined;
  if (getFinishLabel(run) === 'length') return ['warn', Scissors, 'Cut off'];
  return ['ok', CheckIcon, 'Done'];
}
