import { Check, CircleAlert, CornerDownLeft, Scissors, Square } from 'lucide-react';
import type { ReactNode } from 'react';

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
  const { look, icon, words } = status;
  return (
    <span className={`st ${look}`}>
      {icon}
      {words}
    </span>
  );
}

function LiveStatus({ run }: { run: Run }) {
  const elapsedMs = useElapsed(run.phase.name === 'waiting' ? run.sentAt : undefined);
  // Bench itself holds it back: the model is not slow.
  if (run.phase.name === 'queued') return <span className="st warn">Queued by Bench</span>;
  if (run.phase.name === 'waiting')
    return <span className="st live min-w-23.5">{`Waiting ${formatSeconds(elapsedMs)}`}</span>;
  return <span className="st live">Streaming</span>;
}

interface SettledStatus {
  look: string;
  icon: ReactNode;
  words: string;
}

/** Undefined where nothing ran. A reply written by hand may hold calls that wait for results, too. */
function settledStatus(run: Run | undefined, results: LaneAnswers | undefined): SettledStatus | undefined {
  const name = run?.phase.name;
  if (name === 'failed')
    return { look: 'err', icon: <CircleAlert className="i" aria-hidden />, words: 'Failed' };
  if (name === 'stopped') return { look: '', icon: <Square className="i" aria-hidden />, words: 'Stopped' };
  if (name === 'truncated')
    return { look: 'warn', icon: <Scissors className="i" aria-hidden />, words: 'Cut off' };
  if (name === 'interrupted') {
    return { look: 'warn', icon: <CircleAlert className="i" aria-hidden />, words: 'Interrupted' };
  }
  if (results) {
    if (results.missing === 0)
      return { look: 'ok', icon: <Check className="i" aria-hidden />, words: 'Ready to send' };
    const words = `${plural(results.missing, 'tool result')} needed`;
    return { look: 'warn', icon: <CornerDownLeft className="i" aria-hidden />, words };
  }
  if (!run) return undefined;
  if (finishWord(run) === 'length') {
    return { look: 'warn', icon: <Scissors className="i" aria-hidden />, words: 'Cut off' };
  }
  return { look: 'ok', icon: <Check className="i" aria-hidden />, words: 'Done' };
}
