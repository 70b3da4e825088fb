import { Check, CircleAlert, CornerDownLeft, Scissors, Square, type LucideIcon } from 'lucide-react';

import { finishWord } from '../../../conversation/reply/run.ts';
import { laneAnswers, type LaneAnswers } from '../../../conversation/request/tool-results-pending.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatSeconds, plural } from '../../../lib/format.ts';
import { useElapsed } from '../reply/use-elapsed.ts';
import { useWaitingRows } from '../tools/use-waiting-rows.ts';

/** One word, with a shape, for what the lane's last run is doing. */
export function LaneStatus({ laneId, run, live }: { laneId: string; run: Run | undefined; live: boolean }) {
  const { rows, writtenFor } = useWaitingRows();
  const results = rows
    .flatMap((row) => laneAnswers(row, writtenFor(row.promptId)))
    .find(({ lane }) => lane.laneId === laneId);
  if (run && live) return <LiveStatus run={run} />;
  const status = settledStatus(run, results);
  if (!status) return null;
  const [tone, Icon, words] = status;
  return (
    <span className={`lane-status ${tone}`}>
      <Icon aria-hidden />
      {words}
    </span>
  );
}

function LiveStatus({ run }: { run: Run }) {
  const elapsedMs = useElapsed(run.phase.name === 'waiting' ? run.sentAt : undefined);
  // Bench itself holds it back: the model is not slow.
  if (run.phase.name === 'queued') return <span className="lane-status text-warn-ink">Queued by Bench</span>;
  if (run.phase.name === 'waiting')
    return (
      <span className="lane-status is-streaming min-w-23.5">{`Waiting ${formatSeconds(elapsedMs)}`}</span>
    );
  return <span className="lane-status is-streaming">Streaming</span>;
}

/** The class of its colour, its shape and its words. */
type SettledStatus = readonly [tone: string, icon: LucideIcon, words: string];

/** Undefined where nothing ran. A reply written by hand may hold calls that wait for results, too. */
function settledStatus(run: Run | undefined, results: LaneAnswers | undefined): SettledStatus | undefined {
  const name = run?.phase.name;
  if (name === 'failed') return ['text-err-ink', CircleAlert, 'Failed'];
  if (name === 'stopped') return ['', Square, 'Stopped'];
  if (name === 'truncated') return ['text-warn-ink', Scissors, 'Cut off'];
  if (name === 'interrupted') return ['text-warn-ink', CircleAlert, 'Interrupted'];
  if (results) {
    if (results.missing === 0) return ['text-ok-ink', Check, 'Ready to send'];
    return ['text-warn-ink', CornerDownLeft, `${plural(results.missing, 'tool result')} needed`];
  }
  if (!run) return undefined;
  if (finishWord(run) === 'length') return ['text-warn-ink', Scissors, 'Cut off'];
  return ['text-ok-ink', Check, 'Done'];
}
